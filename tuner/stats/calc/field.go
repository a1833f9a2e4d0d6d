package calc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
)

// field is one field of an operation and where its value goes: a pointer to one
// of the types of kind.
type field struct {
	name     string
	into     any
	required bool
}

// integer is a whole number, written as a number or as a decimal string.
type integer int64

func (n *integer) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return errors.New("null")
	}
	s := string(text)
	if unquoted, err := strconv.Unquote(s); err == nil {
		s = unquoted
	}
	x, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return err
	}
	*n = integer(x)
	return nil
}

// real is a number; unlike float64 it refuses null.
type real float64

func (r *real) UnmarshalJSON(text []byte) error {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return err
	}
	*r = real(x)
	return nil
}

// floats converts a list.
func floats(list []real) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = float64(x)
	}
	return out
}

// table converts a list of lists.
func table(rows [][]real) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = floats(row)
	}
	return out
}

// integers converts a list.
func integers(list []integer) []int64 {
	out := make([]int64, len(list))
	for i, x := range list {
		out[i] = int64(x)
	}
	return out
}

// kind says what a field takes, for people.
func kind(into any) string {
	switch into.(type) {
	case *real:
		return "a number"
	case *integer:
		return "a whole number"
	case *string:
		return "a text"
	case *[]integer:
		return "a list of whole numbers"
	case *[]real:
		return "a list of numbers"
	case *[][]real:
		return "a list of lists of numbers"
	case *[][]integer:
		return "a list of lists of whole numbers"
	}
	return "another value"
}

// parse reads one JSON object and nothing after it. Numbers may be written as
// people write them, .05 for 0.05, which JSON does not allow.
func parse(line []byte) (map[string]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	var object map[string]json.RawMessage
	err := decoder.Decode(&object)
	if err != nil {
		decoder = json.NewDecoder(bytes.NewReader(leadZeros(line)))
		object = nil
		err = decoder.Decode(&object)
	}
	if err != nil || object == nil {
		return nil, fmt.Errorf("line: expected a JSON object, got %s", short(line))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line: expected one JSON object, got more after it")
	}
	return object, nil
}

// leadZeros writes a 0 before every decimal point outside strings that has no
// digit before it.
func leadZeros(line []byte) []byte {
	var out []byte
	quoted := false
	for i, c := range line {
		switch {
		case c == '"' && (i == 0 || line[i-1] != '\\'):
			quoted = !quoted
		case c == '.' && !quoted && (i == 0 || line[i-1] < '0' || line[i-1] > '9'):
			out = append(out, '0')
		}
		out = append(out, c)
	}
	return out
}

// fill puts the object's values where they go.
func fill(fields []field, object map[string]json.RawMessage) error {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	var unknown []string
	for name := range object {
		if name != "op" && !slices.Contains(names, name) {
			unknown = append(unknown, name)
		}
	}
	if unknown != nil {
		slices.Sort(unknown)
		err := fmt.Errorf("%s: expected only the fields %s", unknown[0], strings.Join(names, ", "))
		if near, ok := param.Nearest(unknown[0], names); ok {
			err = fmt.Errorf("%w (did you mean %s?)", err, near)
		}
		return err
	}
	for _, f := range fields {
		raw, ok := object[f.name]
		if !ok || string(raw) == "null" {
			if f.required {
				return fmt.Errorf("%s: expected %s, got nothing", f.name, kind(f.into))
			}
			continue
		}
		if err := json.Unmarshal(raw, f.into); err != nil {
			return fmt.Errorf("%s: expected %s, got %s", f.name, kind(f.into), short(raw))
		}
	}
	return nil
}

// short is the beginning of a text, for an error.
func short(raw []byte) string {
	s := strings.ToValidUTF8(strings.TrimSpace(string(raw)), "?")
	if s == "" {
		return "nothing"
	}
	if runes := []rune(s); len(runes) > 40 {
		return string(runes[:40]) + "..."
	}
	return s
}
