package study

import (
	"context"
	"fmt"
	"sort"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// tellOf is the entry that closes a trial with its estimate.
func tellOf(t *tuner.Trial) entry.Tell {
	v := entry.Tell{
		Trial: t.Number, State: t.State, Reason: t.Reason, Value: numeral.Finite(t.Estimate.Value), Error: numeral.Finite(t.Estimate.Error),
		Feasible: t.Estimate.Feasible, End: t.End,
	}
	if t.State == entry.TrialComplete {
		v.End = entry.Whole
		if v.Value == nil {
			v.End = entry.Valueless
		}
	}
	for _, g := range t.Estimate.Goals {
		v.Goals = append(v.Goals, numeral.Finite(g.Value))
	}
	return v
}

// tell closes a batch's trials in number order.
func (st *Study) tell(ctx context.Context, batch []*tuner.Trial) error {
	batch = append([]*tuner.Trial(nil), batch...)
	sort.Slice(batch, func(i, j int) bool { return batch[i].Number < batch[j].Number })
	for _, t := range batch {
		got, err := step(ctx, st.journal, entry.KindTell, func() (entry.Tell, error) {
			return tellOf(t), nil
		}, st.finish)
		if err != nil {
			return err
		}
		if got.Trial != t.Number || got.State != t.State {
			return fmt.Errorf("the log tells trial %d as %s where trial %d is %s: %w", got.Trial, got.State, t.Number, t.State, tuner.ErrOtherCode)
		}
		st.count()
	}
	return nil
}

// finish closes a trial in the record. A trial that is closed already stays as it is.
func (st *Study) finish(v entry.Tell, trials tuner.Trials) error {
	if before, err := trials.State(v.Trial); err != nil || before.Finished() {
		return err
	}
	state := v.State
	if v.Value == nil {
		state = entry.TrialFailed
	} else if err := trials.SetValue(v.Trial, *v.Value); err != nil {
		return err
	}
	if v.Error != nil {
		if err := trials.SetNote(v.Trial, "standard_error", fmt.Sprint(*v.Error)); err != nil {
			return err
		}
	}
	if !v.Feasible {
		if err := trials.SetNote(v.Trial, "feasible", "false"); err != nil {
			return err
		}
	}
	for i, x := range v.Goals {
		if x == nil {
			continue
		}
		goals := st.Setup.Objective.Goals()
		if err := trials.SetNote(v.Trial, entry.GoalNote(goals[i].Name()), fmt.Sprint(*x)); err != nil {
			return err
		}
	}
	return trials.SetState(v.Trial, state)
}
