package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"sakusen/cmd/cmdline"
	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/external"
	"sakusen/engines/plain"
	"sakusen/tuner/build"
	"sakusen/tuner/config"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/view"
)

// app is the program: its streams, its surroundings and what it knows.
type app struct {
	in       io.Reader
	out, err io.Writer // which show control characters as text while a command runs
	// rawOut and rawErr are the streams themselves, for what moves the cursor or has
	// colours.
	rawOut, rawErr io.Writer
	env            func(name string) (string, bool)
	terminal       bool            // err is a terminal
	builtIn        catalogue.Games // the program's own
	samplers       sampler.Kinds
	engines        *external.Engines
	games          catalogue.Games // with registered engines, and what they bring for people
	catalogue      arena.Catalogue // the same, alone
	// readIn, unless nil, reads the files named by rules in files of the user, relative to
	// a folder; see catalogueOf.
	readIn func(folder string) func(path string) ([]byte, error)
	notes  []string // what tellOnce has said
	// hook is called at named points of a study; tests kill the process there.
	hook func(point string)

	flags struct {
		db, config    string
		workers       int
		quiet, asJSON bool
		verbose       bool
		technical     bool // of tune and study show
		live          bool // of tune
	}
	settings *config.Config
	given    map[string]string // settings on the command line
	late     error             // of a database that was read
	wait     *view.Wait
	shown    statuses
	kept     atomic.Value  // string: what an interruption leaves
	moment   time.Duration // see [Process]
	started  bool          // the command line has been read; errors before that are bad usage

	study     studyCommands
	file      fileCommands
	elsewhere elsewhereCommands
	contest   contestCommands
	bench     benchCommands
	gate      gateCommands
	game      gameCommands
	tubstap   tubstapCommands
	engine    engineCommands
	database  databaseCommands
	link      link
	daemon    daemonCommands
}

// The steps of commands by what they are about.
type (
	studyCommands     struct{ *app } // tune, export, study
	fileCommands      struct{ *app } // study check, new, keys: study files
	elsewhereCommands struct{ *app } // ask, tell
	contestCommands   struct{ *app } // match, tournament, experiment
	benchCommands     struct{ *app } // bench, but for its gate
	gateCommands      struct{ *app } // bench gate
	gameCommands      struct{ *app } // play, analyse, solve, new
	tubstapCommands   struct{ *app } // tubstap
	engineCommands    struct{ *app } // engine, and engines that any command names
	daemonCommands    struct{ *app } // serve and worker
	databaseCommands  struct{ *app } // db, and the database as others read it
	programCommands   struct{ *app } // config, version
	link              struct{ *app } // the daemon that holds the database, if one does
)

// group ties the steps of all commands to the program.
func (a *app) group() {
	a.file, a.elsewhere = fileCommands{a}, elsewhereCommands{a}
	a.study, a.contest, a.bench, a.gate = studyCommands{a}, contestCommands{a}, benchCommands{a}, gateCommands{a}
	a.game, a.tubstap, a.engine = gameCommands{a}, tubstapCommands{a}, engineCommands{a}
	a.database, a.link, a.daemon = databaseCommands{a}, link{a}, daemonCommands{a}
}

// configure reads the settings before any command runs.
func (a *app) configure(c *cobra.Command) error {
	a.started = true
	if err := errors.Join(cmdline.CheckFlags(c), usage(a.samplers.Check())); err != nil {
		return err
	}
	a.given = map[string]string{}
	flags := c.Root().PersistentFlags()
	if flags.Changed("db") {
		a.given["database"] = a.flags.db
	}
	if flags.Changed("workers") {
		a.given["workers"] = strconv.Itoa(a.flags.workers)
	}
	settings, err := a.load()
	if err != nil {
		return usage(err)
	}
	a.settings = settings
	for _, w := range settings.Warnings {
		a.say("%s", w)
	}
	a.wait = view.NewWait(a.status(), func(text string) { a.say("%s", text) })
	return usage(a.engine.openEngines(nil, nil))
}

// load reads the settings from where the command line says.
func (a *app) load() (*config.Config, error) {
	return config.Load(config.Source{File: a.flags.config, Env: a.env, Environ: os.Environ(), Flags: a.given})
}

// workers returns the number of games to play at a time.
func (a *app) workers() int {
	if n := a.settings.Integer("workers"); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// pool returns a host of this process.
func (a *app) pool() *arena.Pool {
	p := arena.NewPool(a.workers())
	arena.NewGauge(p, a.engines.Speed, arena.SpeedSpan, arena.SpeedAge, slog.New(slog.DiscardHandler))
	return p
}

// say prints a line for people, unless they asked for quiet.
func (a *app) say(format string, args ...any) {
	text := plain.Bounded(fmt.Sprintf(format, args...))
	if a.terminal {
		text = plain.Wrap(text, "  ", min(columns(), plain.Width))
	}
	if !a.flags.quiet {
		fmt.Fprintln(a.err, text)
	}
}

// detail prints a line for people who asked for more.
func (a *app) detail(format string, args ...any) {
	if a.flags.verbose {
		a.say(format, args...)
	}
}

// note prints a note for people.
func (a *app) note(text string) { a.say("note: %s", text) }

// isTerminal reports whether a file is a terminal.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// isTerminalIn reports whether input is typed.
func isTerminalIn(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && isTerminal(f)
}

// columns returns the width of that terminal.
func columns() int {
	n, _ := terminalSize()
	return n
}

// terminalSize returns the size of the terminal that shows progress, 80 by 24 where it
// cannot be told.
func terminalSize() (width, height int) {
	if w, h, err := term.GetSize(int(os.Stderr.Fd())); err == nil && w > 0 && h > 0 {
		return w, h
	}
	return 80, 24
}

// status returns the line on which progress is shown, nil if none is wanted.
func (a *app) status() *view.Status {
	if a.flags.quiet {
		return nil
	}
	s := view.NewStatus(a.rawErr, nil, time.Now)
	switch {
	case a.terminal:
		s = view.NewStatus(a.rawErr, columns, time.Now)
	case a.flags.verbose:
		s.Verbose()
	}
	a.shown.add(s)
	return s
}

// statuses are all lines of progress of a command.
type statuses struct {
	mu  sync.Mutex
	all []*view.Status
}

func (l *statuses) add(s *view.Status) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, s)
}

// end ends them, for what is printed while a command that was interrupted still runs.
func (l *statuses) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.all {
		s.End()
	}
}

// newTicker shows how far so many blocks are.
func newTicker(a *app, total int64) *view.Ticker {
	return view.NewTicker(a.status(), total, time.Now)
}

// run runs one command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	a.rawOut, a.rawErr = a.out, a.err
	out, errs := plain.NewWriter(named{a.out}), plain.NewWriter(named{a.err})
	a.out, a.err = out, errs
	root := a.root()
	root.SetArgs(args)
	defer a.engine.closeEngines()
	err := errors.Join(executed(ctx, root, args, a.moment), out.Flush())
	defer errs.Flush()
	if err == nil {
		err = a.late
	}
	if !a.started {
		err = usage(err)
	}
	if a.settings != nil {
		err = sqlitedb.Damage(a.settings.Text("database"), err)
	}
	a.shown.end()
	code, message := exitOf(ctx, err)
	if kept, ok := a.kept.Load().(string); ok && message == interrupted {
		message += "; " + kept
	}
	if message = plain.Bounded(message); message != "" {
		fmt.Fprintln(a.err, build.Program()+": "+message)
	}
	return code
}

// named writes texts whose commands begin with the program's name.
type named struct{ io.Writer }

func (n named) Write(text []byte) (int, error) {
	_, err := n.Writer.Write(build.Named(text))
	return len(text), err
}

// root returns the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   build.Program(),
		Short: "Tune game strategies by self-play, and guard their speed with benchmarks",
		Long: `Sakusen tunes game strategies by self-play and tells whether a change made a Go program slower.

Results go to standard output, progress and notes to standard error.

Exit codes: 0 done or passed, 1 failed (the verdict is negative), 2 a mistake in
the command line, the settings or the input, 3 undecided, 4 nothing to do or
to compare, 5 an error of the program or the machine, 130 interrupted.

About the program itself: config (every setting and where it comes from), version,
man DIR (manual pages), completion SHELL.`,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			return a.configure(c)
		},
	}
	f := root.PersistentFlags()
	f.StringVar(&a.flags.db, "db", "", "the database file (default sakusen.db)")
	f.StringVar(&a.flags.config, "config", "", "the settings file (default config.yaml, if there is one)")
	f.IntVar(&a.flags.workers, "workers", 0, "number of games played at the same time (default: the number of processors)")
	f.BoolVar(&a.flags.asJSON, "json", false, "print one JSON document")
	f.BoolVarP(&a.flags.quiet, "quiet", "q", false, "no progress and no notes on standard error")
	f.BoolVarP(&a.flags.verbose, "verbose", "v", false, "more notes on standard error, and progress every 5 seconds")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	a.addCommands(root)
	cmdline.Complete(root)
	completeArguments(a, root)
	root.Version = build.Version
	root.SetVersionTemplate("sakusen {{.Version}} (commit " + build.Commit() + ")\n")
	if name := build.Program(); name != "sakusen" { // whose commit it is
		root.SetVersionTemplate(name + " (commit " + build.Commit() + "), with sakusen {{.Version}}\n")
	}
	return root
}

// executed runs a command. Once it is interrupted it has a moment, unless that is 0, to end in
// order, unless it is one that cleans up after itself; what it keeps is whole whenever it ends.
func executed(ctx context.Context, root *cobra.Command, args []string, moment time.Duration) error {
	c, _, err := root.Find(args)
	for err == nil && c.HasParent() && c.Parent() != root {
		c = c.Parent()
	}
	if moment == 0 || err != nil || slices.Contains([]string{"bench", "serve", "worker"}, c.Name()) {
		return root.ExecuteContext(ctx)
	}
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(moment):
		return ctx.Err()
	}
}
