package export

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// trial is one trial in the form that optuna.trial.create_trial takes: the
// state by name, the distributions as optuna.distributions.distribution_to_json
// writes them.
type trial struct {
	Number        int                     `json:"number"`
	State         string                  `json:"state"`
	Value         *float64                `json:"value"`
	Params        map[string]any          `json:"params"`
	Distributions map[string]distribution `json:"distributions"`
}

type distribution struct {
	Name       string         `json:"name"`
	Attributes map[string]any `json:"attributes"`
}

// WriteOptuna writes the trials of a study for Optuna, one after another: a
// hundred thousand at once took 800 MB.
func WriteOptuna(w io.Writer, space tuner.Space, trials iter.Seq2[goptuna.FrozenTrial, error]) error {
	described := map[string]distribution{}
	for i := range space {
		described[space[i].Name] = describe(&space[i])
	}
	before := "["
	for t, err := range trials {
		if err != nil {
			return err
		}
		o := trial{Number: t.Number, State: state(t.State), Params: map[string]any{}, Distributions: map[string]distribution{}}
		if t.State == goptuna.TrialStateComplete || t.State == goptuna.TrialStatePruned {
			o.Value = &t.Value
		}
		for i := range space {
			d := &space[i]
			internal, ok := t.InternalParams[d.Name]
			if !ok {
				continue
			}
			text, err := d.External(d.Distribution(false), internal)
			if err != nil {
				return fmt.Errorf("trial %d: %w", t.Number, err)
			}
			o.Params[d.Name], o.Distributions[d.Name] = typed(d, text), described[d.Name]
		}
		text, err := json.Marshal(o)
		if err != nil {
			return fmt.Errorf("trial %d: %w", t.Number, err)
		}
		if _, err := fmt.Fprintf(w, "%s%s", before, text); err != nil {
			return err
		}
		before = ","
	}
	if before == "[" {
		before = "[]"
	} else {
		before = "]"
	}
	_, err := fmt.Fprintln(w, before)
	return err
}

func state(s goptuna.TrialState) string {
	switch s {
	case goptuna.TrialStateComplete:
		return "COMPLETE"
	case goptuna.TrialStatePruned:
		return "PRUNED"
	case goptuna.TrialStateFail:
		return "FAIL"
	case goptuna.TrialStateWaiting:
		return "WAITING"
	}
	return "RUNNING"
}

// typed is a canonical text as JSON's own type.
func typed(d *tuner.Dimension, text string) any {
	switch d.Kind {
	case param.Int:
		return json.Number(text)
	case param.Float:
		x, _ := strconv.ParseFloat(text, 64) // canonical text always parses
		return x
	case param.Bool:
		return text == "true"
	}
	return text
}

// describe is a dimension in Optuna's vocabulary.
func describe(d *tuner.Dimension) distribution {
	low, high := d.Domain.Low, d.Domain.Top()
	switch d.Kind {
	case param.Bool:
		return distribution{"CategoricalDistribution", map[string]any{"choices": []bool{false, true}}}
	case param.Choice:
		return distribution{"CategoricalDistribution", map[string]any{"choices": d.Choices}}
	case param.Int:
		step := int64(1)
		if d.Domain.Step > 0 {
			step = int64(d.Domain.Step)
		}
		return distribution{"IntDistribution", map[string]any{
			"log": d.Domain.Log, "step": step, "low": int64(low), "high": int64(high)}}
	}
	var step any
	if d.Domain.Step > 0 {
		step = d.Domain.Step
	}
	return distribution{"FloatDistribution", map[string]any{"step": step, "low": low, "high": high, "log": d.Domain.Log}}
}
