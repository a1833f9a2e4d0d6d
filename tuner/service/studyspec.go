package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/store"
)

// FindStudy finds a study by its name.
func FindStudy(ctx context.Context, s *store.Store, name string) (store.Details, error) {
	d, err := s.Studies.Details(ctx, name)
	return d, missing(name, err)
}

// known is FindStudy that also finds studies of other programs, which have no spec.
func known(ctx context.Context, s *store.Store, name string) (store.Details, error) {
	d, err := FindStudy(ctx, s, name)
	if _, foreign := errors.AsType[*store.ForeignStudyError](err); foreign {
		err = nil
	}
	return d, err
}

// spaced finds a study with its space, which is empty where each trial tells its own.
func spaced(ctx context.Context, s *store.Store, name string) (store.Details, tuner.Space, error) {
	d, err := known(ctx, s, name)
	if err != nil || d.Foreign {
		return d, nil, err
	}
	spec, err := StoredSpec(d)
	if err != nil {
		return d, nil, err
	}
	return d, spec.Tune.Params, nil
}

// missing adds the study's name to an error that it was not found; any other error stays as
// it is.
func missing(name string, err error) error {
	if errors.Is(err, store.ErrStudyNotFound) {
		return &Error{Code: NotFound, Message: fmt.Sprintf("no study named %q", name), Err: err}
	}
	return err
}

// StoredSpec reads the spec that a study was made with.
func StoredSpec(d store.Details) (*tuner.Spec, error) {
	spec := new(tuner.Spec)
	if err := json.Unmarshal([]byte(d.Spec), spec); err != nil {
		return nil, fmt.Errorf("study %q: stored spec: %w", d.Name, err)
	}
	return spec, nil
}

// storedResult reads a study's result, nil where there is none yet.
func storedResult(d store.Details) (*tuner.Result, error) {
	if d.Result == nil {
		return nil, nil
	}
	r := new(tuner.Result)
	if err := json.Unmarshal(d.Result, r); err != nil {
		return nil, fmt.Errorf("study %q: stored result: %w", d.Name, err)
	}
	return r, nil
}

// find finds a study with its spec.
func find(ctx context.Context, s *store.Store, name string) (store.Details, *tuner.Spec, error) {
	d, err := FindStudy(ctx, s, name)
	if err != nil {
		return d, nil, err
	}
	spec, err := StoredSpec(d)
	return d, spec, err
}
