// Package calc is the calculators of package stats behind JSON lines: one
// object in, one object out, nothing kept in between. It is what `sakusen stats`
// reads from stdin and writes to stdout, and what runs the examples of
// docs/statistics.md.
//
//	out := calc.Answer([]byte(`{"op":"wilson","successes":81,"trials":263}`))
//	// {"lo":0.2553...,"hi":0.3662...}
//
// Each operation is a type with the fields it takes and a method that answers. A
// line that cannot be answered gives {"error":"FIELD: expected X, got Y"}.
// Undefined numbers are null.
//
// Sources: those of package stats.
package calc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sakusen/engines/param"
)

// operation is a question, made with its defaults.
type operation interface {
	// fields it takes, besides op.
	fields() []field
	// answer, once the fields are filled in.
	answer() (any, error)
}

// named is an operation's constructor.
type named struct {
	name string
	make func() operation
}

// operations in the order in which they are listed to people.
func operations() []named {
	return []named{
		{"sprt", func() operation { return newSPRT() }},
		{"elo", func() operation { return &elo{} }},
		{"wilson", func() operation { return &wilson{level: 0.95} }},
		{"friedman", func() operation { return &friedman{alpha: 0.05} }},
		{"wilcoxon", func() operation { return &wilcoxon{alternative: "two-sided", zeros: "drop"} }},
		{"bradley_terry", func() operation { return &bradleyTerry{} }},
		{"plackett_luce", func() operation { return &plackettLuce{} }},
		{"unbiased", func() operation { return newUnbiased() }},
		{"plan", func() operation { return newPlan() }},
		{"mean", func() operation { return &mean{per: 1} }},
		{"ratio", func() operation { return &ratio{scale: 1} }},
		{"worker", func() operation { return &worker{} }},
		{"workers", func() operation { return &workers{} }},
		{"halve", func() operation { return &halve{keep: 0.5} }},
		{"challenge", func() operation { return &challenge{alpha: 0.05, blocks: 64} }},
		{"incumbent", func() operation { return &incumbent{least: 1, z: 1.645} }},
		{"shared", func() operation { return &shared{} }},
		{"attempt", func() operation { return &attempt{} }},
		{"shrink", func() operation { return &shrink{} }},
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
	result, err := ask(line)
	if err != nil {
		return encode(struct {
			Error string `json:"error"`
		}{err.Error()})
	}
	return encode(result)
}

func encode(result any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		// Only a number that is not finite gets here, and a stats.Number holds none.
		return encode(struct {
			Error string `json:"error"`
		}{"internal: " + err.Error()})
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

func ask(line []byte) (any, error) {
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
			question := op.make()
			if err := fill(question.fields(), object); err != nil {
				return nil, err
			}
			return question.answer()
		}
	}
	return nil, fmt.Errorf("op: expected %s, got %q", expected, name)
}
