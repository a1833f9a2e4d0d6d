package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/studyfile"
)

// studyTryCommand gives a study a point to try.
func studyTryCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "try STUDY NAME=VALUE...", Short: "Have a study that is not done try a point that you know", Long: service.TryHelp,
		Args: atLeast(2, "a STUDY and at least one NAME=VALUE"), Example: "  sakusen study try mp-threshold start_squares=40",
		RunE: func(c *cobra.Command, args []string) error { return a.study.try(c.Context(), args[0], args[1:]) },
	}
}

func (a studyCommands) try(ctx context.Context, name string, values []string) error {
	if err := a.database.needDatabase(); err != nil {
		return err
	}
	point := studyfile.ParsePoint(strings.Join(values, ","))
	var given *service.TryPoint
	err := a.link.atDatabase(ctx,
		func(s *service.Service) (err error) {
			given, err = s.Studies().Try(ctx, name, point)
			return a.database.unnamed(err)
		},
		func(c *client.Client) (err error) {
			given, err = c.Studies().Try(ctx, name, point)
			return err
		})
	if err != nil {
		return err
	}
	if a.flags.asJSON {
		return a.printJSON(given)
	}
	a.say("study %s: tries this point in its next batch", name)
	return nil
}
