package goptuna

import (
	"maps"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
)

// viewStorage is the goptuna.Storage that samplers see: the trials with known values, all
// complete, and the one trial that is being asked. Only the methods that samplers call are
// implemented; the embedded interface is nil.
type viewStorage struct {
	goptuna.Storage

	space     tuner.Space
	dists     []goptuna.Distribution
	byName    map[string]any
	trials    []goptuna.FrozenTrial
	open      goptuna.FrozenTrial
	direction goptuna.StudyDirection
	attrs     []map[string]string // by draw, as samplers wrote them
	shown     *tuner.View         // at its length then
}

func newViewStorage(space tuner.Space, texts bool) *viewStorage {
	s := &viewStorage{space: space, byName: map[string]any{}}
	for i := range space {
		dist, byValue := scale(&space[i], texts)
		s.dists, s.byName[space[i].Name] = append(s.dists, dist), byValue
	}
	return s
}

// scale returns a parameter's distribution as goptuna's samplers are shown it, and the same
// by value. A stepped range ends where the scale does, not at the value of its last trial:
// digests of studies depend on it.
func scale(d *tuner.Dimension, texts bool) (goptuna.Distribution, any) {
	dist := d.Distribution(texts)
	if x, ok := dist.(*goptuna.DiscreteUniformDistribution); ok {
		x.High = d.Domain.End()
		return x, *x
	}
	return dist, d.ByValue(texts)
}

// show brings the trials up to date; only values change once a trial is there. negate is
// for samplers that minimise whatever the direction.
func (s *viewStorage) show(v *tuner.View, negate bool) error {
	if s.shown == v && len(s.trials) == len(v.Told) {
		return nil // a batch is asked with one view
	}
	s.shown = v
	for i := len(s.trials); i < len(v.Told); i++ {
		t := goptuna.FrozenTrial{
			ID: i, Number: i, State: goptuna.TrialStateComplete,
			InternalParams: make(map[string]float64, len(s.space)), Params: make(map[string]any, len(s.space)),
			Distributions: s.byName, UserAttrs: map[string]string{}, SystemAttrs: map[string]string{},
		}
		for k := range s.space {
			d := &s.space[k]
			text, ok := v.Told[i].Proposed.Get(d.Name)
			if !ok {
				continue
			}
			internal, err := d.Internal(s.dists[k], text)
			if err != nil {
				return err
			}
			t.InternalParams[d.Name], t.Params[d.Name] = internal, s.dists[k].ToExternalRepr(internal)
		}
		if draw := v.Told[i].Draw; draw >= 0 && draw < len(s.attrs) && s.attrs[draw] != nil {
			t.SystemAttrs = s.attrs[draw]
		}
		s.trials = append(s.trials, t)
	}
	for i := range v.Told {
		s.trials[i].Value = v.Told[i].Value
		if negate {
			s.trials[i].Value = -v.Told[i].Value
		}
	}
	return nil
}

func (s *viewStorage) CreateNewStudy(string) (int, error) { return 1, nil }

func (s *viewStorage) SetStudyDirection(_ int, d goptuna.StudyDirection) error {
	s.direction = d
	return nil
}

func (s *viewStorage) GetStudyDirection(int) (goptuna.StudyDirection, error) { return s.direction, nil }

// CreateNewTrial opens the trial that is asked next.
func (s *viewStorage) CreateNewTrial(int) (int, error) {
	s.open = goptuna.FrozenTrial{
		ID: len(s.trials), Number: len(s.trials), State: goptuna.TrialStateRunning, DatetimeStart: time.Time{},
		InternalParams: map[string]float64{}, Params: map[string]any{}, Distributions: map[string]any{},
		UserAttrs: map[string]string{}, SystemAttrs: map[string]string{},
	}
	return s.open.ID, nil
}

func (s *viewStorage) GetTrial(id int) (goptuna.FrozenTrial, error) {
	if id == s.open.ID {
		return s.open, nil
	}
	if id < 0 || id >= len(s.trials) {
		return goptuna.FrozenTrial{}, goptuna.ErrInvalidTrialID
	}
	return s.trials[id], nil
}

func (s *viewStorage) GetAllTrials(int) ([]goptuna.FrozenTrial, error) { return s.trials, nil }

func (s *viewStorage) GetTrialNumberFromID(id int) (int, error) {
	t, err := s.GetTrial(id)
	return t.Number, err
}

func (s *viewStorage) SetTrialParam(_ int, name string, internal float64, dist any) error {
	s.open.InternalParams[name] = internal
	s.open.Distributions[name] = dist
	return nil
}

func (s *viewStorage) GetTrialParam(id int, name string) (float64, error) {
	t, err := s.GetTrial(id)
	return t.InternalParams[name], err
}

func (s *viewStorage) GetTrialSystemAttrs(id int) (map[string]string, error) {
	t, err := s.GetTrial(id)
	return maps.Clone(t.SystemAttrs), err
}

// SetTrialSystemAttr keeps what a sampler notes of the asked trial.
func (s *viewStorage) SetTrialSystemAttr(_ int, key, value string) error {
	s.open.SystemAttrs[key] = value
	for len(s.attrs) <= s.open.Number {
		s.attrs = append(s.attrs, nil)
	}
	s.attrs[s.open.Number] = s.open.SystemAttrs
	return nil
}
