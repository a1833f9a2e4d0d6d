package service

import (
	"context"
	"fmt"
	"slices"

	"sakusen/tuner"
	"sakusen/tuner/service/daemon"
)

// Turns is the queue of studies, tournaments and experiments.
type Turns struct {
	Places  map[string]int // of the studies that wait; 1 is the next
	Running int
	AtOnce  int // that may run side by side
}

// Turns says where the studies stand that wait.
func (t *Studies) Turns(ctx context.Context) (Turns, error) {
	out := Turns{Places: map[string]int{}, AtOnce: t.s.daemon.AtOnce()}
	waiting := 0
	all, err := (&queue{t.s}).Waiting(ctx)
	if err != nil {
		return out, err
	}
	for _, e := range all {
		if e.State == tuner.Running {
			out.Running++
			continue
		}
		waiting++
		if e.Key.Kind == daemon.Study {
			out.Places[e.Key.Name] = waiting
		}
	}
	return out, nil
}

// Extend gives a study that does not run, and has no verdict yet, a larger budget: games
// and trials at most, 0 for what it has. Nothing else of it changes, and not its state.
func (t *Studies) Extend(ctx context.Context, name string, games int64, trials int) error {
	return t.s.daemon.Still(ctx, daemon.StudyKey(name), "change the budget of", func() error {
		d, err := FindStudy(ctx, t.s.store, name)
		if err != nil {
			return err
		}
		if !slices.Contains([]tuner.State{tuner.Queued, tuner.Paused, tuner.Stopped, tuner.Failed}, d.State) {
			return New(Conflict, fmt.Sprintf("study %q is %s: its budget is changed while it waits, or is paused, stopped or failed", name, d.State))
		}
		b := tuner.Budget{Trials: d.BudgetTrials, Games: d.BudgetGames}
		if games > 0 {
			b.Games = games
		}
		if trials > 0 {
			b.Trials = trials
		}
		if b.Games < d.BudgetGames || b.Trials < d.BudgetTrials {
			return New(Invalid, fmt.Sprintf("budget: expected at least the %d games and %d trials that it has, as a budget only grows; got %d games and %d trials", d.BudgetGames, d.BudgetTrials, b.Games, b.Trials))
		}
		spec, err := tuner.ParseSpec([]byte(d.Spec))
		if err != nil {
			return err
		}
		spec.Budget = b
		h, err := headerOf(spec, d.Signatures)
		if err != nil {
			return err
		}
		h.Question = d.Question
		source, err := t.s.store.Study(d.ID).Source(ctx)
		if err != nil {
			return err
		}
		_, _, err = t.s.store.Studies.ResumeFile(ctx, h, source, d.Priority)
		return err
	})
}
