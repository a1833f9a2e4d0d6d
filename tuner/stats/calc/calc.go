// Package calc is the calculators of package stats behind JSON lines: one
// object in, one object out, nothing kept in between. It is what `sakusen calc stats`
// reads from stdin and writes to stdout, and what runs the examples of
// docs/research/statistics.md.
//
//	out := calc.Answer([]byte(`{"op":"wilson","successes":81,"trials":263}`))
//	// {"lo":0.2553...,"hi":0.3662...}
//
// calc.go is the shell: it reads a line, fills in the fields of the operation that the
// line names, and writes the answer. An operation is a row of its table: a name, the
// fields with their defaults as a struct, and a function that calculates; calculators.go
// holds these. A line that cannot be answered gives
// {"error":"FIELD: expected X, got Y"}. Undefined numbers are null.
//
// Sources: those of package stats.
package calc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/stats"
)

// operation is one calculator.
type operation struct {
	name   string
	answer func(object map[string]json.RawMessage) (answer, error)
}

// answer is the fields of a result in the order in which they are written.
type answer []struct {
	name  string
	value any
}

// because adds the reason why numbers are undefined, where there is one.
func (a answer) because(reason string) answer {
	if reason == "" {
		return a
	}
	return append(a, answer{{"reason", reason}}...)
}

// row returns an operation that calculates from fields with these defaults: numbers,
// texts, and lists of numbers.
func row[Q any](name string, defaults Q, calculate func(*Q) (answer, error)) operation {
	return operation{name, func(object map[string]json.RawMessage) (answer, error) {
		q := defaults
		if err := fill(fieldsOf(reflect.ValueOf(&q).Elem()), object); err != nil {
			return nil, err
		}
		return calculate(&q)
	}}
}

// operations lists the operations in the order in which they are listed to people.
func operations() []operation {
	return []operation{
		row("sprt", sprt{test: usual()}, (*sprt).answer),
		row("elo", elo{}, (*elo).answer),
		row("wilson", wilson{Level: 0.95}, (*wilson).answer),
		row("friedman", friedman{}, (*friedman).answer),
		row("wilcoxon", wilcoxon{Alternative: "two-sided", Zeros: "drop"}, (*wilcoxon).answer),
		row("bradley_terry", bradleyTerry{}, (*bradleyTerry).answer),
	}
}

// Operations lists the names of all operations.
func Operations() []string {
	var names []string
	for _, op := range operations() {
		names = append(names, op.name)
	}
	return names
}

// Answer answers one line. The result is one JSON object without a newline; a
// bad line is answered by {"error":...} and is nothing to stop for.
func Answer(line []byte) []byte {
	a, err := ask(line)
	if err != nil {
		a = answer{{"error", err.Error()}}
	}
	out, err := a.encode()
	if err != nil { // only a number that is not finite gets here, and a stats.Number holds none
		out, _ = answer{{"error", "internal: " + err.Error()}}.encode()
	}
	return out
}

// encode returns the answer as JSON, signs as < as they are.
func (a answer) encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	before := "{"
	for _, f := range a {
		out.WriteString(before + strconv.Quote(f.name) + ":")
		before = ","
		if err := encoder.Encode(f.value); err != nil {
			return nil, err
		}
		out.Truncate(out.Len() - 1) // the encoder's newline
	}
	return append(out.Bytes(), '}'), nil
}

// ask reads a line and has its operation calculate.
func ask(line []byte) (answer, error) {
	object, err := parse(line)
	if err != nil {
		return nil, err
	}
	expected := "one of " + strings.Join(Operations(), ", ")
	raw, ok := object["op"]
	if !ok {
		if err := param.Misspelt(line, []string{"op"}); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("op: expected %s, got nothing", expected)
	}
	var name string
	if err := json.Unmarshal(raw, &name); err != nil {
		return nil, fmt.Errorf("op: expected %s, got %s", expected, short(raw))
	}
	for _, op := range operations() {
		if op.name == name {
			return op.answer(object)
		}
	}
	return nil, fmt.Errorf("op: expected %s, got %q", expected, name)
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

// short returns the beginning of a text, for an error.
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

// field is one field of an operation and where its value goes.
type field struct {
	name     string
	into     reflect.Value
	required bool
}

// fieldsOf returns the fields of a struct, those of embedded structs at their place:
// the tag json is the name, the tag need says that it must be given.
func fieldsOf(q reflect.Value) []field {
	var fields []field
	for i := range q.NumField() {
		t := q.Type().Field(i)
		if t.Anonymous {
			fields = append(fields, fieldsOf(q.Field(i))...)
			continue
		}
		fields = append(fields, field{t.Tag.Get("json"), q.Field(i), t.Tag.Get("need") != ""})
	}
	return fields
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
		expected, _ := kind(f.into.Type())
		raw, ok := object[f.name]
		if !ok || string(raw) == "null" {
			if f.required {
				return fmt.Errorf("%s: expected %s, got nothing", f.name, expected)
			}
			continue
		}
		if err := set(f.into, raw); err != nil {
			return fmt.Errorf("%s: expected %s, got %s", f.name, expected, short(raw))
		}
	}
	return nil
}

// set reads a value: a whole number, which may be written as a decimal string too, a
// number, a text, or a list of them. A null is none of these but an empty list in a list.
func set(into reflect.Value, raw json.RawMessage) error {
	switch into.Kind() {
	case reflect.Slice:
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return err
		}
		into.Set(reflect.MakeSlice(into.Type(), len(items), len(items)))
		for i := range items {
			if err := set(into.Index(i), items[i]); err != nil {
				return err
			}
		}
	case reflect.Int, reflect.Int64:
		text := string(raw)
		if unquoted, err := strconv.Unquote(text); err == nil {
			text = unquoted
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err
		}
		into.SetInt(n)
	case reflect.Float64:
		x, err := strconv.ParseFloat(string(raw), 64)
		if err != nil {
			return err
		}
		into.SetFloat(x)
	default:
		return json.Unmarshal(raw, into.Addr().Interface())
	}
	return nil
}

// kind reports what a field takes, for people: one of it, and several.
func kind(t reflect.Type) (one, several string) {
	switch t.Kind() {
	case reflect.Slice:
		_, several = kind(t.Elem())
		return "a list of " + several, "lists of " + several
	case reflect.Int, reflect.Int64:
		return "a whole number", "whole numbers"
	case reflect.Float64:
		return "a number", "numbers"
	}
	return "a text", "texts"
}

// pair returns an interval as a list of its ends, of which one may be undefined.
func pair(i stats.Interval) [2]stats.Number { return [2]stats.Number{i.Lo, i.Hi} }
