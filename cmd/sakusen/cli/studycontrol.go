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
		RunE: func(c *cobra.Command, args []string) error { return a.study.submitFile(c.Context(), args[0], priority) },
	}
	submit.Flags().IntVar(&priority, "priority", 0, "how urgent it is, -10 to 10: each step doubles its share of the workers")
	hold := func(what, short string, do studyHolder) *cobra.Command {
		return &cobra.Command{
			Use: what + " STUDY", Short: short, Args: exactly(1, "one STUDY"),
			RunE: func(c *cobra.Command, args []string) error { return a.study.hold(c.Context(), what, args[0], do) },
		}
	}
	return []*cobra.Command{
		submit,
		hold("pause", "Interrupt a study for a while; study resume continues it", (*service.Studies).Pause),
		hold("resume", "Put a paused, stopped or failed study back into the queue", (*service.Studies).Resume),
		hold("stop", "End a study without a verdict; study resume takes it up again all the same", (*service.Studies).Stop),
	}
}

func (a studyCommands) submitFile(ctx context.Context, name string, priority int) error {
	if err := daemon.CheckPriority(priority); err != nil {
		return usage(fmt.Errorf("--priority: %w", err))
	}
	spec, err := a.submit(ctx, name, priority, func(*tuner.Spec) error { return nil })
	if err != nil {
		return err
	}
	return a.tellState(spec.Name, "queued")
}

// submit puts a study into the queue unless something speaks against it.
func (a studyCommands) submit(ctx context.Context, name string, priority int, against func(*tuner.Spec) error) (*tuner.Setup, error) {
	file, err := a.findStudy(name)
	if err != nil {
		return nil, err
	}
	spec, err := file.spec(a.app, nil)
	if err == nil {
		err = against(spec.Spec)
	}
	if err != nil {
		return nil, err
	}
	return spec, a.link.atDatabase(ctx,
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

// hold changes a study's state.
func (a studyCommands) hold(ctx context.Context, what, name string, do studyHolder) error {
	if err := a.database.needDatabase(); err != nil {
		return err
	}
	var state string
	err := a.link.atDatabase(ctx,
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
	return a.tellState(name, state)
}

func (a studyCommands) tellState(name, state string) error {
	if a.flags.asJSON {
		return a.printJSON(map[string]string{"study": name, "state": state})
	}
	a.say("study %s: %s", name, state)
	return nil
}
