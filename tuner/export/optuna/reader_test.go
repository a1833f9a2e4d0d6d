package optuna_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// loaded is a trial as Optuna's create_trial takes it, read by what Optuna's
// documents and sources say of it (optuna.distributions, optuna.trial.FrozenTrial,
// version 5.0): nothing here knows how the trials were written.
type loaded struct {
	Number        int                        `json:"number"`
	State         string                     `json:"state"`
	Value         *json.Number               `json:"value"`
	Values        []json.Number              `json:"values"`
	Params        map[string]json.RawMessage `json:"params"`
	Distributions map[string]struct {
		Name       string                     `json:"name"`
		Attributes map[string]json.RawMessage `json:"attributes"`
	} `json:"distributions"`
	Intermediate map[string]float64         `json:"intermediate_values"`
	UserAttrs    map[string]json.RawMessage `json:"user_attrs"`
	SystemAttrs  map[string]json.RawMessage `json:"system_attrs"`
	Start        *time.Time                 `json:"datetime_start"`
	Complete     *time.Time                 `json:"datetime_complete"`
	Study        string                     `json:"study_name"`
	Directions   []string                   `json:"directions"`
}

// load reads an export and returns what Optuna would refuse or warn of.
func load(t testing.TB, text string) (trials []loaded, complaints []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&trials); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	for i := range trials {
		for _, c := range trials[i].check() {
			complaints = append(complaints, fmt.Sprintf("trial %d: %s", trials[i].Number, c))
		}
	}
	return trials, complaints
}

// check is FrozenTrial._validate and Study.add_trial.
func (l *loaded) check() (out []string) {
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	finished := slices.Contains([]string{"COMPLETE", "PRUNED", "FAIL"}, l.State)
	if !finished && l.State != "RUNNING" && l.State != "WAITING" {
		bad("state %q", l.State)
	}
	values := l.Values
	if l.Value != nil {
		if l.Values != nil {
			bad("value and values are both specified")
		}
		values = []json.Number{*l.Value}
	}
	switch {
	case l.State == "COMPLETE" && values == nil:
		bad("values should be set for a complete trial")
	case l.State == "FAIL" && values != nil:
		bad("values should be None for a failed trial")
	case values != nil && len(values) != len(l.Directions):
		bad("%d values for %d objectives", len(values), len(l.Directions))
	}
	for _, v := range values {
		if !strings.ContainsAny(v.String(), ".eE") {
			bad("value %s is an integer", v)
		}
	}
	if finished != (l.Complete != nil) || (l.State != "WAITING") != (l.Start != nil) {
		bad("state %s with the times %v and %v", l.State, l.Start, l.Complete)
	}
	for _, d := range l.Directions {
		if d != "maximize" && d != "minimize" {
			bad("direction %q", d)
		}
	}
	if len(l.Directions) > 1 && len(l.Intermediate) > 0 { // optuna.trial.Trial.report, and TPESampler of a pruned trial
		bad("intermediate values of several objectives")
	}
	for step := range l.Intermediate {
		if _, err := strconv.Atoi(step); err != nil {
			bad("step %q", step)
		}
	}
	if len(l.Params) != len(l.Distributions) {
		bad("inconsistent parameters and distributions")
	}
	for name, value := range l.Params {
		d := l.Distributions[name]
		if why := contains(d.Name, d.Attributes, string(value)); why != "" {
			bad("%s: %s", name, why)
		}
	}
	return out
}

// contains is a distribution's constructor, to_internal_repr and _contains.
func contains(class string, attributes map[string]json.RawMessage, value string) string {
	keys := map[string]int{"FloatDistribution": 4, "IntDistribution": 4, "CategoricalDistribution": 1}
	if len(attributes) != keys[class] {
		return fmt.Sprintf("%s with %d attributes", class, len(attributes))
	}
	if class == "CategoricalDistribution" {
		var choices []json.RawMessage
		if err := json.Unmarshal(attributes["choices"], &choices); err != nil || len(choices) == 0 {
			return "no choices"
		}
		for _, c := range choices {
			if string(c) == value {
				return ""
			}
		}
		return fmt.Sprintf("%s is not in %s", value, attributes["choices"])
	}
	low, high, step := string(attributes["low"]), string(attributes["high"]), string(attributes["step"])
	log := string(attributes["log"]) == "true"
	float := class == "FloatDistribution"
	for _, text := range []string{low, high, value} {
		if strings.ContainsAny(text, ".e") != float {
			return fmt.Sprintf("%s in a %s", text, class)
		}
	}
	l, h, v := decimal(low), decimal(high), decimal(value)
	switch {
	case l.Cmp(h) > 0:
		return fmt.Sprintf("low %s above high %s", low, high)
	case log && l.Sign() <= 0:
		return "low of a logarithmic range is not positive"
	case float && log && step != "null", !float && log && step != "1":
		return "a step in a logarithmic range"
	case v.Cmp(l) < 0 || v.Cmp(h) > 0:
		return fmt.Sprintf("%s is not in [%s, %s]", value, low, high)
	case step == "null":
		return ""
	}
	s := decimal(step)
	if n := new(big.Rat).Quo(new(big.Rat).Sub(h, l), s); !n.IsInt() {
		return fmt.Sprintf("[%s, %s] is not divisible by %s: the range is changed, with a warning", low, high, step)
	}
	x, _ := v.Float64()
	a, _ := l.Float64()
	w, _ := s.Float64()
	if k := (x - a) / w; math.Abs(k-math.RoundToEven(k)) >= 1e-8 {
		return fmt.Sprintf("%s is no multiple of %s above %s", value, step, low)
	}
	return ""
}

func decimal(text string) *big.Rat {
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return x
}
