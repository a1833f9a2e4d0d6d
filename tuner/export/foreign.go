package export

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sakusen/engines/lines"
	"sakusen/engines/param"
)

// The formats of other tuners.
const (
	OpenBench      = "openbench"
	Fishtest       = "fishtest"
	WeatherFactory = "weather-factory"
)

// ForeignFile is what a file of another tuner says.
type ForeignFile struct {
	Format string
	Params []param.Declared
	// Still are the values of parameters that keep them: their steps are 0.
	Still param.Values

	places []string // FILE:LINE of each parameter
}

const (
	mostBytes   = 16 << 20 // of a file
	mostForeign = 1000     // parameters, as a study may declare
)

// ReadForeign reads a file of any of the formats, which it tells by what is in it. The error
// has all mistakes, a line each: file, line, field, what was expected.
func ReadForeign(file string, content []byte) (*ForeignFile, error) {
	m := &lines.LeftOut{File: file}
	text, err := lines.Text(content)
	if err != nil || len(text) > mostBytes {
		m.Add(1, "file", fmt.Sprintf("a text of at most %d bytes", mostBytes), cmp.Or(errorText(err), "more"))
		return nil, m.Err()
	}
	var f *ForeignFile
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		f = readJSON(m, []byte(text))
	} else {
		f = readLines(m, text)
	}
	switch {
	case m.Count() > 0:
	case len(f.Params) == 0:
		m.Add(1, "file", "at least one parameter: a line such as \"name, int, 50, 0, 100, 5, 0.002\", or JSON", "none")
	case len(f.Params) == len(f.Still):
		m.Add(1, "file", "at least one parameter whose step (c_end) is not 0", "none")
	}
	return f, m.Err()
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// take adds a parameter, or says what is wrong with it.
func (f *ForeignFile) take(m *lines.LeftOut, line int, p param.Declared, still bool) {
	for _, o := range f.Params {
		if o.Name == p.Name {
			m.Add(line, p.Name, "each parameter once", "it a second time")
			return
		}
	}
	if len(f.Params) == mostForeign {
		m.Add(line, p.Name, fmt.Sprintf("at most %d parameters", mostForeign), "one more")
		return
	}
	switch {
	case p.Low >= p.High:
		m.Add(line, p.Name+": min, max", "a range with more than one value", short(p.Low)+" to "+short(p.High))
		return
	case p.Kind == "int" && (p.Low != math.Trunc(p.Low) || p.High != math.Trunc(p.High)):
		m.Add(line, p.Name+": min, max", "integers", short(p.Low)+" and "+short(p.High))
		return
	}
	check := p
	if check.Name = "x"; p.Name == "" { // which names there may be depends on who plays
		check.Name = ""
	}
	if err := check.Check(); err != nil {
		m.Add(line, p.Name, "a parameter", strings.ReplaceAll(err.Error(), "\n", "; "))
		return
	}
	f.Params = append(f.Params, p)
	f.places = append(f.places, fmt.Sprintf("%s:%d", m.File, line))
	if still {
		f.Still = append(f.Still, param.Value{Name: p.Name, Text: string(p.Default)})
	}
}

// Target is what a study is made for.
type Target struct {
	Name string // of the study
	// Engine is the registry's name of the engine whose options are tuned, in chess. Where
	// it is empty the games are played elsewhere: they are asked for and told.
	Engine string
}

// unplain are the characters that names of studies do not have.
var unplain = regexp.MustCompile(`[^a-z0-9._-]+`)

// StudyNameOf returns the name of a study by that of the file it comes from.
func StudyNameOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	name = strings.Trim(unplain.ReplaceAllString(strings.ToLower(name), "-"), "._-")
	if name == "" {
		return "imported"
	}
	return name[:min(len(name), 80)]
}

// Study returns the file as a study file, which runs as it stands.
func (f *ForeignFile) Study(t Target) (string, error) {
	if t.Engine == "" {
		var all []error
		for i, p := range f.Params {
			if err := p.Check(); err != nil {
				all = append(all, fmt.Errorf("%s: %w", f.places[i], err))
			}
		}
		if len(all) > 0 {
			return "", errors.Join(all...)
		}
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Imported from a file of %s.", f.Format)
	if len(f.Still) > 0 {
		line("# Parameters whose step is 0 are not tuned and keep their values: tune.fix.")
	}
	line("version: 1\nname: %s", quote(t.Name))
	if t.Engine == "" {
		f.external(line)
	} else {
		f.chess(line, t.Engine)
	}
	line("budget: {games: 20000}")
	return b.String(), nil
}

// chess writes a study of an engine's options.
func (f *ForeignFile) chess(line func(string, ...any), engine string) {
	line("game: chess")
	if i := slices.IndexFunc(f.Params, func(p param.Declared) bool { return p.Kind == "float" }); i >= 0 {
		line("# %s is a real number: the engine offers it as a string with a number, as Lc0 does.", strings.Map(plainRune, f.Params[i].Name))
		line("# Where it is an integer of the engine, add int_scale: docs/engines.md.")
	}
	line("tune:\n  strategy: %s", quote(engine))
	if len(f.Still) > 0 {
		line("  fix: %s", values(f.Still))
	}
	line("  params:")
	var now param.Values
	for _, p := range f.Params {
		now = append(now, param.Value{Name: p.Name, Text: string(p.Default)})
		if _, still := f.Still.Get(p.Name); !still {
			line("    - {name: %s, low: %s, high: %s}", quote(p.Name), short(p.Low), short(p.High))
		}
	}
	line("baseline: {strategy: %s, params: %s}", quote(engine), values(now))
}

// external writes a study whose games are asked for and told.
func (f *ForeignFile) external(line func(string, ...any)) {
	line("game: external\ntune:\n  strategy: engine1")
	if len(f.Still) > 0 {
		line("  fix: %s", values(f.Still))
	}
	line("  declare:")
	for _, p := range f.Params {
		line("    - {name: %s, kind: %s, low: %s, high: %s, default: %s}", quote(p.Name), p.Kind, short(p.Low), short(p.High), p.Default)
	}
	line("baseline: engine1")
}

// values writes a list of names and values.
func values(all []param.Value) string {
	var parts []string
	for _, v := range all {
		parts = append(parts, fmt.Sprintf("{name: %s, value: %s}", quote(v.Name), quote(v.Text)))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// quote writes a value as JSON, which YAML reads.
func quote(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("foreign: texts are plain data: " + err.Error())
	}
	return string(text)
}

// plainRune keeps a comment on its line.
func plainRune(r rune) rune {
	if r < ' ' || r == 0x7F || r == 0x85 || r == 0x2028 || r == 0x2029 {
		return ' '
	}
	return r
}

// Tuned is a parameter with its range and the value that a study has found.
type Tuned struct {
	param.Param
	Value string
}

// rEnd is the learning rate at the end that OpenBench and fishtest propose.
const rEnd = "0.002"

// foreign returns the function that writes a format of another tuner.
func foreign(format string) func(io.Writer, *Document) error {
	return func(w io.Writer, d *Document) error {
		if len(d.Tuned) == 0 && len(d.Values) > 0 {
			return fmt.Errorf("%s: expected a tuned parameter of more than one value, got none", format)
		}
		text, err := writeForeign(format, d.Tuned)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
}

// writeForeign writes what a study has found as input of another tuner: it goes on from the
// values, in the same ranges. Steps are a twentieth of a range, as those tools
// propose.
func writeForeign(format string, all []Tuned) ([]byte, error) {
	var b bytes.Buffer
	for _, p := range all {
		switch {
		case p.Kind != param.Int && p.Kind != param.Float:
			return nil, fmt.Errorf("%[1]s: expected numbers, got %[2]s, which is a %[3]s: the form %[1]s has numbers only", format, p.Name, p.Kind)
		case format != OpenBench && p.Kind != param.Int:
			return nil, fmt.Errorf("%s: expected whole numbers, got %s, which is a %s", format, p.Name, p.Kind)
		case format == WeatherFactory:
			continue
		}
		if strings.Contains(p.Name, ",") || strings.ContainsFunc(p.Name, unicode.IsControl) {
			return nil, fmt.Errorf("%s: expected names without commas and control characters, got %q", format, p.Name)
		}
		if format == OpenBench {
			fmt.Fprintf(&b, "%s, %s, %s, %s, %s, %s, %s\n", p.Name, p.Kind, p.Value, short(p.Domain.Low), short(p.Domain.High), short(p.step()), rEnd)
			continue
		}
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s\n", p.Name, p.Value, short(p.Domain.Low), short(p.Domain.High), short(p.step()), rEnd)
	}
	if format != WeatherFactory {
		return b.Bytes(), nil
	}
	b.WriteString("{")
	for i, p := range all {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `%s:{"value":%s,"min_value":%s,"max_value":%s,"step":%s}`, quote(p.Name), p.Value, short(p.Domain.Low), short(p.Domain.High), short(p.step()))
	}
	b.WriteString("}")
	var out bytes.Buffer
	err := json.Indent(&out, b.Bytes(), "", "    ")
	return append(out.Bytes(), '\n'), err
}

// step returns a twentieth of the range; of whole numbers at least a half.
func (p *Tuned) step() float64 {
	s := (p.Domain.High - p.Domain.Low) / 20
	if p.Kind == param.Int {
		return max(s, 0.5)
	}
	return s
}
