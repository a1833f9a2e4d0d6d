package export

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sakusen/engines/lines"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// The formats of other tuners.
const (
	OpenBench      = "openbench"
	Fishtest       = "fishtest"
	WeatherFactory = "weather-factory"
	ChessTuning    = "chess-tuning-tools"
)

// ForeignFile is what a file of another tuner says.
type ForeignFile struct {
	Format string
	Params []param.Declared
	// Still are the values of parameters that keep them: their steps are 0.
	Still param.Values
	// Started says that the parameters have values to begin from; without, their
	// defaults are the middles of their ranges.
	Started bool
	Engines []ForeignEngine // the tuned one and its opponent, of chess-tuning-tools
	Limit   string          // as the rule limit of chess; empty where nothing is said
	Book    string          // a file of openings, empty where nothing is said
	Rules   param.Values    // further rules of chess
	Notes   []string        // what has no counterpart, in sentences
	Games   int64           // 0 where nothing is said

	file  string
	lines []int // of the parameters
	// asked are the parameters as the engine has them, nil where it was not asked.
	asked []tuner.Dimension
}

// ForeignEngine is a program that the file names.
type ForeignEngine struct {
	Command []string
	Options []param.Value
	Fresh   bool // it is started anew for each game
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
	if head := strings.TrimSpace(text); strings.HasPrefix(head, "{") || strings.HasPrefix(head, "[") || json.Valid([]byte(text)) {
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
	if f != nil {
		f.file = file
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
	if p.Kind != "choice" {
		switch {
		case p.Low >= p.High:
			m.Add(line, p.Name+": min, max", "a range with more than one value", short(p.Low)+" to "+short(p.High))
			return
		case p.Kind == "int" && (p.Low != math.Trunc(p.Low) || p.High != math.Trunc(p.High)):
			m.Add(line, p.Name+": min, max", "integers", short(p.Low)+" and "+short(p.High))
			return
		}
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
	f.lines = append(f.lines, line)
	if still {
		f.Still = append(f.Still, param.Value{Name: p.Name, Text: string(p.Default)})
	}
}

// Target is what a study is made for.
type Target struct {
	Name string // of the study
	// Engine is the registry's name of the engine whose options are tuned, in chess. Where
	// it is empty and the file names no engines, or has parameters that are no options of
	// an engine, the games are played elsewhere: they are asked for and told.
	Engine string
	// Ask reads the study as its reader does, which asks the engine for its options; nil where
	// the engine is not asked.
	Ask func(study string) (*tuner.Setup, error)
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

// usualGames is the budget where the file says nothing.
const usualGames = 20000

// Study returns the file as a study file, which runs as it stands. Parameters that the
// engine does not have so are mistakes, told as those of ReadForeign; where the engine
// cannot be asked, a comment says so.
func (f *ForeignFile) Study(t Target) (string, error) {
	if t.Engine != "" && t.Ask != nil {
		setup, err := t.Ask(f.write(t))
		if err = f.mistakes(err); err != nil {
			return "", err
		}
		if setup != nil {
			f.asked = setup.Tune.Params
		}
	}
	if t.Engine == "" && len(f.Engines) != 2 {
		var all []error
		for i, p := range f.Params {
			if err := p.Check(); err != nil {
				all = append(all, fmt.Errorf("%s:%d: %w", f.file, f.lines[i], err))
			}
		}
		if len(all) > 0 {
			return "", errors.Join(all...)
		}
	}
	return f.write(t), nil
}

// mistakes returns what the reader of study files says of the parameters, each with its
// place in this file, and notes that the engine was not asked if that is what it says.
func (f *ForeignFile) mistakes(err error) error {
	m := lines.LeftOut{File: f.file}
	var told []string
	all, _ := err.(interface{ Unwrap() []error })
	if all == nil {
		return err
	}
	for _, err := range all.Unwrap() {
		e, ok := err.(interface {
			Parts() (field, want, got string)
		})
		if !ok {
			continue
		}
		field, want, got := e.Parts()
		if field == "tune.strategy" {
			f.Notes = append(f.Notes, "The engine was not asked for its options, so names and ranges are those of the file: "+strings.Map(plainRune, got)+".")
			return nil
		}
		if at := f.named(field, got); at >= 0 && !slices.Contains(told, f.Params[at].Name) {
			_, end, _ := strings.Cut(field, "].")
			m.Add(f.lines[at], f.Params[at].Name+map[string]string{"low": ": min", "high": ": max"}[end], want, got)
			told = append(told, f.Params[at].Name)
		}
	}
	slices.SortStableFunc(m.Items, func(a, b lines.Item) int { return a.Line - b.Line })
	return m.Err()
}

// named returns the number of the parameter that a mistake of the study is about, -1 where it is about
// something else.
func (f *ForeignFile) named(field, got string) int {
	tuned, is := 0, strings.HasPrefix(field, "tune.params[")
	for i, p := range f.Params {
		_, still := f.Still.Get(p.Name)
		if is && !still && strings.HasPrefix(field, fmt.Sprintf("tune.params[%d]", tuned)) ||
			field == "tune.fix" && got == p.Name || field == "tune.fix."+p.Name || field == "baseline.params."+p.Name {
			return i
		}
		if !still {
			tuned++
		}
	}
	return -1
}

// as returns a parameter as the engine has it.
func (f *ForeignFile) as(name string) (param.Kind, bool) {
	at := slices.IndexFunc(f.asked, func(d tuner.Dimension) bool { return d.Name == name })
	if at < 0 {
		return 0, false
	}
	return f.asked[at].Kind, true
}

// write writes the study file.
func (f *ForeignFile) write(t Target) string {
	engine, own := t.Engine, false // own: the engines of the file
	if engine == "" && len(f.Engines) == 2 {
		engine, own = "engine1", true
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Imported from a file of %s.", f.Format)
	for _, note := range f.Notes {
		line("# %s", note)
	}
	if len(f.Still) > 0 {
		line("# Parameters whose step is 0 are not tuned and keep their values: tune.fix.")
	}
	line("version: 1\nname: %s", quote(t.Name))
	if engine == "" {
		f.external(line)
	} else {
		f.chess(line, engine, own)
	}
	games := f.Games
	if games == 0 {
		games = usualGames
	}
	line("budget: {games: %d}", max(games, 1000))
	return b.String()
}

// float returns a parameter that is a real number in the file, and an integer of the engine if
// whole is set; empty where none is.
func (f *ForeignFile) float(whole bool) string {
	for _, p := range f.Params {
		if kind, known := f.as(p.Name); p.Kind == "float" && (known && kind == param.Int) == whole {
			return p.Name
		}
	}
	return ""
}

// chess writes a study of an engine's options.
func (f *ForeignFile) chess(line func(string, ...any), engine string, own bool) {
	line("game: chess")
	baseline := engine
	if own {
		line("engines:")
		for i, e := range f.Engines {
			fresh := ""
			if e.Fresh {
				fresh = ", fresh: true"
			}
			line("  engine%d: {command: %s, options: %s%s}", i+1, quote(e.Command), values(e.Options), fresh)
		}
		baseline = "engine2"
	}
	var rules param.Values
	if f.Limit != "" {
		rules = append(rules, param.Value{Name: "limit", Text: f.Limit})
	}
	if f.Book != "" {
		rules = append(rules, param.Value{Name: "book", Text: f.Book})
	}
	if rules = append(rules, f.Rules...); len(rules) > 0 {
		line("rules: %s", values(rules))
	}
	if name := f.float(false); name != "" {
		line("# %s is a real number: the engine offers it as a string with a number, as Lc0 does.", strings.Map(plainRune, name))
		if f.asked == nil {
			line("# Where it is an integer of the engine, add int_scale: docs/engines.md.")
		}
	}
	if name := f.float(true); name != "" {
		line("# %s is a real number in the file and an integer of the engine: it is tuned as an integer, unless", strings.Map(plainRune, name))
		line("# int_scale is added: docs/engines.md.")
	}
	line("tune:\n  strategy: %s", quote(engine))
	if len(f.Still) > 0 {
		line("  fix: %s", values(f.Still))
	}
	line("  params:")
	var now param.Values
	for _, p := range f.Params {
		now = append(now, param.Value{Name: p.Name, Text: string(p.Default)})
		if _, still := f.Still.Get(p.Name); still {
			continue
		}
		if p.Kind == "choice" {
			line("    - {name: %s, choices: %s}", quote(p.Name), quote(p.Choices))
			continue
		}
		more := ""
		if kind, known := f.as(p.Name); p.Log {
			more = ", log: true"
		} else if known && kind == param.Float && p.Kind == "int" {
			more = ", step: 1" // it is a string of the engine
		}
		line("    - {name: %s, low: %s, high: %s%s}", quote(p.Name), short(p.Low), short(p.High), more)
	}
	if !f.Started {
		line("baseline: %s", quote(baseline))
		return
	}
	line("baseline: {strategy: %s, params: %s}", quote(baseline), values(now))
}

// external writes a study whose games are asked for and told.
func (f *ForeignFile) external(line func(string, ...any)) {
	line("game: external\ntune:\n  strategy: engine1")
	if len(f.Still) > 0 {
		line("  fix: %s", values(f.Still))
	}
	line("  declare:")
	for _, p := range f.Params {
		switch {
		case p.Kind == "choice":
			line("    - {name: %s, kind: choice, choices: %s, default: %s}", quote(p.Name), quote(p.Choices), quote(p.Default))
		default:
			log := ""
			if p.Log {
				log = ", log: true"
			}
			line("    - {name: %s, kind: %s, low: %s, high: %s, default: %s%s}", quote(p.Name), p.Kind, short(p.Low), short(p.High), p.Default, log)
		}
	}
	if f.Started {
		line("baseline: engine1")
		return
	}
	line("  others: [engine2]\nbaseline: engine2")
}

// values writes a list of names and values.
func values(all []param.Value) string {
	var parts []string
	for _, v := range all {
		parts = append(parts, fmt.Sprintf("{name: %s, value: %s}", quote(v.Name), quote(v.Text)))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// quote writes a text, or a list of texts, as JSON, which YAML reads.
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
