package service

import (
	"context"
	"fmt"

	"sakusen/tuner"
)

// WholeStudy is a study with all that the database knows of it, as study show
// prints it in JSON.
type WholeStudy struct {
	Study
	Workers    []Worker      `json:"workers"`
	SpecSHA256 string        `json:"spec_sha256"`
	Signature  string        `json:"signature"`
	Spec       *tuner.Spec   `json:"spec"` // nil for a foreign study
	Trial      []Trial       `json:"trial"`
	Result     *tuner.Result `json:"result"`
}

// Whole reads a study with all its trials.
func (s *Studies) Whole(ctx context.Context, name string) (*WholeStudy, error) {
	d, err := s.Show(ctx, name)
	if err != nil {
		return nil, err
	}
	w := &WholeStudy{Study: d.Study, SpecSHA256: d.SpecSHA256, Signature: d.Signature, Trial: []Trial{}, Result: d.Result}
	if d.Foreign {
		w.Workers = []Worker{}
	} else if w.Spec, err = tuner.ParseSpec(d.Spec); err != nil {
		return nil, fmt.Errorf("study %q: %w", name, err)
	} else if w.Workers, err = s.Workers(ctx, name); err != nil {
		return nil, err
	}
	for t, err := range s.AllTrials(ctx, name) {
		if err != nil {
			return nil, err
		}
		w.Trial = append(w.Trial, t)
	}
	return w, nil
}
