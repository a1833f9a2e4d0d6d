package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"sakusen/cmd/benchcmd"
	"sakusen/cmd/cmdline"
	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/view"
)

func (a studyCommands) tuneCommand() command {
	return command{
		use: "tune STUDY", short: "Run a study to its verdict: STUDY is a file, the name of an embedded study, or one in the database", bind: a.tune,
		long: `Runs a study to its verdict. The search proposes parameter sets in batches and
lets all of them play the same games; weak sets are stopped early. A final on new seeds
chooses among the best few; a sampler with a model of all games proposes the model's
optimum instead. The winner then plays against the baseline on seeds that the
search has not seen, and the verdict says whether it is better.

An interrupted study continues where it stopped; a finished one prints its stored result
again. In both cases the study's name is enough: the database keeps the file.

An engine is tuned by its name: one of config.yaml, of --engine, or of the key engines of
the study file. The command of a study file's engine is run, so read a file from others
before you run it, as you would read a script. Games that cannot be played again, for
instance games by the clock, are kept, and the study is "recorded".

Candidates play against the baseline. With evaluate: {mode: duels} they play
against each other in pairs, with evaluate: {mode: pool} against the rest of their
generation.

Samplers (sampler: {name: ...}; without a name the parameters decide which):
` + a.samplers.List() + `
Exit code: 0 pass, 1 fail, 3 undecided, 130 interrupted and resumable.`,
	}
}

// tune runs a study, goes on with it, or shows its result.
func (a studyCommands) tune(c *cobra.Command) action {
	fs := c.Flags()
	engines := addEngineFlags(c, "an engine for this study")
	begin := fs.StringArray("begin", nil, "a point to try first, NAME=VALUE[,NAME=VALUE...] (repeatable); like begin in the study file")
	beginFrom := fs.String("begin-from", "", "begin with the games of this earlier study; like begin_from in the study file")
	var seed uint64
	cmdline.Seed(fs, &seed, 0, "use this seed instead of the study file's")
	fs.BoolVar(&a.flags.live, "live", false, "show a screen with the race, its intervals, and the time to a verdict")
	technical(a.app, c)
	return func(ctx context.Context, args []string) error {
		file, err := a.file.findStudy(args[0])
		if _, unknown := errors.AsType[unknownStudy](err); unknown {
			stored, ok := a.database.storedFile(ctx, args[0])
			if ok {
				file, err = stored, nil
			} else if a.database.databaseExists() {
				err = usage(fmt.Errorf("%w; the database has none of this name either", err))
			}
		}
		if err != nil {
			return err
		}
		if err := a.link.checkLive(); err != nil {
			return err
		}
		if fs.Changed("seed") {
			file.seed = &seed
		}
		if file.text, err = studyfile.Begin(file.text, *begin, *beginFrom); err != nil {
			return usage(err)
		}
		if err := engines.open(a.engine, file); err != nil {
			return usage(err)
		}
		return a.run(ctx, file)
	}
}

// technical adds the flag for a report with the numbers of its statistics.
func technical(a *app, c *cobra.Command) {
	c.Flags().BoolVar(&a.flags.technical, "technical", false, "print the statistics' numbers instead of sentences")
}

// run plays, resumes or shows a study.
func (a studyCommands) run(ctx context.Context, file studyFile) error {
	spec, err := file.spec(a.app, nil)
	if err != nil {
		return err
	}
	tried := context.AfterFunc(ctx, a.engines.Close) // while nothing of what they play is kept
	defer tried()
	if stored, err := a.finished(ctx, file, &spec); err != nil || stored != nil {
		if err != nil {
			return err
		}
		a.sayChanged(spec)
		return a.printResult(spec.Spec, stored)
	}
	signatures, err := a.signatures(ctx, spec)
	if err != nil {
		return err
	}
	tried()
	if err := service.CheckInternal(spec.Spec); err != nil {
		return err
	}
	p, err := a.link.openToWrite(ctx, 0)
	if err != nil {
		return err
	}
	if p.daemon != nil {
		return a.tuneAtDaemon(ctx, file, spec, p.daemon)
	}
	s, err := p.service(a.app, ctx)
	if err != nil {
		return errors.Join(err, p.close())
	}
	show := a.status()
	var proving sync.Once
	tell, stop := func(now tuner.Progress) {
		if now.Phase == "validation" && now.Answer != nil {
			proving.Do(func() {
				show.Clear()
				a.say("%s", plain.Text(view.Proving(spec.Spec, &now)))
			})
		}
		show.Show(view.Progress(&service.Study{Progress: service.ProgressOf(now), MaxTrials: now.MaxTrials}))
	}, func() error { return nil }
	if a.flags.live {
		tell, stop = view.LiveTuning(ctx, s.Studies().Logs.Watch(spec.Name), a.rawErr, terminalSize)
	}
	f := service.StudyFile{Setup: spec, Signatures: signatures, Source: file.source()}
	result, err := s.Studies().Tune(ctx, f, a.pool(), tell, func(created bool) {
		a.kept.Store("the same command goes on where study " + spec.Name + " stopped")
		if created {
			a.detail("study %s: race: %s", spec.Name, spec.Race.String())
			a.say("study %s: at most %d games and %d trials, sampler %s", spec.Name, spec.Budget.Games, service.MostTrials(spec, a.samplers), spec.Sampler.Name)
			for _, w := range spec.Warnings {
				a.say("warning: %s", w)
			}
		} else {
			a.say("study %s: resumed", spec.Name)
			a.sayChanged(spec)
		}
	})
	show.Clear()
	if err = errors.Join(err, stop(), p.close()); err != nil {
		return err
	}
	return a.printResult(spec.Spec, result)
}

// sayChanged prints what the file of a stored study has changed.
func (a studyCommands) sayChanged(s *tuner.Setup) {
	for _, what := range s.Changed {
		a.say("study %s: %s", s.Name, what)
	}
}

// signatures returns the signatures of a study's strategies. It takes seconds where one is an
// external program, or where the rules make games long.
func (a studyCommands) signatures(ctx context.Context, spec *tuner.Setup) (string, error) {
	a.wait.Step("the signatures of "+strings.Join(spec.Strategies(), ", "), 0, 0)
	defer a.wait.Step("", 0, 0)
	return spec.Ruleset.Signatures(ctx, spec.Strategies()...)
}

// finished returns the stored result of a study that is done, nil where there is none. It does
// not try the study's external programs again.
func (a studyCommands) finished(ctx context.Context, file studyFile, spec **tuner.Setup) (result *tuner.Result, err error) {
	if !a.database.databaseExists() {
		return nil, nil
	}
	s, end, err := a.database.reading(ctx)
	if schema, ok := errors.AsType[*sqlitedb.SchemaError](err); ok && schema.Have < schema.Know {
		return nil, nil // opening it for writing migrates it
	}
	if err != nil {
		return nil, err
	}
	defer end()
	a.engines.Untried = true
	defer func() { a.engines.Untried = false }()
	signatures, err := a.signatures(ctx, *spec)
	if err != nil {
		return nil, err
	}
	*spec, result, err = service.Finished(ctx, s.Store(), a.samplers, service.StudyFile{Setup: *spec, Signatures: signatures, Source: file.source()}, func(b *tuner.Budget) (*tuner.Setup, error) {
		return file.spec(a.app, b)
	})
	return result, err
}

// tuneAtDaemon lets the daemon that holds the database run a study, and waits
// for its verdict.
func (a studyCommands) tuneAtDaemon(ctx context.Context, file studyFile, spec *tuner.Setup, c *client.Client) error {
	if file.seed != nil {
		return usage(fmt.Errorf("--seed cannot be given while the daemon at %s holds the database: it runs study files as they are", c.Address()))
	}
	c = c.WithRetry()
	if err := c.BeginStudy(ctx, spec.Name, service.Submission{Spec: string(file.text), Name: file.source().Name}); err != nil {
		return err
	}
	a.say("study %s: runs at the daemon, %s", spec.Name, c.Address())
	a.sayChanged(spec)
	if a.flags.live {
		if _, err := a.link.watch(ctx, spec.Name); err != nil {
			return err
		}
	}
	show := a.status()
	d, err := c.AwaitStudy(ctx, spec.Name, func(d *service.StudyDetail) {
		if d.Progress != nil {
			show.Show(view.Progress(&d.Study))
		}
	})
	show.Clear()
	if ctx.Err() != nil {
		return cmdline.Exit(cmdline.Interrupted, fmt.Errorf("study %s goes on in the daemon; sakusen study pause %s pauses it", spec.Name, spec.Name))
	}
	if err != nil {
		return err
	}
	if d.Result == nil {
		return cmdline.Exit(cmdline.Interrupted, fmt.Errorf("study %s is %s: %s", spec.Name, d.State, d.Message))
	}
	if d.State == "failed" {
		return errors.New(d.Message)
	}
	return a.printResult(spec.Spec, d.Result)
}

// printJSON prints one JSON document on standard output.
func (a *app) printJSON(v any) error { return benchcmd.PrintJSON(a.out, v) }

// print prints a result, as one JSON document or as text for people.
func (a *app) print(v any, text func(w io.Writer) error) error {
	if a.flags.asJSON {
		return a.printJSON(v)
	}
	return text(a.out)
}

// told prints what was done, as one JSON document or as lines for people.
func (a *app) told(v any, format string, args ...any) error {
	if a.flags.asJSON {
		return a.printJSON(v)
	}
	a.say(format, args...)
	return nil
}

// table prints a list of the program, whole, as one JSON document or as columns.
func (a *app) table(v any, rows func(line func(cells ...any))) error {
	return a.print(v, func(w io.Writer) error { return view.Table(w, rows) })
}

// listing prints what a user has made as table does, of a long list its first lines and how many
// there are beside them.
func (a *app) listing(v any, rows func(line func(cells ...any))) error {
	return a.print(v, func(w io.Writer) error {
		lines := 0
		err := view.Table(w, func(line func(cells ...any)) {
			rows(func(cells ...any) {
				if lines++; lines <= view.MostLines {
					line(cells...)
				}
			})
		})
		if err == nil && lines > view.MostLines {
			_, err = fmt.Fprintf(w, "and %d more (--json has all)\n", lines-view.MostLines)
		}
		return err
	})
}

// readFile reads a file, "-" for standard input.
func (a *app) readFile(name string) ([]byte, error) {
	if name == "-" {
		return plain.ReadAll(a.in, "standard input", plain.MostRecord)
	}
	return plain.ReadFile(name, plain.MostRecord)
}

// show prints a result, as JSON or as text.
func (a *app) show(v any, sections ...view.Section) error {
	return a.print(v, func(w io.Writer) error { return view.Text(w, sections...) })
}

// printResult prints a finished study and turns its verdict into the exit code.
func (a studyCommands) printResult(spec *tuner.Spec, r *tuner.Result) error {
	sections := a.result(spec, r)
	if err := a.show(view.With{Result: r, Sections: sections}, view.Without(sections, "games")...); err != nil {
		return err
	}
	return cmdline.Verdict(r.Exit())
}

// result returns a finished study in sentences, or in numbers.
func (a studyCommands) result(spec *tuner.Spec, r *tuner.Result) []view.Section {
	if a.flags.technical && !a.flags.asJSON {
		return view.Numbers(spec, r)
	}
	return view.Study(spec, r)
}
