package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/lines"
	"sakusen/engines/param"
	"sakusen/engines/plain"
)

// readLines reads lines of OpenBench, "name, int, value, min, max, c_end, r_end", or of
// fishtest, "name,value,min,max,c_end,r_end". Empty lines and those that begin with #
// do not count.
func readLines(m *lines.LeftOut, text string) *ForeignFile {
	f := &ForeignFile{Format: OpenBench, Started: true}
	for i, line := range strings.Split(text, "\n") {
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
				m.Add(i+1, "type", "int or float", fmt.Sprintf("%.40q", kind))
				continue
			}
			cells = append(cells[:1], cells[2:]...)
		case len(cells) == 6:
			f.Format = Fishtest
		default:
			m.Add(i+1, "line", "name, int or float, value, min, max, c_end, r_end (OpenBench), or the same without a type (fishtest)", fmt.Sprintf("%d fields", len(cells)))
			continue
		}
		before := m.Count()
		var x [5]float64
		for j, field := range []string{"value", "min", "max", "c_end", "r_end"} {
			x[j] = cell(m, i+1, field, cells[j+1])
		}
		if x[3] < 0 {
			m.Add(i+1, "c_end", "a number from 0 on", short(x[3]))
		}
		if m.Count() > before {
			continue
		}
		value := x[0]
		if kind == "int" {
			value = math.Round(value) // a file written during a tune holds fractions
		}
		if x[1] < x[2] && (value < x[1] || value > x[2]) {
			m.Add(i+1, "value", fmt.Sprintf("a number from %s to %s", short(x[1]), short(x[2])), short(value))
			continue
		}
		f.take(m, i+1, param.Declared{Name: cells[0], Kind: kind, Default: param.Text(short(value)), Low: x[1], High: x[2]}, x[3] == 0)
	}
	return f
}

// cell reads a finite number.
func cell(m *lines.LeftOut, line int, field, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || math.Abs(x) > 1e15 || strings.ContainsAny(text, "_xX") {
		m.Add(line, field, "a number", fmt.Sprintf("%.40q", text))
	}
	return x
}

// number reads a finite number.
func (n *node) number(m *lines.LeftOut, field string) float64 {
	if text, ok := n.value.(string); ok {
		return cell(m, n.line, field, text)
	} else if number, ok := n.value.(json.Number); ok {
		return cell(m, n.line, field, string(number))
	}
	m.Add(n.line, field, "a number", n.json())
	return 0
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
	at, lines := 0, 1
	line := func() int {
		end := min(int(d.InputOffset()), len(text))
		lines += bytes.Count(text[at:end], []byte("\n"))
		at = end
		return lines
	}
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
		seen := map[string]bool{}
		for d.More() {
			if open == '{' {
				key, err := d.Token()
				if err != nil {
					return nil, err
				}
				name := key.(string)
				if seen[name] {
					return nil, fmt.Errorf("expected each key once, got %.40q again", name)
				}
				seen[name] = true
				n.keys = append(n.keys, name)
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
		if _, more := d.Token(); more != io.EOF {
			err = fmt.Errorf("expected one document")
		}
	}
	return n, line(), err
}

// member returns a value by its key, nil where there is none.
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
func readJSON(m *lines.LeftOut, text []byte) *ForeignFile {
	root, line, err := parse(text)
	if err != nil {
		m.Add(line, "file", "JSON", strings.ReplaceAll(err.Error(), "\n", " "))
		return nil
	}
	if !root.is('{') {
		m.Add(root.line, "file", "a JSON object", root.json())
		return nil
	}
	if root.member("parameter_ranges") != nil || root.member("engines") != nil {
		return readChessTuning(m, root)
	}
	f := &ForeignFile{Format: WeatherFactory, Started: true}
	for i, name := range root.keys {
		n := root.members[i]
		if !n.is('{') {
			m.Add(n.line, name, `{"value": ..., "min_value": ..., "max_value": ..., "step": ...}`, n.json())
			continue
		}
		before := m.Count()
		for j, key := range n.keys {
			if !strings.Contains(" value min_value max_value step elo_per_val ", " "+key+" ") {
				m.Add(n.members[j].line, name+"."+key, "value, min_value, max_value or step", fmt.Sprintf("%.40q", key))
			}
		}
		x := map[string]float64{}
		for _, key := range []string{"value", "min_value", "max_value"} {
			v := n.member(key)
			if v == nil {
				m.Add(n.line, name+"."+key, "a number", "nothing")
				continue
			}
			x[key] = v.number(m, name+"."+key)
		}
		if m.Count() > before {
			continue
		}
		value := math.Round(x["value"]) // weather-factory plays the nearest integer
		if x["min_value"] < x["max_value"] && (value < x["min_value"] || value > x["max_value"]) {
			m.Add(n.line, name+".value", fmt.Sprintf("a number from %s to %s", short(x["min_value"]), short(x["max_value"])), short(value))
			continue
		}
		step := n.member("step")
		size := 1.
		if step != nil {
			size = step.number(m, name+".step")
		}
		if size < 0 {
			m.Add(step.line, name+".step", "a number from 0 on", short(size))
			continue
		}
		f.take(m, n.line, param.Declared{Name: name, Kind: "int", Default: param.Text(short(value)), Low: x["min_value"], High: x["max_value"]}, size == 0)
	}
	return f
}

// readChessTuning reads the JSON of chess-tuning-tools: engine 1 is tuned against
// engine 2.
func readChessTuning(m *lines.LeftOut, root *node) *ForeignFile {
	f := &ForeignFile{Format: ChessTuning}
	ranges := root.member("parameter_ranges")
	if !ranges.is('{') {
		m.Add(root.line, "parameter_ranges", `names with ranges, such as {"CPuct": "Real(0.0, 10.0)"}`, "none")
		return f
	}
	for i, name := range ranges.keys {
		n := ranges.members[i]
		text, _ := n.value.(string)
		if p, want := readDimension(name, text); want != "" {
			m.Add(n.line, "parameter_ranges."+name, want, n.json())
		} else if strings.Contains(name, "=") {
			m.Add(n.line, "parameter_ranges."+name, "the name of an option: parts of composite ones have no counterpart", fmt.Sprintf("%.80q", name))
		} else {
			f.take(m, n.line, p, false)
		}
	}
	engines := root.member("engines")
	if engines != nil && (!engines.is('[') || len(engines.members) != 2) {
		m.Add(engines.line, "engines", "a list of two: the tuned one and its opponent", fmt.Sprint(len(engines.members)))
		return f
	}
	for i := range 2 {
		if engines != nil {
			f.readEngine(m, i, engines.members[i])
		}
	}
	f.readLimit(m, root)
	f.readRules(m, root)
	games := int64(2)
	for key, usual := range map[string]int64{"n_points": 500, "rounds": 10} {
		if n := root.member(key); n != nil {
			x := n.number(m, key)
			if x != math.Trunc(x) || x < 1 || x > 1e7 {
				m.Add(n.line, key, "an integer from 1 to 1e7", fmt.Sprintf("%.40v", n.value))
				x = 1
			}
			games, f.Games = games*int64(x), 1
		} else {
			games *= usual
		}
	}
	f.unknown(m, root)
	f.Games *= games // 0 where neither is said
	return f
}

// ctKeys are the keys of chess-tuning-tools that are read, those of each engine after engine1_ or engine2_.
var ctKeys = strings.Fields("engines parameter_ranges n_points rounds adjudicate_draws draw_score draw_movecount draw_movenumber " +
	"adjudicate_resign resign_score resign_movecount resign_twosided adjudicate_tb timemargin opening_file variant tc npm st depth ponder restart")

// unknown notes what else the file says.
func (f *ForeignFile) unknown(m *lines.LeftOut, root *node) {
	var names []string
	for i, key := range root.keys {
		bare := strings.TrimPrefix(strings.TrimPrefix(key, "engine1_"), "engine2_")
		if !slices.Contains(ctKeys, bare) {
			names = append(names, quote(fmt.Sprintf("%.40s", key)))
		} else if text, _ := root.members[i].value.(string); key == "variant" && text != "standard" && text != "chess" && text != "" {
			m.Add(root.members[i].line, key, "standard", root.members[i].json())
		}
	}
	if more := len(names) - 20; more > 0 {
		names = append(names[:20], fmt.Sprintf("and %d more", more))
	}
	if len(names) > 0 {
		f.Notes = append(f.Notes, "Without a counterpart, and left out: "+strings.Join(names, ", ")+".")
	}
}

// readEngine reads a program with the options that it always has.
func (f *ForeignFile) readEngine(m *lines.LeftOut, i int, n *node) {
	e := ForeignEngine{}
	if command := n.member("command"); command != nil {
		text, _ := command.value.(string)
		e.Command = plain.Command(text)
	}
	if len(e.Command) == 0 {
		m.Add(n.line, fmt.Sprintf("engines[%d].command", i), "a program", "none")
	}
	if fixed := n.member("fixed_parameters"); fixed.is('{') {
		for j, name := range fixed.keys {
			v := fixed.members[j]
			switch v.value.(type) {
			case string, json.Number, bool:
				e.Options = append(e.Options, param.Value{Name: name, Text: fmt.Sprint(v.value)})
			default:
				m.Add(v.line, fmt.Sprintf("engines[%d].fixed_parameters.%s", i, name), "a text, a number or a switch", v.json())
			}
		}
	}
	if fixed := n.member("fixed_parameters"); fixed != nil && fixed.value != nil && !fixed.is('{') {
		m.Add(fixed.line, fmt.Sprintf("engines[%d].fixed_parameters", i), "an object of names and values", fixed.json())
	}
	f.Engines = append(f.Engines, e)
}

// json returns what a value is, for people.
func (n *node) json() string {
	switch v := n.value.(type) {
	case nil:
		return "null"
	case json.Delim:
		return map[json.Delim]string{'{': "an object", '[': "a list"}[v]
	}
	return fmt.Sprintf("%.40q", fmt.Sprint(n.value))
}

// readLimit reads how long the engines think, which must be the same for both.
func (f *ForeignFile) readLimit(m *lines.LeftOut, root *node) {
	var limits [2]string
	line := root.line
	for i := range limits {
		endless := false
		for _, key := range []string{"tc", "npm", "st", "depth"} {
			field := fmt.Sprintf("engine%d_%s", i+1, key)
			n := root.member(field)
			if n == nil || n.value == nil {
				continue
			}
			text := strings.TrimSpace(fmt.Sprint(n.value))
			if key == "tc" && text == "inf" {
				endless = true
				continue
			}
			line = n.line
			limit, ok := "", false
			x, err := strconv.ParseFloat(text, 64)
			whole := err == nil && x >= 1 && x <= 1e15 && x == math.Trunc(x)
			want := "an integer from 1 on"
			switch key {
			case "tc":
				limit, ok = readClock(text)
				want = "SECONDS+SECONDS or MINUTES:SECONDS+SECONDS for the whole game: so many moves in a time have no counterpart here"
			case "npm":
				limit, ok = "nodes:"+short(x), whole
			case "depth":
				limit, ok = "depth:"+short(x), whole
			case "st":
				limit, ok = "movetime:"+short(math.Round(1000*x)), err == nil && x >= 0.001 && x <= 86400
				want = "seconds from 0.001 on"
			}
			if !ok {
				m.Add(n.line, field, want, fmt.Sprintf("%.40q", text))
			} else if limits[i] != "" {
				m.Add(n.line, field, "one limit for each engine", "a second one")
			}
			limits[i] = limit
		}
		if field := fmt.Sprintf("engine%d_tc", i+1); endless && limits[i] == "" {
			m.Add(root.member(field).line, field, "a time, or a limit in nodes, depth or seconds a move beside inf", `"inf"`)
		}
	}
	if f.Limit = limits[0]; limits[0] != limits[1] {
		m.Add(line, "engine2_tc, engine2_npm, engine2_st, engine2_depth", "the limit of engine 1, "+fmt.Sprintf("%q", limits[0])+": in a study both have the same", fmt.Sprintf("%q", limits[1]))
	}
}

// readRules reads what else has a counterpart among the rules of chess, with the defaults of
// chess-tuning-tools, and notes what has none.
func (f *ForeignFile) readRules(m *lines.LeftOut, root *node) {
	number := func(key, rule string, usual, low, high float64) {
		x := usual
		if n := root.member(key); n != nil && n.value != nil {
			before := m.Count()
			if x = n.number(m, key); m.Count() == before && (x != math.Trunc(x) || x < low || x > high) {
				m.Add(n.line, key, fmt.Sprintf("an integer from %g to %g", low, high), n.json())
			}
		}
		f.Rules = append(f.Rules, param.Value{Name: rule, Text: short(x)})
	}
	on := func(key string) bool {
		n := root.member(key)
		if n != nil && n.value != nil && !slices.Contains([]any{true, false, "on", "off", "true", "false"}, n.value) {
			m.Add(n.line, key, "true or false", n.json())
		}
		return n != nil && (n.value == true || n.value == "on" || n.value == "true")
	}
	if on("adjudicate_draws") {
		number("draw_score", "draw", 8, 1, 1e5)
		number("draw_movecount", "draw_moves", 10, 1, 100)
		number("draw_movenumber", "draw_from", 1, 1, 1000)
	}
	if on("adjudicate_resign") {
		number("resign_score", "resign", 550, 1, 1e5)
		number("resign_movecount", "resign_moves", 3, 1, 100)
		f.Rules = append(f.Rules, param.Value{Name: "resign_both", Text: strconv.FormatBool(on("resign_twosided"))})
	}
	if n := root.member("timemargin"); n != nil && n.value != nil {
		number("timemargin", "margin", 0, 0, 60000)
	}
	for key, note := range map[string]string{
		"adjudicate_tb":  "Games are not ended by tablebases, as adjudicate_tb says: there is no counterpart.",
		"engine1_ponder": "Engine 1 does not ponder: there is no counterpart.",
		"engine2_ponder": "Engine 2 does not ponder: there is no counterpart.",
	} {
		if on(key) {
			f.Notes = append(f.Notes, note)
		}
	}
	slices.Sort(f.Notes)
	for i := range f.Engines {
		f.Engines[i].Fresh = on(fmt.Sprintf("engine%d_restart", i+1))
	}
	if n := root.member("opening_file"); n != nil && n.value != nil {
		f.Book, _ = n.value.(string)
		switch strings.ToLower(filepath.Ext(f.Book)) {
		case "", ".bin", ".abk", ".ctg", ".cbh", ".7z":
			m.Add(n.line, "opening_file", "a book in EPD or PGN", n.json())
		}
	}
}
