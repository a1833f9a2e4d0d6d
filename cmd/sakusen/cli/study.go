package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
)

func studyCommand(a *app) *cobra.Command {
	var limit int
	show := &cobra.Command{
		Use: "show STUDY", Short: "Show a study's state, trials and result",
		RunE: func(c *cobra.Command, args []string) error { return a.study.showStudy(c.Context(), args[0], limit) },
	}
	show.Flags().IntVar(&limit, "limit", 100, "trials to print, the first and the last; 0 for all (--json has all)")
	technical(a, show)
	var target export.Target
	imported := &cobra.Command{
		Use: "import FILE", Short: "Write a study file from one of OpenBench, fishtest, weather-factory or chess-tuning-tools",
		Long: service.ImportHelp,
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
	var yes bool
	deleted := &cobra.Command{
		Use: "delete STUDY", Short: "Delete a study with its trials and its log; its blocks stay in the cache, and its validation still counts as an attempt",
		Long: `Deletes a study with its trials, its log and its result. On a terminal it asks first.
Its blocks stay in the cache, and its validation still counts as an attempt. sakusen db
dump STUDY and sakusen db backup FILE keep what is deleted.`,
		RunE: func(c *cobra.Command, args []string) error { return a.study.delete(c.Context(), args[0], yes) },
	}
	deleted.Flags().BoolVar(&yes, "yes", false, "do not ask")
	c := group("study", "Check, queue, list, show, compare, watch, pause, resume, stop or delete studies",
		studyWatchCommand(a), studyDropCommand(a), show, imported,
		&cobra.Command{
			Use: "list", Short: "List the studies of the database, one line each: state, verdict, gain with its 95 % interval, games, age",
			RunE: func(c *cobra.Command, _ []string) error { return a.study.list(c.Context()) },
		},
		&cobra.Command{
			Use: "compare STUDY STUDY...", Short: "Show studies beside each other: verdicts, gains, answers, settings that differ",
			Long: fmt.Sprintf(`Shows two to %d studies beside each other: the verdict, the gain and its interval,
and what the proof took; how far the gains lie apart, where all are above one
baseline; what each answer sets, baseline -> answer; and the settings that differ.
What keeps the numbers from being held against each other is said first.`, view.MostCompared),
			RunE: func(c *cobra.Command, args []string) error { return reports{a}.compare(c.Context(), args) },
		},
		deleted,
	)
	c.AddCommand(slices.Concat(studyControls(a), askCommands(a), a.study.fileCommands())...)
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
	return a.show(map[string]any{"studies": lines}, view.Studies(lines, time.Now()))
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
	result := view.Running(&study.Study)
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

func (a studyCommands) delete(ctx context.Context, name string, yes bool) error {
	if !yes && a.terminal && isTerminalIn(a.in) {
		answer := ""
		fmt.Fprintf(a.err, "Delete study %s with its trials, its log and its result? They cannot be had back; sakusen db dump %s writes them to a file. Type yes: ", name, name)
		if fmt.Fscanln(a.in, &answer); answer != "yes" {
			return usage(fmt.Errorf("study %s: nothing was deleted", name))
		}
	}
	err := a.link.atDatabase(ctx,
		func(s *service.Service) error {
			return a.database.unnamed(s.Queue().Delete(ctx, daemon.StudyKey(name)))
		},
		there(ctx, api.V1.DeleteStudy, &api.OfStudy{Study: name}, &api.Deleted{}))
	if err != nil {
		return err
	}
	return a.told(map[string]string{"deleted": name}, "study %s: deleted", name)
}

// studyWatchCommand shows a study until it ends.
func studyWatchCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "watch STUDY", Short: "Watch a study until it ends: its race, its phase, the time to a verdict",
		Long: `Shows how a study goes that a daemon or another command runs: its phase, the time
to a verdict, and its race with intervals; without a terminal, a line a minute.
Ctrl-C ends the watching, not the study. At its end the result is printed.

Exit code: that of the study's verdict; 0 where the watching ends before it.`,
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

// studyControls are the commands that queue, pause, resume, stop and delete studies. They
// ask the daemon that holds the database, or change the database themselves if there is
// none.
func studyControls(a *app) []*cobra.Command {
	var priority int
	submit := &cobra.Command{
		Use: "submit FILE", Short: "Queue a study for the daemon, from a study file or the name of an embedded study",
		RunE: func(c *cobra.Command, args []string) error { return a.study.submitFile(c.Context(), args[0], priority) },
	}
	submit.Flags().IntVar(&priority, "priority", 0, "how urgent it is, -10 to 10: each step doubles its share of the workers")
	hold := func(what, short string, do studyHolder, op api.Op[api.ActOnStudy, api.StudyState]) *cobra.Command {
		return &cobra.Command{
			Use: what + " STUDY", Short: short,
			RunE: func(c *cobra.Command, args []string) error { return a.study.hold(c.Context(), args[0], do, op) },
		}
	}
	return []*cobra.Command{
		submit,
		hold("pause", "Interrupt a study for a while; study resume continues it", service.Queue.Pause, api.V1.PauseStudy),
		hold("resume", "Put a paused, stopped or failed study back into the queue", service.Queue.Resume, api.V1.ResumeStudy),
		hold("stop", "End a study without a verdict; study resume takes it up again all the same", service.Queue.Stop, api.V1.StopStudy),
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
	return spec, a.link.atAnyDatabase(ctx,
		func(s *service.Service) error {
			signatures, err := a.signatures(ctx, spec)
			if err != nil {
				return err
			}
			return s.Studies().Files.Add(ctx, service.StudyFile{Setup: spec, Signatures: signatures, Source: file.source()}, priority)
		},
		there(ctx, api.V1.SubmitStudy, &api.Body[service.Submission]{Body: service.Submission{Spec: string(file.text), Name: file.source().Name, Priority: priority}}, &api.Named{}))
}

// studyHolder sets the state of a study in the database and returns it.
type studyHolder = func(service.Queue, context.Context, daemon.Key) (tuner.State, error)

// hold changes a study's state.
func (a studyCommands) hold(ctx context.Context, name string, do studyHolder, op api.Op[api.ActOnStudy, api.StudyState]) error {
	var now api.StudyState
	err := a.link.atDatabase(ctx,
		func(s *service.Service) error {
			state, err := do(s.Queue(), ctx, daemon.StudyKey(name))
			now.State = string(state)
			return err
		},
		there(ctx, op, &api.ActOnStudy{OfStudy: api.OfStudy{Study: name}}, &now))
	if err != nil {
		return err
	}
	return a.tellState(name, now.State)
}

func (a studyCommands) tellState(name, state string) error {
	return a.told(map[string]string{"study": name, "state": state}, "study %s: %s%s", name, state, a.link.waits(name, state))
}

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
	var done service.Dropped
	in := &api.Dropping{OfStudy: api.OfStudy{Study: name}}
	in.Body.Worker = worker
	next := "sakusen tune replays the study"
	err := a.link.atDatabase(ctx,
		func(s *service.Service) (err error) {
			done, err = s.Studies().Drop(ctx, name, worker)
			return a.database.unnamed(err)
		},
		func(c *client.Client) error {
			next = "the daemon replays the study"
			return there(ctx, api.V1.DropWorker, in, &done)(c)
		})
	if err != nil {
		return err
	}
	said := fmt.Sprintf("study %s: %d blocks of worker %s dropped; the log so far is kept as %s\n", name, done.Blocks, worker, done.Archived)
	for _, o := range done.Others {
		said += fmt.Sprintf("study %s has met blocks of that worker too: sakusen study show %s\n", o, o)
	}
	return a.told(map[string]any{
		"study": name, "worker": worker, "blocks": done.Blocks, "archived": done.Archived, "others": done.Others,
	}, "%s", said+next)
}
