package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/spf13/cobra"

	"sakusen/tuner"
	"sakusen/tuner/client"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

func (a *app) studyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "study",
		Short: "Queue, list, show, hold, replay or delete the studies of the database",
		Args:  unknownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		a.studyDropCommand(),
		&cobra.Command{
			Use: "list", Short: "One line a study", Args: noArguments,
			RunE: func(c *cobra.Command, _ []string) error { return a.studyList(c.Context()) },
		},
		&cobra.Command{
			Use: "show STUDY", Short: "A study's state, trials and result", Args: exactly(1, "one STUDY"),
			RunE: func(c *cobra.Command, args []string) error { return a.studyShow(c.Context(), args[0]) },
		},
		&cobra.Command{
			Use: "delete STUDY", Short: "Delete a study with its trials and its log; blocks stay, validation attempts stay counted",
			Args: exactly(1, "one STUDY"),
			RunE: func(c *cobra.Command, args []string) error { return a.studyDelete(c.Context(), args[0]) },
		},
	)
	c.AddCommand(a.studyControls()...)
	return c
}

// lineOf is a study in a list.
func lineOf(l store.Listing) service.Study {
	return service.Study{
		ID: l.ID, Study: l.Name, State: string(l.State), Message: l.Message, Interrupted: l.Interrupted, Priority: l.Priority,
		Game: l.Game, Strategy: l.Strategy, Baseline: l.Baseline,
		Trials: l.Trials, MaxTrials: l.BudgetTrials, Games: l.Games, MaxGames: l.BudgetGames,
		Created: l.Created.UTC().Format(time.RFC3339), Updated: l.Updated.UTC().Format(time.RFC3339),
		Best: bestStudy(l),
	}
}

// stateOf is a study's state for people.
func stateOf(l service.Study) string {
	if l.Interrupted {
		return l.State + " (interrupted)"
	}
	return l.State
}

func (a *app) studyList(ctx context.Context) error {
	lines := []service.Study{}
	if a.there() {
		s, end, err := a.read(ctx)
		if err != nil {
			return err
		}
		defer end()
		for l, err := range s.AllStudies(ctx) {
			if err != nil {
				return err
			}
			lines = append(lines, lineOf(l))
		}
	}
	if a.flags.asJSON {
		return a.printJSON(map[string]any{"studies": lines})
	}
	return table(a.out, func(line func(...any)) {
		line("STUDY", "STATE", "GAME", "STRATEGY", "TRIALS", "GAMES", "CREATED")
		for _, l := range lines {
			line(l.Study, stateOf(l), l.Game, l.Strategy, fmt.Sprintf("%d/%d", l.Trials, l.MaxTrials), l.Games, l.Created)
		}
	})
}

// details opens the database for reading and finds a study.
func (a *app) details(ctx context.Context, name string) (*store.Store, func() error, store.Details, error) {
	s, end, err := a.read(ctx)
	if err != nil {
		return nil, nil, store.Details{}, err
	}
	d, err := s.Details(ctx, name)
	if errors.Is(err, store.ErrStudyNotFound) {
		err = usage(fmt.Errorf("%s: no study named %q (see sakusen study list)", a.settings.Text("database"), name))
	}
	if err != nil {
		return nil, nil, d, errors.Join(err, end())
	}
	return s, end, d, nil
}

func (a *app) studyShow(ctx context.Context, name string) error {
	s, end, d, err := a.details(ctx, name)
	if err != nil {
		return err
	}
	defer end()
	spec, err := storedSpec(d)
	if err != nil {
		return err
	}
	trials, err := a.trials(ctx, s, d, spec.Tune.Params)
	if err != nil {
		return err
	}
	var result *tuner.Result
	if d.Result != nil {
		if err := json.Unmarshal(d.Result, &result); err != nil {
			return fmt.Errorf("study %q: stored result: %w", name, err)
		}
	}
	l := lineOf(d.Listing)
	scope, err := a.scope(ctx, s, d, spec)
	if err != nil {
		return err
	}
	workers, err := s.Blocks().Workers(ctx, scope)
	if err != nil {
		return err
	}
	if a.flags.asJSON {
		return a.printJSON(struct {
			service.Study
			Workers    []workerLine    `json:"workers"`
			SpecSHA256 string          `json:"spec_sha256"`
			Signature  string          `json:"signature"`
			Spec       *tuner.Spec     `json:"spec"`
			Trial      []service.Trial `json:"trial"`
			Result     *tuner.Result   `json:"result"`
		}{l, workerLines(workers), d.SpecHash, d.Signatures, spec, trials, result})
	}
	fmt.Fprintf(a.out, "%s: %s, %d of %d trials, %d games, created %s\n", l.Study, stateOf(l), l.Trials, l.MaxTrials, l.Games, l.Created)
	if l.Message != "" {
		fmt.Fprintln(a.out, l.Message)
	}
	if spec.Evaluate == nil {
		fmt.Fprintf(a.out, "race: %s\n", &spec.Race)
	}
	for _, w := range workers {
		if w.Suspicious {
			fmt.Fprintf(a.out, "suspicious: %s (sakusen study drop %s --worker %s takes them out)\n", workerText(w), l.Study, w.Name)
		}
	}
	if err := table(a.out, func(line func(...any)) {
		line("TRIAL", "STATE", "VALUE", "BLOCKS", "PARAMETERS")
		for _, t := range trials {
			line(t.Number, t.State, estimated(t.Value, nil), t.Blocks, params(spec, t.Params))
		}
	}); err != nil || result == nil {
		return err
	}
	return writeResult(a.out, spec, result)
}

// trials reads a study's trials.
func (a *app) trials(ctx context.Context, s *store.Store, d store.Details, space tuner.Space) ([]service.Trial, error) {
	out := []service.Trial{}
	for t, err := range s.AllTrials(ctx, d.ID) {
		if err != nil {
			return nil, err
		}
		line, err := trialOf(t, space)
		if err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, nil
}

// trialsOf are trials as they are shown.
func trialsOf(trials []goptuna.FrozenTrial, space tuner.Space) ([]service.Trial, error) {
	out := make([]service.Trial, 0, len(trials))
	for _, t := range trials {
		line, err := trialOf(t, space)
		if err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, nil
}

// trialOf is a trial as it is shown.
func trialOf(t goptuna.FrozenTrial, space tuner.Space) (service.Trial, error) {
	line := service.Trial{Number: t.Number, State: stateName(t.State), Params: map[string]string{}, Rungs: []service.Rung{}, Attrs: t.UserAttrs}
	if t.State == goptuna.TrialStateComplete || t.State == goptuna.TrialStatePruned {
		line.Value = &t.Value
	}
	for _, blocks := range slices.Sorted(maps.Keys(t.IntermediateValues)) {
		line.Blocks = blocks
		line.Rungs = append(line.Rungs, service.Rung{Blocks: blocks, Value: t.IntermediateValues[blocks]})
	}
	for i := range space {
		p := &space[i]
		if internal, ok := t.InternalParams[p.Name]; ok {
			text, err := p.External(p.Distribution(false), internal)
			if err != nil {
				return line, fmt.Errorf("trial %d: %w", t.Number, err)
			}
			line.Params[p.Name] = text
		}
	}
	return line, nil
}

func (a *app) studyDelete(ctx context.Context, name string) error {
	if !a.there() {
		return usage(fmt.Errorf("%s: there is no such database", a.settings.Text("database")))
	}
	err := atDatabase(a, ctx,
		func(s *store.Store) error {
			log, err := s.OpenStudy(ctx, name)
			if errors.Is(err, store.ErrStudyNotFound) {
				return usage(fmt.Errorf("%s: no study named %q", a.settings.Text("database"), name))
			}
			if err != nil {
				return err
			}
			return s.DeleteStudy(log.ID())
		},
		func(c *client.Client) error { return c.Studies().Delete(ctx, name) })
	if err != nil {
		return err
	}
	return a.tellDeleted(name)
}

func (a *app) tellDeleted(name string) error {
	if a.flags.asJSON {
		return a.printJSON(map[string]string{"deleted": name})
	}
	a.say("study %s: deleted", name)
	return nil
}
