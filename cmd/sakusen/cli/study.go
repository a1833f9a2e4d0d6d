package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/tuner"
	"sakusen/tuner/client"
	"sakusen/tuner/report"
	"sakusen/tuner/service"
)

func studyCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "study",
		Short: "Queue, list, show, pause, resume, stop or delete studies",
		Args:  unknownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	show := &cobra.Command{
		Use: "show STUDY", Short: "Show a study's state, trials and result", Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error { return studyShow(a, c.Context(), args[0]) },
	}
	technical(a, show)
	c.AddCommand(
		studyDropCommand(a), show,
		&cobra.Command{
			Use: "list", Short: "List the studies of the database, one line each", Args: noArguments,
			RunE: func(c *cobra.Command, _ []string) error { return studyList(a, c.Context()) },
		},
		&cobra.Command{
			Use: "delete STUDY", Short: "Delete a study with its trials and its log; its blocks stay in the cache, and its validation still counts as an attempt",
			Args: exactly(1, "one STUDY"),
			RunE: func(c *cobra.Command, args []string) error { return studyDelete(a, c.Context(), args[0]) },
		},
	)
	c.AddCommand(studyControls(a)...)
	return c
}

// stateOf is a study's state for people.
func stateOf(l service.Study) string {
	if l.Interrupted {
		return l.State + " (interrupted)"
	}
	return l.State
}

func studyList(a *app, ctx context.Context) error {
	lines := []service.Study{}
	if a.databaseExists() {
		s, end, err := a.reading(ctx)
		if err != nil {
			return err
		}
		defer end()
		for l, err := range s.Studies().All(ctx) {
			if err != nil {
				return err
			}
			lines = append(lines, l)
		}
	}
	if a.flags.asJSON {
		return a.printJSON(map[string]any{"studies": lines})
	}
	return report.Table(a.out, func(line func(...any)) {
		line("STUDY", "STATE", "GAME", "STRATEGY", "TRIALS", "GAMES", "CREATED")
		for _, l := range lines {
			line(l.Study, stateOf(l), l.Game, l.Strategy, fmt.Sprintf("%d/%d", l.Trials, l.MaxTrials), l.Games, l.Created)
		}
	})
}

func studyShow(a *app, ctx context.Context, name string) error {
	s, end, err := a.reading(ctx)
	if err != nil {
		return err
	}
	defer end()
	l, err := s.Studies().Show(ctx, name)
	if err != nil {
		return a.unnamed(err)
	}
	spec := new(tuner.Spec)
	if err := json.Unmarshal(l.Spec, spec); err != nil {
		return fmt.Errorf("study %q: stored spec: %w", name, err)
	}
	trials := []service.Trial{}
	for t, err := range s.Studies().AllTrials(ctx, name) {
		if err != nil {
			return err
		}
		trials = append(trials, t)
	}
	workers, err := s.Studies().Workers(ctx, name)
	if err != nil {
		return err
	}
	if a.flags.asJSON {
		return a.printJSON(struct {
			service.Study
			Workers    []service.Worker `json:"workers"`
			SpecSHA256 string           `json:"spec_sha256"`
			Signature  string           `json:"signature"`
			Spec       *tuner.Spec      `json:"spec"`
			Trial      []service.Trial  `json:"trial"`
			Result     *tuner.Result    `json:"result"`
		}{l.Study, workers, l.SpecSHA256, l.Signature, spec, trials, l.Result})
	}
	fmt.Fprintf(a.out, "%s: %s, %d of %d trials, %d games, created %s\n", l.Study.Study, stateOf(l.Study), l.Trials, l.MaxTrials, l.Games, l.Created)
	if l.Message != "" {
		fmt.Fprintln(a.out, l.Message)
	}
	if spec.Evaluate == nil {
		fmt.Fprintln(a.out, report.Wrap("race: "+spec.Race.String(), "  ", report.Width))
	}
	for _, w := range workers {
		if w.Suspicious {
			fmt.Fprintf(a.out, "suspicious: %s (sakusen study drop %s --worker %s takes them out)\n", w, l.Study.Study, w.Worker)
		}
	}
	if err := report.Table(a.out, func(line func(...any)) {
		line("TRIAL", "STATE", "VALUE", "BLOCKS", "PARAMETERS")
		for _, t := range trials {
			line(t.Number, t.State, report.Estimate(t.Value, nil), t.Blocks, report.Params(spec, t.Params))
		}
	}); err != nil || l.Result == nil {
		return err
	}
	return a.report(spec, l.Result)
}

func studyDelete(a *app, ctx context.Context, name string) error {
	if err := a.needDatabase(); err != nil {
		return err
	}
	err := atDatabase(a, ctx,
		func(s *service.Service) error { return a.unnamed(s.Studies().Delete(ctx, name)) },
		func(c *client.Client) error { return c.Studies().Delete(ctx, name) })
	if err != nil {
		return err
	}
	return tellDeleted(a, name)
}

func tellDeleted(a *app, name string) error {
	if a.flags.asJSON {
		return a.printJSON(map[string]string{"deleted": name})
	}
	a.say("study %s: deleted", name)
	return nil
}
