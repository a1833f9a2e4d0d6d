package param

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Declared is a parameter of a program of somebody else, as a handshake, the
// registry or a study file declares it; the fields are those of
// `sakusen strategies --json`.
type Declared struct {
	Name    string   `json:"name" yaml:"name"`
	Kind    string   `json:"kind" yaml:"kind"` // int, float, bool, choice
	Doc     string   `json:"doc" yaml:"doc"`
	Default Text     `json:"default" yaml:"default"`
	Low     float64  `json:"low" yaml:"low"`
	High    float64  `json:"high" yaml:"high"`
	Step    float64  `json:"step" yaml:"step"`
	Log     bool     `json:"log" yaml:"log"`
	Choices []string `json:"choices" yaml:"choices"`
}

// Text is a value, written as a text, a number or a switch.
type Text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *Text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, (*string)(t))
	}
	*t = Text(b)
	return nil
}

// Check finds mistakes.
func (p *Declared) Check() error {
	_, err := Bind(func(f *Fields) { p.Declare(f) })
	return err
}

// Declare declares the parameter; the function that it returns gives its value as
// JSON, once one is assigned.
func (p *Declared) Declare(f *Fields) (value func() json.RawMessage) {
	doc := p.Doc
	if doc == "" {
		doc = "parameter of the program"
	}
	d := Domain{Low: p.Low, High: p.High, Step: p.Step, Log: p.Log}
	refuse := func(want string) func() json.RawMessage {
		f.Refuse(fmt.Errorf("parameter %q of kind %q: expected %s", p.Name, p.Kind, want))
		return func() json.RawMessage { return nil }
	}
	if p.Name == "" || strings.ContainsAny(p.Name, `(),="`) {
		return refuse(`a name without ( ) , = and "`)
	}
	switch p.Kind {
	case "int":
		def, err := strconv.Atoi(string(p.Default))
		if err != nil {
			return refuse("an integer by default, got " + string(p.Default))
		}
		v := new(int)
		f.Int(v, p.Name, def, d, doc)
		return func() json.RawMessage { return strconv.AppendInt(nil, int64(*v), 10) }
	case "float":
		def, err := strconv.ParseFloat(string(p.Default), 64)
		if err != nil {
			return refuse("a number by default, got " + string(p.Default))
		}
		v := new(float64)
		f.Float(v, p.Name, def, d, doc)
		return func() json.RawMessage { return strconv.AppendFloat(nil, *v, 'g', -1, 64) }
	case "bool":
		if p.Default != "true" && p.Default != "false" {
			return refuse("true or false by default, got " + string(p.Default))
		}
		v := new(bool)
		f.Bool(v, p.Name, p.Default == "true", doc)
		return func() json.RawMessage { return strconv.AppendBool(nil, *v) }
	case "choice":
		if !slices.Contains(p.Choices, string(p.Default)) {
			return refuse("a default among its choices, got " + string(p.Default))
		}
		v := new(string)
		f.Choice(v, p.Name, string(p.Default), p.Choices, doc)
		return func() json.RawMessage { text, _ := json.Marshal(*v); return text }
	}
	return refuse("int, float, bool or choice")
}
