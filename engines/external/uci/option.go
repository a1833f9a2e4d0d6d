package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Option is a setting that a program offers.
type Option struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // spin, check, combo, string, button, filename
	Default string   `json:"default"`
	Min     int64    `json:"min,string"` // of a spin
	Max     int64    `json:"max,string"`
	Vars    []string `json:"vars,omitempty"` // of a combo
}

// Setting is a value for an option.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Values are what an option takes, for people.
func (o *Option) Values() string {
	switch o.Type {
	case "spin":
		return fmt.Sprintf("%d..%d", o.Min, o.Max)
	case "check":
		return "true, false"
	case "combo":
		return strings.Join(o.Vars, ", ")
	}
	return o.Type
}

// optionWords are the words after which a part of an option's line begins. A name
// or a value may have spaces, and may not have these.
var optionWords = []string{"name", "type", "default", "min", "max", "var"}

// parseOption reads a line "option name N type T ...".
func parseOption(line string) (Option, error) {
	var o Option
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "option" || words[1] != "name" {
		return o, fmt.Errorf("expected \"option name ...\", got %q", line)
	}
	hasMin, hasMax := false, false
	for i := 1; i < len(words); {
		word := words[i]
		end := i + 1
		for end < len(words) && (!slices.Contains(optionWords, words[end]) || word == "name" && words[end] != "type") {
			end++
		}
		value := strings.Join(words[i+1:end], " ")
		var err error
		switch word {
		case "name":
			o.Name = value
		case "type":
			o.Type = value
		case "default":
			if o.Default = value; value == "<empty>" {
				o.Default = ""
			}
		case "min":
			o.Min, err = strconv.ParseInt(value, 10, 64)
			hasMin = true
		case "max":
			o.Max, err = strconv.ParseInt(value, 10, 64)
			hasMax = true
		case "var":
			o.Vars = append(o.Vars, value)
		}
		if err != nil {
			return o, fmt.Errorf("option %q: expected an integer after %s, got %q", o.Name, word, value)
		}
		i = end
	}
	return o, o.check(hasMin && hasMax)
}

// check refuses options that contradict themselves.
func (o *Option) check(bounded bool) error {
	bad := func(want string) error { return fmt.Errorf("option %q of type %s: expected %s", o.Name, o.Type, want) }
	if o.Name == "" {
		return fmt.Errorf("option: expected a name")
	}
	switch o.Type {
	case "spin":
		n, err := strconv.ParseInt(o.Default, 10, 64)
		if !bounded || err != nil || o.Min > o.Max || n < o.Min || n > o.Max {
			return bad(fmt.Sprintf("a default between min and max, got default %q, min %d, max %d", o.Default, o.Min, o.Max))
		}
	case "check":
		if o.Default != "true" && o.Default != "false" {
			return bad(fmt.Sprintf("true or false by default, got %q", o.Default))
		}
	case "combo":
		if !slices.Contains(o.Vars, o.Default) {
			return bad(fmt.Sprintf("a default among its values, got %q", o.Default))
		}
	case "string", "button", "filename":
	default:
		return bad("spin, check, combo, string, button or filename")
	}
	return nil
}

// Check tells whether an option takes a value.
func (o *Option) Check(value string) error {
	bad := func(want string) error { return fmt.Errorf("option %q: expected %s, got %q", o.Name, want, value) }
	if strings.ContainsAny(value, "\r\n") {
		return bad("one line")
	}
	switch o.Type {
	case "spin":
		if n, err := strconv.ParseInt(value, 10, 64); err != nil || n < o.Min || n > o.Max {
			return bad(fmt.Sprintf("an integer in %d..%d", o.Min, o.Max))
		}
	case "check":
		if value != "true" && value != "false" {
			return bad("true or false")
		}
	case "combo":
		if !slices.Contains(o.Vars, value) {
			return bad("one of " + strings.Join(o.Vars, ", "))
		}
	}
	return nil
}
