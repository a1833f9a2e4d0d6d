package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"sakusen/engines/param"
)

// readLines reads lines of OpenBench, "name, int, value, min, max, c_end, r_end", or of
// fishtest, "name,value,min,max,c_end,r_end". Empty lines and those that begin with #
// do not count.
func readLines(m *mistakes, text string) *ForeignFile {
	f := &ForeignFile{Format: OpenBench, Started: true}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, ","), ",")
		for j := range cells {
			cells[j] = strings.TrimSpace(cells[j])
		}
		kind := "int"
		switch {
		case len(cells) == 7:
			if kind = cells[1]; kind != "int" && kind != "float" {
				m.add(i+1, "type", "int or float", fmt.Sprintf("%.40q", kind))
				continue
			}
			cells = append(cells[:1], cells[2:]...)
		case len(cells) == 6:
			f.Format = Fishtest
		default:
			m.add(i+1, "line", "name, int or float, value, min, max, c_end, r_end (OpenBench), or the same without a type (fishtest)", fmt.Sprintf("%d fields", len(cells)))
			continue
		}
		before := len(m.all) + m.more
		var x [5]float64
		for j, field := range []string{"value", "min", "max", "c_end", "r_end"} {
			x[j] = cell(m, i+1, field, cells[j+1])
		}
		if len(m.all)+m.more > before {
			continue
		}
		value := x[0]
		if kind == "int" {
			value = math.Round(value) // a file written during a tune holds fractions
		}
		if x[1] < x[2] && (value < x[1] || value > x[2]) {
			m.add(i+1, "value", fmt.Sprintf("a number from %s to %s", short(x[1]), short(x[2])), short(value))
			continue
		}
		f.take(m, i+1, param.Declared{Name: cells[0], Kind: kind, Default: param.Text(short(value)), Low: x[1], High: x[2]})
	}
	return f
}

// cell reads a finite number.
func cell(m *mistakes, line int, field, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || math.Abs(x) > 1e15 {
		m.add(line, field, "a number", fmt.Sprintf("%.40q", text))
	}
	return x
}

// short writes a number without an exponent where it is short.
func short(x float64) string {
	if math.Abs(x) >= 1e-6 || x == 0 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// node is JSON with its lines, and with members in their order.
type node struct {
	line    int
	value   any // string, json.Number, bool, nil; '{' or '[' as json.Delim
	keys    []string
	members []*node
}

// mostDepth bounds how deeply JSON is nested.
const mostDepth = 32

// parse reads a JSON document.
func parse(text []byte) (*node, int, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	line := func() int { return 1 + bytes.Count(text[:min(int(d.InputOffset()), len(text))], []byte("\n")) }
	var value func(depth int) (*node, error)
	value = func(depth int) (*node, error) {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		n := &node{line: line(), value: t}
		open, nested := t.(json.Delim)
		if !nested {
			return n, nil
		}
		if depth == 0 {
			return nil, fmt.Errorf("expected at most %d levels", mostDepth)
		}
		for d.More() {
			if open == '{' {
				key, err := d.Token()
				if err != nil {
					return nil, err
				}
				n.keys = append(n.keys, key.(string))
			}
			m, err := value(depth - 1)
			if err != nil {
				return nil, err
			}
			n.members = append(n.members, m)
		}
		_, err = d.Token()
		return n, err
	}
	n, err := value(mostDepth)
	if err == nil {
		if _, more := d.Token(); more == nil {
			err = fmt.Errorf("expected one document")
		}
	}
	return n, line(), err
}

// member is a value by its key, nil where there is none.
func (n *node) member(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.members[i]
		}
	}
	return nil
}

func (n *node) is(open json.Delim) bool { return n != nil && n.value == open }

// readJSON reads config.json of weather-factory or the JSON of chess-tuning-tools.
func readJSON(m *mistakes, text []byte) *ForeignFile {
	root, line, err := parse(text)
	if err != nil {
		m.add(line, "file", "JSON", strings.ReplaceAll(err.Error(), "\n", " "))
		return nil
	}
	if root.member("parameter_ranges") != nil || root.member("engines") != nil {
		return readChessTuning(m, root)
	}
	f := &ForeignFile{Format: WeatherFactory, Started: true}
	for i, name := range root.keys {
		n := root.members[i]
		if !n.is('{') {
			m.add(n.line, name, `{"value": ..., "min_value": ..., "max_value": ..., "step": ...}`, fmt.Sprintf("%.40v", n.value))
			continue
		}
		before := len(m.all) + m.more
		for j, key := range n.keys {
			if !strings.Contains(" value min_value max_value step elo_per_val ", " "+key+" ") {
				m.add(n.members[j].line, name+"."+key, "value, min_value, max_value or step", fmt.Sprintf("%.40q", key))
			}
		}
		x := map[string]float64{}
		for _, key := range []string{"value", "min_value", "max_value"} {
			v := n.member(key)
			if v == nil {
				m.add(n.line, name+"."+key, "a number", "nothing")
				continue
			}
			x[key] = cell(m, v.line, name+"."+key, fmt.Sprint(v.value))
		}
		if len(m.all)+m.more > before {
			continue
		}
		value := math.Round(x["value"]) // weather-factory plays the nearest integer
		if x["min_value"] < x["max_value"] && (value < x["min_value"] || value > x["max_value"]) {
			m.add(n.line, name+".value", fmt.Sprintf("a number from %s to %s", short(x["min_value"]), short(x["max_value"])), short(value))
			continue
		}
		f.take(m, n.line, param.Declared{Name: name, Kind: "int", Default: param.Text(short(value)), Low: x["min_value"], High: x["max_value"]})
	}
	return f
}

// dimension is Real(0.0, 10.0), Integer(1, 5, prior='log-uniform'), Categorical([...]).
var dimension = regexp.MustCompile(`^\s*(Real|Integer|Categorical)\s*\((.*)\)\s*$`)

// prior is the argument that makes a range logarithmic.
var prior = regexp.MustCompile(`,\s*(prior\s*=\s*)?["']?(log-uniform|uniform)["']?\s*$`)

// readChessTuning reads the JSON of chess-tuning-tools: engine 1 is tuned against
// engine 2.
func readChessTuning(m *mistakes, root *node) *ForeignFile {
	f := &ForeignFile{Format: ChessTuning}
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
	p.Kind, p.Default = "float", param.Text(short(middle))
	if parts[1] == "Integer" {
		p.Kind, p.Default = "int", param.Text(short(math.Floor(middle)))
	}
	return p, ""
}

// readEngine reads a program with the options that it always has.
func (f *ForeignFile) readEngine(m *mistakes, i int, n *node) {
	e := ForeignEngine{}
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
func (f *ForeignFile) readLimit(m *mistakes, root *node) {
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
				text = short(math.Round(1000 * cell(m, n.line, fmt.Sprintf("engine%d_st", i+1), text)))
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
