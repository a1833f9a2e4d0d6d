package foreign

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"sakusen/engines/param"
)

// Target is what a study is made for.
type Target struct {
	Name string // of the study
	// Engine is the registry's name of the engine whose options are tuned, in chess. Where
	// it is empty and the file names no engines, or has parameters that are no options of
	// an engine, the games are played elsewhere: they are asked for and told.
	Engine string
}

// unplain are the characters that names of studies do not have.
var unplain = regexp.MustCompile(`[^a-z0-9._-]+`)

// NameOf is the name of a study by that of the file it comes from.
func NameOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	name = strings.Trim(unplain.ReplaceAllString(strings.ToLower(name), "-"), "._-")
	if name == "" {
		return "imported"
	}
	return name[:min(len(name), 80)]
}

// usualGames is the budget where the file says nothing.
const usualGames = 20000

// Study is the file as a study file, which runs as it stands.
func (f *File) Study(t Target) (string, error) {
	engine, own := t.Engine, false // own: the engines of the file
	if engine == "" && len(f.Engines) == 2 && f.float() == "" {
		engine, own = "engine1", true
	}
	if name := f.float(); engine != "" && name != "" {
		return "", fmt.Errorf("%s: expected a whole number, a switch or a choice, got a real number: those are no options of UCI engines that can be tuned. Leave out --engine, and the games are played elsewhere and told; or, if the engine has an integer option for it, write a study with int_scale", name)
	}
	if engine == "" {
		for _, p := range f.Params {
			if err := p.Check(); err != nil {
				return "", err
			}
		}
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Imported from a file of %s.", f.Format)
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
	return b.String(), nil
}

// float is a parameter that is a real number, empty where none is.
func (f *File) float() string {
	for _, p := range f.Params {
		if p.Kind == "float" || p.Log {
			return p.Name
		}
	}
	return ""
}

// chess writes a study of an engine's options.
func (f *File) chess(line func(string, ...any), engine string, own bool) {
	line("game: chess")
	baseline := engine
	if own {
		line("engines:")
		for i, e := range f.Engines {
			line("  engine%d: {command: %s, options: %s}", i+1, quote(e.Command), values(e.Options))
		}
		baseline = "engine2"
	}
	var rules param.Values
	if f.Limit != "" {
		rules = append(rules, param.Value{Name: "limit", Text: f.Limit})
	}
	if strings.HasSuffix(strings.ToLower(f.Book), ".epd") {
		rules = append(rules, param.Value{Name: "book", Text: f.Book})
	} else if f.Book != "" {
		line("# The openings of %s are not used: books are files in EPD.", strings.Map(plainRune, f.Book))
	}
	if len(rules) > 0 {
		line("rules: %s", values(rules))
	}
	line("tune:\n  strategy: %s\n  params:", quote(engine))
	var now param.Values
	for _, p := range f.Params {
		if p.Kind == "choice" {
			line("    - {name: %s, choices: %s}", quote(p.Name), quote(p.Choices))
		} else {
			line("    - {name: %s, low: %s, high: %s}", quote(p.Name), number(p.Low), number(p.High))
		}
		now = append(now, param.Value{Name: p.Name, Text: string(p.Default)})
	}
	if !f.Started {
		line("baseline: %s", quote(baseline))
		return
	}
	line("baseline: {strategy: %s, params: %s}", quote(baseline), values(now))
}

// external writes a study whose games are asked for and told.
func (f *File) external(line func(string, ...any)) {
	line("game: external\ntune:\n  strategy: engine1\n  declare:")
	for _, p := range f.Params {
		switch {
		case p.Kind == "choice":
			line("    - {name: %s, kind: choice, choices: %s, default: %s}", quote(p.Name), quote(p.Choices), quote(p.Default))
		default:
			log := ""
			if p.Log {
				log = ", log: true"
			}
			line("    - {name: %s, kind: %s, low: %s, high: %s, default: %s%s}", quote(p.Name), p.Kind, number(p.Low), number(p.High), p.Default, log)
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
