package cli

import (
	"context"

	"github.com/spf13/cobra"

	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

func studyCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "study",
		Short: "Check, queue, list, show, watch, pause, resume, stop or delete studies",
		Args:  unknownCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var limit int
	show := &cobra.Command{
		Use: "show STUDY", Short: "Show a study's state, trials and result", Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error { return a.study.showStudy(c.Context(), args[0], limit) },
	}
	show.Flags().IntVar(&limit, "limit", 100, "trials to print, the first and the last; 0 for all (--json has all)")
	technical(a, show)
	var target export.Target
	imported := &cobra.Command{
		Use: "import FILE", Short: "Write a study file from one of OpenBench, fishtest, weather-factory or chess-tuning-tools",
		Long: service.ImportHelp, Args: exactly(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			text, err := a.readFile(args[0])
			if err == nil {
				text, err = service.ImportStudy(args[0], text, target)
			}
			if err != nil {
				return usage(err)
			}
			_, err = a.out.Write(text)
			return err
		},
	}
	imported.Flags().StringVar(&target.Name, "name", "", "the study's name; the file's where none is given")
	imported.Flags().StringVar(&target.Engine, "engine", "", "the registry's name of the engine that is tuned")
	c.AddCommand(
		studyCheckCommand(a), studyNewCommand(a), studyKeysCommand(a), studySchemaCommand(a), studyWatchCommand(a), studyDropCommand(a), studyTryCommand(a), show, imported,
		&cobra.Command{
			Use: "list", Short: "List the studies of the database, one line each", Args: noArguments,
			RunE: func(c *cobra.Command, _ []string) error { return a.study.list(c.Context()) },
		},
		&cobra.Command{
			Use: "delete STUDY", Short: "Delete a study with its trials and its log; its blocks stay in the cache, and its validation still counts as an attempt",
			Args: exactly(1, "one STUDY"),
			RunE: func(c *cobra.Command, args []string) error { return a.study.delete(c.Context(), args[0]) },
		},
	)
	c.AddCommand(studyControls(a)...)
	return c
}

func (a studyCommands) list(ctx context.Context) error {
	lines := []service.Study{}
	if a.database.databaseExists() {
		s, end, err := a.database.reading(ctx)
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
	return a.show(map[string]any{"studies": lines}, view.Studies(lines))
}

func (a studyCommands) showStudy(ctx context.Context, name string, limit int) error {
	s, end, err := a.database.reading(ctx)
	if err != nil {
		return err
	}
	defer end()
	study, err := s.Studies().Whole(ctx, name)
	if err != nil {
		return a.database.unnamed(err)
	}
	result := []view.Section{view.Running(&study.Study)}
	if study.Result != nil {
		result = a.result(study.Spec, study.Result)
	}
	if a.flags.asJSON {
		return a.printJSON(view.With{Result: study, Sections: result})
	}
	if err := view.Text(a.out, view.Whole(study, limit)...); err != nil || study.Result == nil {
		return err
	}
	return view.Text(a.out, result...)
}

func (a studyCommands) delete(ctx context.Context, name string) error {
	if err := a.database.needDatabase(); err != nil {
		return err
	}
	err := a.link.atDatabase(ctx,
		func(s *service.Service) error { return a.database.unnamed(s.Studies().Delete(ctx, name)) },
		func(c *client.Client) error { return c.Studies().Delete(ctx, name) })
	if err != nil {
		return err
	}
	return a.tellDeleted(name)
}

func (a studyCommands) tellDeleted(name string) error {
	if a.flags.asJSON {
		return a.printJSON(map[string]string{"deleted": name})
	}
	a.say("study %s: deleted", name)
	return nil
}

// studyWatchCommand shows a study until it ends.
func studyWatchCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "watch STUDY", Short: "Watch a study until it ends: its race, its phase, the time to a verdict",
		Long: `Shows how a study goes that a daemon or another command runs: its phase, the time
to a verdict, and its race with intervals; without a terminal, a line a minute.
Ctrl-C ends the watching, not the study. At its end the result is printed.

Exit code: that of the study's verdict; 0 where the watching ends before it.`,
		Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := a.link.watch(c.Context(), args[0])
			if err != nil || d == nil {
				return a.database.unnamed(err)
			}
			if d.Result == nil {
				a.say("study %s: %s %s", args[0], d.State, d.Message)
				return nil
			}
			spec, err := tuner.ParseSpec(d.Spec)
			if err != nil {
				return err
			}
			return a.study.printResult(spec, d.Result)
		},
	}
}
