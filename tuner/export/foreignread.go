package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"sakusen/engines/lines"
	"sakusen/engines/param"
)

// readLines reads lines of OpenBench, "name, int, value, min, max, c_end, r_end", or of
// fishtest, "name,value,min,max,c_end,r_end". Empty lines and those that begin with #
// do not count.
func readLines(m *lines.LeftOut, text string) *ForeignFile {
	f := &ForeignFile{Format: OpenBench}
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
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) || math.Abs(x) > 1e15 {
		m.Add(line, field, "a number", fmt.Sprintf("%.40q", text))
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

// readJSON reads config.json of weather-factory.
func readJSON(m *lines.LeftOut, text []byte) *ForeignFile {
	root, line, err := parse(text)
	if err != nil {
		m.Add(line, "file", "JSON", strings.ReplaceAll(err.Error(), "\n", " "))
		return nil
	}
	f := &ForeignFile{Format: WeatherFactory}
	for i, name := range root.keys {
		n := root.members[i]
		if !n.is('{') {
			m.Add(n.line, name, `{"value": ..., "min_value": ..., "max_value": ..., "step": ...}`, fmt.Sprintf("%.40v", n.value))
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
			x[key] = cell(m, v.line, name+"."+key, fmt.Sprint(v.value))
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
		still := step != nil && cell(m, step.line, name+".step", fmt.Sprint(step.value)) == 0
		f.take(m, n.line, param.Declared{Name: name, Kind: "int", Default: param.Text(short(value)), Low: x["min_value"], High: x["max_value"]}, still)
	}
	return f
}
