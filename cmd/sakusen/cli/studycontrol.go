package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/tuner"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
)

// studyControls are the commands that queue, pause, resume, stop and delete studies. They
// ask the daemon that holds the database, or change the database themselves if there is
// none.
func studyControls(a *app) []*cobra.Command {
	var priority int
	submit := &cobra.Command{
		Use: "submit FILE", Short: "Queue a study for the daemon, from a study file or the name of an embedded study",
		Args: exactly(1, "one FILE"),
		RunE: func(c *cobra.Command, args []string) error { return studySubmit(a, c.Context(), args[0], priority) },
	}
	submit.Flags().IntVar(&priority, "priority", 0, "how urgent it is, -10 to 10: each step doubles its share of the workers")
	hold := func(what, short string, do studyHolder) *cobra.Command {
		return &cobra.Command{
			Use: what + " STUDY", Short: short, Args: exactly(1, "one STUDY"),
			RunE: func(c *cobra.Command, args []string) error { return studyHold(a, c.Context(), what, args[0], do) },
		}
	}
	return []*cobra.Command{
		submit,
		hold("pause", "Interrupt a study for a while; study resume continues it", (*service.Studies).Pause),
		hold("resume", "Put a paused, stopped or failed study back into the queue", (*service.Studies).Resume),
		hold("stop", "End a study without a verdict; study resume takes it up again all the same", (*service.Studies).Stop),
	}
}

func studySubmit(a *app, ctx context.Context, name string, priority int) error {
	if err := daemon.CheckPriority(priority); err != nil {
		return usage(fmt.Errorf("--priority: %w", err))
	}
	spec, err := submit(a, ctx, name, priority, func(*tuner.Spec) error { return nil })
	if err != nil {
		return err
	}
	return tellState(a, spec.Name, "queued")
}

// submit puts a study into the queue unless something speaks against it.
func submit(a *app, ctx context.Context, name string, priority int, against func(*tuner.Spec) error) (*tuner.Setup, error) {
	file, err := findStudy(a, name)
	if err != nil {
		return nil, err
	}
	spec, err := file.spec(a, nil)
	if err == nil {
		err = against(spec.Spec)
	}
	if err != nil {
		return nil, err
	}
	return spec, atDatabase(a, ctx,
		func(s *service.Service) error {
			signatures, err := spec.Ruleset.Signatures(ctx, spec.Strategies()...)
			if err != nil {
				return err
			}
			return s.Studies().Add(ctx, service.StudyFile{Setup: spec, Signatures: signatures, Source: file.source()}, priority)
		},
		func(c *client.Client) error {
			_, err := c.Studies().Submit(ctx, service.Submission{Spec: string(file.text), Name: file.source().Name, Priority: priority})
			return err
		})
}

// studyHolder sets the state of a study in the database and returns it.
type studyHolder = func(*service.Studies, context.Context, string) (string, error)

// studyHold changes a study's state.
func studyHold(a *app, ctx context.Context, what, name string, do studyHolder) error {
	if err := a.needDatabase(); err != nil {
		return err
	}
	var state string
	err := atDatabase(a, ctx,
		func(s *service.Service) (err error) {
			state, err = do(s.Studies(), ctx, name)
			return err
		},
		func(c *client.Client) (err error) {
			t := c.Studies()
			hold := map[string]func(context.Context, string) (string, error){"pause": t.Pause, "resume": t.Resume, "stop": t.Stop}[what]
			state, err = hold(ctx, name)
			return err
		})
	if err != nil {
		return err
	}
	return tellState(a, name, state)
}

func tellState(a *app, name, state string) error {
	if a.flags.asJSON {
		return a.printJSON(map[string]string{"study": name, "state": state})
	}
	a.say("study %s: %s", name, state)
	return nil
}
