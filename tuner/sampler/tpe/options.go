package tpe

import (
	"errors"

	"sakusen/engines/param"
)

// options are the options of the sampler tpe.
type options struct {
	startup    int     // proposals before the first model
	candidates int     // points drawn for one proposal
	good       float64 // share of the trials
}

const (
	// mostGood is the most trials that count as good.
	mostGood = 25
	// mostOthers is the most trials that are not good and shape the density of
	// their kind: the latest, so that a proposal costs the same in a long study.
	mostOthers = 500
)

func readOptions(given param.Values) (*options, error) {
	o := &options{}
	fields, err := param.Bind(func(f *param.Fields) {
		f.Int(&o.startup, "startup", 10, param.Range(1, 1000), "quasi-random proposals before the first model")
		f.Int(&o.candidates, "candidates", 24, param.Range(1, 1000), "points that compete for one proposal")
		f.Float(&o.good, "good", 0.1, param.Range(0.01, 0.5), "share of the trials that count as good, 25 at most")
	})
	if err != nil {
		return nil, err
	}
	if _, errs := fields.Assign(given); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return o, nil
}
