package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/tuner"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
)

// askCommands hand out what is to be played elsewhere, and take what was.
func askCommands(a *app) []*cobra.Command {
	var r service.AskRequest
	var deadline time.Duration
	ask := &cobra.Command{
		Use: "ask STUDY", Short: "Hand out games for somebody else to play, as JSON lines",
		Long: service.AskHelp, Args: exactly(1, "one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			if r.DeadlineSeconds = int64(deadline / time.Second); deadline < 0 || deadline > 0 && deadline < time.Second {
				return usage(fmt.Errorf("--deadline: expected at least 1s, got %v", deadline))
			}
			return a.study.ask(c.Context(), args[0], r)
		},
	}
	ask.Flags().IntVar(&r.N, "n", 1, "parameter sets to hand out, at most 256")
	ask.Flags().Int64Var(&r.Blocks, "blocks", 16, "blocks of one of them, at most 1024")
	ask.Flags().BoolVar(&r.Again, "again", false, "first those that were handed out before and are not told")
	ask.Flags().DurationVar(&deadline, "deadline", 0, "hand them out again to others after this time, such as 2h; 0 is never")
	tell := &cobra.Command{
		Use: "tell STUDY [FILE]", Short: "Take results of games that ask handed out, as JSON lines from a file or standard input",
		Long: service.TellHelp, Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return a.study.tell(c.Context(), args) },
	}
	return []*cobra.Command{ask, tell}
}

func (a studyCommands) ask(ctx context.Context, name string, r service.AskRequest) error {
	if strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		spec, err := a.submit(ctx, name, 0, service.PlayedElsewhere)
		if err != nil {
			return err
		}
		name = spec.Name
	} else if err := a.database.needDatabase(); err != nil {
		return err
	}
	var got *service.Asked
	err := a.link.atDatabase(ctx,
		func(s *service.Service) (err error) {
			got, err = s.Studies().Elsewhere().Ask(ctx, name, r)
			return a.database.unnamed(err)
		},
		func(c *client.Client) (err error) { got, err = c.Studies().Ask(ctx, name, r); return err })
	if err != nil {
		return err
	}
	for i := range got.Asks {
		if err := a.printJSON(&got.Asks[i]); err != nil {
			return err
		}
	}
	if got.Result != nil {
		return a.ended(got.Result)
	}
	if len(got.Asks) == 0 {
		return &coded{exitNothing, fmt.Errorf("study %s waits for the results of %d asks that are handed out (sakusen ask %s --again shows them)", name, got.Open, name)}
	}
	return nil
}

// ended prints the line of a study that has its verdict.
func (a studyCommands) ended(r *tuner.Result) error {
	if err := a.printJSON(map[string]any{"done": r}); err != nil {
		return err
	}
	return verdict(r.Exit())
}

func (a studyCommands) tell(ctx context.Context, args []string) error {
	text, err := a.readFile(append(args, "-")[1])
	if err != nil {
		return usage(err)
	}
	results, err := service.ParseTold(text)
	if err == nil {
		err = a.database.needDatabase()
	}
	if err != nil {
		return err
	}
	given := service.Tellings{Results: results}
	var got *service.Accepted
	err = a.link.atDatabase(ctx,
		func(s *service.Service) (err error) {
			got, err = s.Studies().Elsewhere().Tell(ctx, args[0], given)
			return a.database.unnamed(err)
		},
		func(c *client.Client) (err error) { got, err = c.Studies().Tell(ctx, args[0], given); return err })
	if err != nil {
		return err
	}
	if got.Result != nil {
		a.say("study %s: %d blocks told; it has its verdict: sakusen study show %s", got.Study, got.Blocks, got.Study)
	} else {
		a.say("study %s: %d blocks told, %d asks open", got.Study, got.Blocks, got.Open)
	}
	if a.flags.asJSON {
		return a.printJSON(got)
	}
	return nil
}
