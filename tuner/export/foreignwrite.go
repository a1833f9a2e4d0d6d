package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"sakusen/engines/param"
	"sakusen/engines/plain"
)

// Tuned is a parameter with its range and the value that a study has found.
type Tuned struct {
	param.Param
	Value string
}

// rEnd is the learning rate at the end that OpenBench and fishtest propose.
const rEnd = "0.002"

// foreign returns the function that writes a format of another tuner.
func foreign(format string) func(io.Writer, *Document) error {
	return func(w io.Writer, d *Document) error {
		if len(d.Tuned) == 0 && len(d.Values) > 0 {
			return fmt.Errorf("%s: expected a tuned parameter of more than one value, got none", format)
		}
		text, err := writeForeign(format, d)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
}

// writeForeign writes what a study has found as input of another tuner: it goes on from the
// values, in the same ranges. Steps are a twentieth of a range, as those tools
// propose.
func writeForeign(format string, d *Document) ([]byte, error) {
	all := d.Tuned
	var b bytes.Buffer
	for i, p := range all {
		if p.Kind == param.Int || p.Kind == param.Float || format == ChessTuning {
			continue
		}
		return nil, fmt.Errorf("%s: expected numbers, got %s, which is a %s: the form %s has numbers only", format, all[i].Name, p.Kind, format)
	}
	switch format {
	case OpenBench, Fishtest:
		for _, p := range all {
			if strings.Contains(p.Name, ",") || strings.ContainsFunc(p.Name, unicode.IsControl) {
				return nil, fmt.Errorf("%s: expected names without commas and control characters, got %q", format, p.Name)
			}
			if format == OpenBench {
				fmt.Fprintf(&b, "%s, %s, %s, %s, %s, %s, %s\n", p.Name, p.Kind, p.Value, short(p.Domain.Low), short(p.Domain.High), short(p.step()), rEnd)
				continue
			}
			if p.Kind != param.Int {
				return nil, fmt.Errorf("fishtest: expected whole numbers, got %s, which is a %s", p.Name, p.Kind)
			}
			fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s\n", p.Name, p.Value, short(p.Domain.Low), short(p.Domain.High), short(p.step()), rEnd)
		}
		return b.Bytes(), nil
	case WeatherFactory:
		for _, p := range all {
			if p.Kind != param.Int {
				return nil, fmt.Errorf("weather-factory: expected whole numbers, got %s, which is a %s", p.Name, p.Kind)
			}
		}
		return object(all, func(p *Tuned) any {
			return struct {
				Value json.RawMessage `json:"value"`
				Min   json.RawMessage `json:"min_value"`
				Max   json.RawMessage `json:"max_value"`
				Step  json.RawMessage `json:"step"`
			}{json.RawMessage(p.Value), raw(p.Domain.Low), raw(p.Domain.High), raw(p.step())}
		}), nil
	default: // chess-tuning-tools
		ranges := object(all, (*Tuned).dimension)
		name, always := d.Strategy, []byte("{}")
		if p := d.Program; p != nil {
			name = plain.Quoted(p.Command)
		}
		fixed := d.fixed()
		if len(fixed) > 0 {
			always = object(fixed, (*Tuned).json)
		}
		found := object(append(fixed, all...), (*Tuned).json)
		fmt.Fprintf(&b, `{"engines": [{"command": %s, "fixed_parameters": %s}, {"command": %s, "fixed_parameters": %s}], "parameter_ranges": %s}`,
			quote(name), always, quote(name), found, ranges)
		var out bytes.Buffer
		if err := json.Indent(&out, b.Bytes(), "", "    "); err != nil {
			return nil, err
		}
		return append(out.Bytes(), '\n'), nil
	}
}

// fixed returns the options that the program is always given: those of its entry, and those that the
// study has fixed.
func (d *Document) fixed() (out []Tuned) {
	if d.Program != nil {
		for _, o := range d.Program.Options {
			out = append(out, Tuned{Param: param.Param{Name: o.Name}, Value: o.Text})
		}
	}
	for _, v := range d.Values {
		if slices.Contains(d.Named, v.Name) && !slices.ContainsFunc(d.Tuned, func(t Tuned) bool { return t.Name == v.Name }) {
			out = append(out, Tuned{Param: param.Param{Name: v.Name}, Value: v.Text})
		}
	}
	return out
}

// step returns a twentieth of the range; of whole numbers at least a half.
func (p *Tuned) step() float64 {
	s := (p.Domain.High - p.Domain.Low) / 20
	if p.Kind == param.Int {
		return max(s, 0.5)
	}
	return s
}

// dimension returns a range as scikit-optimize writes it.
func (p *Tuned) dimension() string {
	args := short(p.Domain.Low) + ", " + short(p.Domain.High)
	if p.Domain.Log {
		args += ", 'log-uniform'"
	}
	switch p.Kind {
	case param.Int:
		return "Integer(" + args + ")"
	case param.Float:
		return "Real(" + args + ")"
	}
	if p.Kind == param.Bool {
		return "Categorical([False, True])"
	}
	return "Categorical(" + quote(p.Choices) + ")"
}

// json returns the value as JSON.
func (p *Tuned) json() json.RawMessage {
	if p.Kind != param.Choice && json.Valid([]byte(p.Value)) {
		return json.RawMessage(p.Value)
	}
	return json.RawMessage(quote(p.Value))
}

func raw(x float64) json.RawMessage { return json.RawMessage(short(x)) }

// object writes members in their order, indented.
func object[V any](all []Tuned, value func(*Tuned) V) []byte {
	var b bytes.Buffer
	b.WriteString("{")
	for i := range all {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(quote(all[i].Name) + ":" + quote(value(&all[i])))
	}
	b.WriteString("}")
	var out bytes.Buffer
	if json.Indent(&out, b.Bytes(), "", "    ") != nil {
		return b.Bytes()
	}
	return append(out.Bytes(), '\n')
}
