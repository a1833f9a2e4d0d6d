package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/view"
)

// studyCheckCommand says what a study would do.
func studyCheckCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "check STUDY", Short: "Say what a study would do, what it takes and what it can prove; play nothing of it",
		Long: `Says what a study would do, by its file or the name of an embedded one or of one
in the database: every default filled in, the size of the space, games and about how
long they take, and the gain that can be proved. A few games are played to know how
fast they are; nothing is stored. Exit code: 2 with all mistakes of the file.`,
		Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error { return a.study.check(c.Context(), args[0]) },
	}
}

func (a studyCommands) check(ctx context.Context, name string) error {
	var s *store.Store
	if a.database.databaseExists() {
		var end func() error
		var err error
		if s, end, err = a.database.read(ctx); err != nil {
			return err
		}
		defer end()
	}
	setup, err := a.checked(ctx, s, name)
	if err != nil {
		return err
	}
	c, err := service.CheckStudy(ctx, s, a.samplers, setup, a.pool())
	if err != nil {
		return err
	}
	return a.show(c, view.Check(c))
}

// checked is a study of a file or, where there is none, of the database.
func (a studyCommands) checked(ctx context.Context, s *store.Store, name string) (*tuner.Setup, error) {
	file, err := a.findStudy(name)
	if err != nil {
		if setup, ok := service.StoredSetup(ctx, s, name, a.catalogue); ok {
			return setup, nil
		}
		return nil, err
	}
	if err := a.engine.studyEngines(file, nil, ""); err != nil {
		return nil, usage(err)
	}
	return file.spec(a.app, nil)
}

// studyNewCommand prints a study file to begin with.
func studyNewCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "new GAME STRATEGY", Short: "Print a study file to begin with: every parameter of a strategy, with its range",
		Example: "  sakusen study new battleship mp > mp.yaml\n  sakusen study check mp.yaml",
		Args:    exactly(2, "a GAME and a STRATEGY"),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := studyfile.Template(args[0], args[1], a.catalogue, a.samplers)
			if err != nil {
				return usage(err)
			}
			return a.print(map[string]string{"file": text}, func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return err
			})
		},
	}
}

// studiesCommand lists the embedded studies, or prints one.
func studiesCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "studies [NAME]", Short: "List the studies that come with the program, or print the file of one",
		Args: atMost(1, "at most one NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				list := service.EmbeddedStudies()
				return a.print(map[string]any{"studies": list}, func(w io.Writer) error { return view.Embedded(w, list) })
			}
			text, err := studies.Read(args[0])
			if err != nil {
				return usage(err)
			}
			return a.print(map[string]string{"study": args[0], "file": string(text)}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s", text)
				return err
			})
		},
	}
}
