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
		RunE: func(c *cobra.Command, args []string) error { return studyTry(a, c.Context(), args[0], args[1:]) },
	}
}

func studyTry(a *app, ctx context.Context, name string, values []string) error {
	if err := a.needDatabase(); err != nil {
		return err
	}
	point := studyfile.ParsePoint(strings.Join(values, ","))
	var given *service.TryPoint
	err := atDatabase(a, ctx,
		func(s *service.Service) (err error) {
			given, err = s.Studies().Try(ctx, name, point)
			return a.unnamed(err)
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
