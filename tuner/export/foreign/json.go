package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"sakusen/engines/param"
)

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
func readJSON(m *mistakes, text []byte) *File {
	root, line, err := parse(text)
	if err != nil {
		m.add(line, "file", "JSON", strings.ReplaceAll(err.Error(), "\n", " "))
		return nil
	}
	if root.member("parameter_ranges") != nil || root.member("engines") != nil {
		return readChessTuning(m, root)
	}
	f := &File{Format: WeatherFactory, Started: true}
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
		value := math.Round(x["value"]) // which is what it plays
		if x["min_value"] < x["max_value"] && (value < x["min_value"] || value > x["max_value"]) {
			m.add(n.line, name+".value", fmt.Sprintf("a number from %s to %s", number(x["min_value"]), number(x["max_value"])), number(value))
			continue
		}
		f.take(m, n.line, param.Declared{Name: name, Kind: "int", Default: param.Text(number(value)), Low: x["min_value"], High: x["max_value"]})
	}
	return f
}
