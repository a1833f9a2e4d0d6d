package foreign

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"sakusen/engines/param"
)

// The formats.
const (
	OpenBench      = "openbench"
	Fishtest       = "fishtest"
	WeatherFactory = "weather-factory"
	ChessTuning    = "chess-tuning-tools"
)

// Formats are the names of the formats.
func Formats() []string { return []string{OpenBench, Fishtest, WeatherFactory, ChessTuning} }

// File is what a file of another tuner says.
type File struct {
	Format string
	Params []param.Declared
	// Started says that the parameters have values to begin from; without, their
	// defaults are the middles of their ranges.
	Started bool
	Engines []Engine // the tuned one and its opponent, of chess-tuning-tools
	Limit   string   // as the rule limit of chess; empty where nothing is said
	Book    string   // a file of openings, empty where nothing is said
	Games   int64    // 0 where nothing is said
}

// Engine is a program that the file names.
type Engine struct {
	Command []string
	Options []param.Value
}

// mostBytes bounds a file, mostMistakes the mistakes that are told of it.
const mostBytes, mostMistakes = 16 << 20, 50

// Read reads a file of any of the formats, which it tells by what is in it. The error
// has all mistakes, a line each: file, line, field, what was expected.
func Read(file string, text []byte) (*File, error) {
	m := &mistakes{file: file}
	if len(text) > mostBytes {
		m.add(1, "file", fmt.Sprintf("at most %d bytes", mostBytes), fmt.Sprint(len(text)))
		return nil, m.err()
	}
	var f *File
	if strings.HasPrefix(strings.TrimSpace(string(text)), "{") {
		f = readJSON(m, text)
	} else {
		f = readLines(m, string(text))
	}
	if m.err() == nil && len(f.Params) == 0 {
		m.add(1, "file", "at least one parameter: a line such as \"name, int, 50, 0, 100, 5, 0.002\", or JSON", "none")
	}
	return f, m.err()
}

// mistakes are what is wrong with a file.
type mistakes struct {
	file string
	all  []error
	more int
}

func (m *mistakes) add(line int, field, want, got string) {
	if len(m.all) >= mostMistakes {
		m.more++
		return
	}
	m.all = append(m.all, fmt.Errorf("%s:%d: %s: expected %s, got %s", m.file, line, field, want, got))
}

func (m *mistakes) err() error {
	if m.more > 0 {
		return errors.Join(append(m.all[:len(m.all):len(m.all)], fmt.Errorf("%s: and %d more", m.file, m.more))...)
	}
	return errors.Join(m.all...)
}

// take adds a parameter, or says what is wrong with it.
func (f *File) take(m *mistakes, line int, p param.Declared) {
	for _, o := range f.Params {
		if o.Name == p.Name {
			m.add(line, p.Name, "each parameter once", "it a second time")
			return
		}
	}
	if p.Kind != "choice" {
		switch {
		case p.Low >= p.High:
			m.add(line, p.Name+": min, max", "a range with more than one value", number(p.Low)+" to "+number(p.High))
			return
		case p.Kind == "int" && (p.Low != math.Trunc(p.Low) || p.High != math.Trunc(p.High)):
			m.add(line, p.Name+": min, max", "integers", number(p.Low)+" and "+number(p.High))
			return
		}
	}
	check := p
	if check.Name = "x"; p.Name == "" { // which names there may be depends on who plays
		check.Name = ""
	}
	if err := check.Check(); err != nil {
		m.add(line, p.Name, "a parameter", strings.ReplaceAll(err.Error(), "\n", "; "))
		return
	}
	f.Params = append(f.Params, p)
}
