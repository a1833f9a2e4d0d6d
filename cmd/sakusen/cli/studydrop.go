package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
)

func studyDropCommand(a *app) *cobra.Command {
	var worker string
	c := &cobra.Command{
		Use:   "drop STUDY --worker NAME",
		Short: "Remove a worker's blocks from the database, and start the study again without them",
		Long: `Removes all blocks that a worker has played from the database, and begins the
study anew. Nothing that was counted is changed: the log so far is kept as
STUDY@1, STUDY@2, ..., which is stopped and cannot be exported. The next sakusen
tune replays the study from its first entry, and plays only the removed blocks and
what comes out differently because of them. A daemon that holds the database
replays the study by itself; pause it there first (study pause).

Exit code: 4 if the worker has played no block of the study.`,
		Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			if worker == "" {
				return usage(errors.New("--worker: expected the name of a worker (sakusen db check lists them)"))
			}
			return a.study.drop(c.Context(), args[0], worker)
		},
	}
	c.Flags().StringVar(&worker, "worker", "", "the worker whose blocks go")
	return c
}

func (a studyCommands) drop(ctx context.Context, name, worker string) error {
	if err := a.database.needDatabase(); err != nil {
		return err
	}
	var done service.Dropped
	next := "sakusen tune replays the study"
	err := a.link.atDatabase(ctx,
		func(s *service.Service) (err error) {
			done, err = s.Studies().Drop(ctx, name, worker)
			return a.database.unnamed(err)
		},
		func(c *client.Client) (err error) {
			next = "the daemon replays the study"
			done, err = c.Studies().Drop(ctx, name, worker)
			return err
		})
	if err != nil {
		return err
	}
	return a.tellDropped(name, worker, done, next)
}

// tellDropped says what was dropped, and what happens next.
func (a studyCommands) tellDropped(name, worker string, d service.Dropped, next string) error {
	if a.flags.asJSON {
		return a.printJSON(map[string]any{
			"study": name, "worker": worker, "blocks": d.Blocks, "archived": d.Archived, "others": d.Others,
		})
	}
	a.say("study %s: %d blocks of worker %s dropped; the log so far is kept as %s", name, d.Blocks, worker, d.Archived)
	for _, o := range d.Others {
		a.say("study %s has met blocks of that worker too: sakusen study show %s", o, o)
	}
	a.say("%s", next)
	return nil
}
