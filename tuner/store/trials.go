package store

import (
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
)

// trials writes what the loop says about a study's trials. It implements
// tuner.Trials inside the change that is open in its session.
type trials struct {
	session *Session
	study   int
}

// states are the loop's states in goptuna's vocabulary.
var states = map[tuner.TrialState]goptuna.TrialState{
	tuner.TrialRunning:  goptuna.TrialStateRunning,
	tuner.TrialComplete: goptuna.TrialStateComplete,
	tuner.TrialPruned:   goptuna.TrialStatePruned,
	tuner.TrialFailed:   goptuna.TrialStateFail,
}

func (t trials) Create(number int) error {
	id, err := t.session.CreateNewTrial(t.study)
	if err != nil {
		return err
	}
	if given, err := t.session.GetTrialNumberFromID(id); err != nil || given != number {
		return fmt.Errorf("create trial %d: the next number is %d (%w)", number, given, err)
	}
	return nil
}

func (t trials) SetParam(number int, d *tuner.Dimension, text string) error {
	internal, err := d.Internal(d.Distribution(false), text)
	if err != nil {
		return err
	}
	return t.with(number, func(id int) error {
		return t.session.SetTrialParam(id, d.Name, internal, d.ByValue(false))
	})
}

func (t trials) SetAttr(number int, key, text string) error {
	return t.with(number, func(id int) error { return t.session.SetTrialSystemAttr(id, key, text) })
}

func (t trials) SetNote(number int, key, text string) error {
	return t.with(number, func(id int) error { return t.session.SetTrialUserAttr(id, key, text) })
}

func (t trials) Report(number int, blocks int64, value float64) error {
	return t.with(number, func(id int) error { return t.session.SetTrialIntermediateValue(id, int(blocks), value) })
}

func (t trials) SetValue(number int, value float64) error {
	return t.with(number, func(id int) error { return t.session.SetTrialValue(id, value) })
}

func (t trials) SetState(number int, state tuner.TrialState) error {
	return t.with(number, func(id int) error { return t.session.SetTrialState(id, states[state]) })
}

func (t trials) State(number int) (tuner.TrialState, error) {
	var out tuner.TrialState
	err := t.with(number, func(id int) error {
		trial, err := t.session.GetTrial(id)
		for ours, theirs := range states {
			if theirs == trial.State {
				out = ours
			}
		}
		return err
	})
	return out, err
}

func (t trials) with(number int, do func(id int) error) error {
	id, err := t.session.TrialID(t.study, number)
	if err != nil {
		return err
	}
	return do(id)
}
