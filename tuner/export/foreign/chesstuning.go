package foreign

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"sakusen/engines/param"
)

// dimension is Real(0.0, 10.0), Integer(1, 5, prior='log-uniform'), Categorical([...]).
var dimension = regexp.MustCompile(`^\s*(Real|Integer|Categorical)\s*\((.*)\)\s*$`)

// prior is the argument that makes a range logarithmic.
var prior = regexp.MustCompile(`,\s*(prior\s*=\s*)?["']?(log-uniform|uniform)["']?\s*$`)

// readChessTuning reads the JSON of chess-tuning-tools: engine 1 is tuned against
// engine 2.
func readChessTuning(m *mistakes, root *node) *File {
	f := &File{Format: ChessTuning}
	ranges := root.member("parameter_ranges")
	if !ranges.is('{') {
		m.add(root.line, "parameter_ranges", `names with ranges, such as {"CPuct": "Real(0.0, 10.0)"}`, "none")
		return f
	}
	for i, name := range ranges.keys {
		n := ranges.members[i]
		text, _ := n.value.(string)
		if p, want := readDimension(name, text); want != "" {
			m.add(n.line, "parameter_ranges."+name, want, fmt.Sprintf("%.80q", fmt.Sprint(n.value)))
		} else {
			f.take(m, n.line, p)
		}
	}
	engines := root.member("engines")
	if engines != nil && (!engines.is('[') || len(engines.members) != 2) {
		m.add(engines.line, "engines", "a list of two: the tuned one and its opponent", fmt.Sprint(len(engines.members)))
		return f
	}
	for i := range 2 {
		if engines != nil {
			f.readEngine(m, i, engines.members[i])
		}
	}
	f.readLimit(m, root)
	if n := root.member("opening_file"); n != nil && n.value != nil {
		f.Book, _ = n.value.(string)
	}
	games := int64(2)
	for key, usual := range map[string]int64{"n_points": 500, "rounds": 10} {
		if n := root.member(key); n != nil {
			x := cell(m, n.line, key, fmt.Sprint(n.value))
			if x != math.Trunc(x) || x < 1 || x > 1e7 {
				m.add(n.line, key, "an integer from 1 to 1e7", fmt.Sprintf("%.40v", n.value))
				x = 1
			}
			games, f.Games = games*int64(x), 1
		} else {
			games *= usual
		}
	}
	f.Games *= games // 0 where neither is said
	return f
}

// readDimension reads a range. want says what was expected where it is none.
func readDimension(name, text string) (p param.Declared, want string) {
	p = param.Declared{Name: name}
	want = "Real(low, high), Integer(low, high) or Categorical([...])"
	parts := dimension.FindStringSubmatch(text)
	if parts == nil {
		return p, want
	}
	inner := parts[2]
	if at := prior.FindStringSubmatchIndex(inner); at != nil && parts[1] != "Categorical" {
		p.Log = inner[at[4]:at[5]] == "log-uniform"
		inner = inner[:at[0]]
	}
	if parts[1] == "Categorical" {
		inner = strings.ReplaceAll(strings.TrimSpace(inner), "'", `"`)
		inner = strings.NewReplacer("(", "[", ")", "]", "True", "true", "False", "false").Replace(inner)
		var some []any
		d := json.NewDecoder(strings.NewReader(inner))
		d.UseNumber()
		if d.Decode(&some) != nil || len(some) == 0 {
			return p, want
		}
		for _, c := range some {
			p.Choices = append(p.Choices, fmt.Sprint(c))
		}
		p.Kind, p.Default = "choice", param.Text(p.Choices[0])
		return p, ""
	}
	ends := strings.Split(inner, ",")
	if len(ends) != 2 {
		return p, want
	}
	var err, err2 error
	p.Low, err = strconv.ParseFloat(strings.TrimSpace(ends[0]), 64)
	p.High, err2 = strconv.ParseFloat(strings.TrimSpace(ends[1]), 64)
	if err != nil || err2 != nil || !(math.Abs(p.Low) <= 1e15 && math.Abs(p.High) <= 1e15) {
		return p, want
	}
	if p.Log && p.Low <= 0 {
		return p, "a logarithmic range above 0"
	}
	middle := (p.Low + p.High) / 2
	if p.Log {
		middle = math.Sqrt(p.Low * p.High)
	}
	p.Kind, p.Default = "float", param.Text(number(middle))
	if parts[1] == "Integer" {
		p.Kind, p.Default = "int", param.Text(number(math.Floor(middle)))
	}
	return p, ""
}

// readEngine reads a program with the options that it always has.
func (f *File) readEngine(m *mistakes, i int, n *node) {
	e := Engine{}
	command := n.member("command")
	if text, ok := "", false; command != nil {
		if text, ok = command.value.(string); ok {
			e.Command = strings.Fields(text)
		}
	}
	if len(e.Command) == 0 {
		m.add(n.line, fmt.Sprintf("engines[%d].command", i), "a program", "none")
	}
	if fixed := n.member("fixed_parameters"); fixed.is('{') {
		for j, name := range fixed.keys {
			e.Options = append(e.Options, param.Value{Name: name, Text: fmt.Sprint(fixed.members[j].value)})
		}
	}
	f.Engines = append(f.Engines, e)
}

// readLimit reads how long the engines think, which must be the same for both.
func (f *File) readLimit(m *mistakes, root *node) {
	var limits [2]string
	line := root.line
	for i := range limits {
		for key, word := range map[string]string{"tc": "clock:", "npm": "nodes:", "st": "movetime:", "depth": "depth:"} {
			n := root.member(fmt.Sprintf("engine%d_%s", i+1, key))
			if n == nil || n.value == nil {
				continue
			}
			line = n.line
			text := fmt.Sprint(n.value)
			if key == "st" { // seconds
				text = number(math.Round(1000 * cell(m, n.line, fmt.Sprintf("engine%d_st", i+1), text)))
			}
			if limits[i] != "" {
				m.add(n.line, fmt.Sprintf("engine%d_%s", i+1, key), "one limit for each engine", "a second one")
			}
			limits[i] = word + text
		}
	}
	if f.Limit = limits[0]; limits[1] != "" && limits[0] != limits[1] {
		m.add(line, "engine2_tc, engine2_npm, engine2_depth", "the limit of engine 1, "+fmt.Sprintf("%q", limits[0])+": in a study both have the same", fmt.Sprintf("%q", limits[1]))
	}
}
