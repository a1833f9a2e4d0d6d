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
	"sakusen/tuner/studyfile"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
)

// command returns the commands about studies.
func (a studyCommands) command() command {
	return command{
		use: "study", short: "Check, queue, list, show, compare, watch, pause, resume, stop or delete studies",
		sub: slices.Concat([]command{
			{
				use: "watch STUDY", short: "Show the progress of a study until it ends: its phase, its race, the time to a verdict", do: a.watch,
				long: `Shows the progress of a study that a daemon or another command runs: its phase,
the time to a verdict, and its race with intervals; without a terminal, a line a minute.
Ctrl-C ends the watching, not the study. When the study ends, its result is printed.

Exit code: that of the study's verdict; 0 if the watching ends before it.`,
			},
			{
				use: "drop STUDY --worker NAME", short: "Remove a worker's blocks from the database, and start the study again without them", bind: a.drop,
				long: `Removes all blocks that a worker has played from the database, and begins the
study anew. The old log does not change: it is kept as STUDY@1, STUDY@2, ..., which is
stopped and cannot be exported. The next sakusen tune runs the study again from its first
entry; it plays only the removed blocks, and blocks of other parameter sets if decisions
now differ. A daemon that holds the database runs the study again by itself; pause the
study first (study pause).

Exit code: 4 if the worker has played no block of the study.`,
			},
			{use: "show STUDY", short: "Show a study's state, trials and result", bind: a.showStudy},
			{
				use: "import FILE", short: "Write a study file from one of OpenBench, fishtest, weather-factory or chess-tuning-tools", bind: a.importStudy,
				long: service.ImportHelp,
			},
			{use: "list", short: "List the studies of the database, one line each: state, verdict, gain with its 95 % interval, games, age", bind: a.listStudies},
			{
				use: "compare STUDY STUDY...", short: "Show studies side by side: verdicts, gains, answers, settings that differ", do: reports(a).compare,
				long: fmt.Sprintf(`Shows 2 to %d studies side by side: the verdict, the gain and
its interval, and the games of the proof; the differences between the gains, if all have
the same baseline; each parameter, baseline -> answer; and the settings that differ. If
the numbers must not be compared, the first lines say why.`, view.MostCompared),
			},
			{
				use: "delete STUDY", short: "Delete a study with its trials and its log; its blocks stay in the cache, and its validation still counts as an attempt", bind: a.delete,
				long: `Deletes a study with its trials, its log and its result. On a terminal it asks first.
Its blocks stay in the cache, and its validation still counts as an attempt. Before that,
sakusen db dump STUDY or sakusen db backup FILE can save the study.`,
			},
			{use: "submit FILE", short: "Queue a study for the daemon, from a study file or the name of an embedded study", bind: a.submitFile},
			{use: "pause STUDY", short: "Interrupt a study for a while; study resume continues it", do: a.hold(service.Queue.Pause, api.V1.PauseStudy)},
			{use: "resume STUDY", short: "Put a paused, stopped or failed study back into the queue", do: a.hold(service.Queue.Resume, api.V1.ResumeStudy)},
			{use: "stop STUDY", short: "End a study without a verdict; study resume can still continue it", do: a.hold(service.Queue.Stop, api.V1.StopStudy)},
		}, a.elsewhere.commands(), a.file.commands()),
	}
}

func (a studyCommands) listStudies(c *cobra.Command) action {
	limit := c.Flags().Int("limit", view.MostLines, "studies to print, the latest; 0 for all (--json has all)")
	return func(ctx context.Context, _ []string) error {
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
		return a.show(map[string]any{"studies": lines}, view.Studies(lines, time.Now(), *limit))
	}
}

func (a studyCommands) showStudy(c *cobra.Command) action {
	limit := c.Flags().Int("limit", view.MostLines, "trials to print; 0 for all (--json has all)")
	technical(a.app, c)
	return func(ctx context.Context, args []string) error {
		s, end, err := a.database.reading(ctx)
		if err != nil {
			return err
		}
		defer end()
		study, err := s.Studies().Whole(ctx, args[0])
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
		if err := view.Text(a.out, view.Whole(study, *limit)...); err != nil || study.Result == nil {
			return err
		}
		return view.Text(a.out, result...)
	}
}

// importStudy writes a study file from one of another tuner.
func (a studyCommands) importStudy(c *cobra.Command) action {
	var target export.Target
	c.Flags().StringVar(&target.Name, "name", "", "the study's name (default: from the file)")
	c.Flags().StringVar(&target.Engine, "engine", "", "the registered name of the engine that is tuned")
	return func(_ context.Context, args []string) error {
		text, err := a.readFile(args[0])
		target.Ask = func(study string) (*tuner.Setup, error) {
			return studyfile.Read(args[0], []byte(study), a.catalogueOf("."), a.samplers)
		}
		if err == nil {
			text, err = service.ImportStudy(args[0], text, target)
		}
		if err != nil {
			return usage(err)
		}
		_, err = a.out.Write(text)
		return err
	}
}

func (a studyCommands) delete(c *cobra.Command) action {
	yes := c.Flags().Bool("yes", false, "do not ask")
	return func(ctx context.Context, args []string) error {
		name := args[0]
		if !*yes && !(a.terminal && isTerminalIn(a.in)) {
			return usage(fmt.Errorf("study %s: nothing was deleted, as there is no terminal at which to ask: --yes deletes it; sakusen db dump %s writes it to a file", name, name))
		}
		if !*yes {
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
}

// watch shows a study until it ends.
func (a studyCommands) watch(ctx context.Context, args []string) error {
	d, err := a.link.watch(ctx, args[0])
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
	return a.printResult(spec, d.Result)
}

func (a studyCommands) submitFile(c *cobra.Command) action {
	priority := c.Flags().Int("priority", 0, "priority, -10 to 10: each step doubles the study's share of the workers")
	return func(ctx context.Context, args []string) error {
		if err := daemon.CheckPriority(*priority); err != nil {
			return usage(fmt.Errorf("--priority: %w", err))
		}
		spec, err := a.submit(ctx, args[0], *priority, func(*tuner.Spec) error { return nil })
		if err != nil {
			return err
		}
		return a.tellState(spec.Name, "queued")
	}
}

// submit puts a study into the queue unless something speaks against it.
func (a studyCommands) submit(ctx context.Context, name string, priority int, against func(*tuner.Spec) error) (*tuner.Setup, error) {
	file, err := a.file.findStudy(name)
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

// hold returns what changes a study's state: here, or at the daemon that holds the database.
func (a studyCommands) hold(do func(service.Queue, context.Context, daemon.Key) (tuner.State, error), op api.Op[api.ActOnStudy, api.StudyState]) action {
	return func(ctx context.Context, args []string) error {
		name := args[0]
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
}

func (a studyCommands) tellState(name, state string) error {
	return a.told(map[string]string{"study": name, "state": state}, "study %s: %s%s", name, state, a.link.waits(name, state))
}

func (a studyCommands) drop(c *cobra.Command) action {
	var worker string
	c.Flags().StringVar(&worker, "worker", "", "the worker whose blocks are removed")
	return func(ctx context.Context, args []string) error {
		if worker == "" {
			return usage(errors.New("--worker: expected the name of a worker (sakusen db check lists them)"))
		}
		name := args[0]
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
}
