package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sakusen/cmd/cmdline"
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/build"
	"sakusen/tuner/config"
	"sakusen/tuner/contest"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/export"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
)

// closing closes a database that was read, and keeps what is wrong with what was read
// for the end of the command.
func (a databaseCommands) closing(db *sqlitedb.DB) func() error {
	return func() error {
		err := db.Close()
		a.late = errors.Join(a.late, err)
		return err
	}
}

// databaseExists reports whether there is a database, which an empty file is not.
func (a databaseCommands) databaseExists() bool {
	db, err := sqlitedb.OpenReadOnly(context.Background(), a.settings.Text("database"))
	if err == nil {
		err = db.Close()
	}
	return !errors.Is(err, fs.ErrNotExist)
}

// needDatabase refuses what needs a database where there is none.
func (a databaseCommands) needDatabase() error {
	if a.databaseExists() {
		return nil
	}
	return usage(fmt.Errorf("%s: there is no database yet: sakusen tune makes one, and --db names another", a.settings.Text("database")))
}

// point calls the hook of tests, if there is one.
func (a *app) point(name string) {
	if a.hook != nil {
		a.hook(name)
	}
}

// options returns a service's, as the settings say.
func (a databaseCommands) options(pool *arena.Pool, log *slog.Logger) service.Options {
	return service.Options{
		Catalogue:   a.catalogue,
		Samplers:    a.samplers,
		Experiments: func() ([]experiment.Experiment, error) { return a.contest.experiments() },
		Settings: service.Settings{
			Workers: a.workers(), StudiesAtOnce: a.settings.Integer("studies_at_once"), BlocksDays: a.settings.Integer("retention.blocks_days"),
			BaselineBranch: cmp.Or(a.settings.Text("bench.baseline_branch"), "main"), Commit: build.Commit(),
		},
		Pool: pool, Log: log, Hook: a.hook, Program: programOf,
	}
}

// reading opens the database for reading, also while another process writes it.
func (a databaseCommands) reading(ctx context.Context) (s *service.Service, end func() error, err error) {
	db, err := sqlitedb.OpenReadOnly(ctx, a.settings.Text("database"))
	if err != nil {
		return nil, nil, err
	}
	o := a.options(nil, nil)
	o.Program = a.program
	if s, err = service.Open(ctx, db, o); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return s, a.closing(db), nil
}

// program returns how an engine is started, of a study's text, the command line, the settings or the store.
func (a databaseCommands) program(study, name string) *export.ForeignEngine {
	if own := programOf(study, name); own != nil {
		return own
	}
	for _, e := range a.engines.Entries() {
		if e.Name == name && len(e.Command) > 0 {
			out := &export.ForeignEngine{Command: slices.Clone(e.Command)}
			if path, err := filepath.Abs(e.Command[0]); err == nil && e.Package != "" {
				out.Command[0] = path // in the store
			}
			for _, o := range e.Options {
				out.Options = append(out.Options, param.Value{Name: o.Name, Text: o.Value})
			}
			return out
		}
	}
	return nil
}

// programOf returns how an engine is started that a study's text brings, which is all that a daemon tells.
func programOf(study, name string) *export.ForeignEngine {
	own, _ := config.EnginesOf("study", []byte(study)) // it was read before it was played
	for _, e := range own {
		if e.Name == name {
			out := &export.ForeignEngine{Command: e.Command}
			for _, o := range e.Options {
				out.Options = append(out.Options, param.Value{Name: o.Name, Text: o.Value})
			}
			return out
		}
	}
	return nil
}

// needed does what reading does, for a database that must exist.
func (a databaseCommands) needed(ctx context.Context) (s *service.Service, end func() error, err error) {
	if err := a.needDatabase(); err != nil {
		return nil, nil, err
	}
	return a.reading(ctx)
}

// unnamed adds to an error about an unknown study where it was looked for, and where else
// to look.
func (a databaseCommands) unnamed(err error) error {
	if e, ok := errors.AsType[*service.Error](err); ok && e.Code == service.NotFound && e.Reason == "" {
		return service.Wrap(service.NotFound, fmt.Errorf("%s: %w (see sakusen study list)", a.settings.Text("database"), e))
	}
	return err
}

// target is where a command writes: the open database, or, where a daemon holds
// that, the daemon. One of the two is nil.
type target struct {
	db     *sqlitedb.DB
	daemon *client.Client
}

// openToWrite opens the database, or finds the daemon that holds it. If another command is
// writing, it waits for some time; it never waits for a daemon.
func (a link) openToWrite(ctx context.Context, patience time.Duration) (target, error) {
	deadline := time.Now().Add(patience)
	for {
		db, err := sqlitedb.Open(ctx, a.settings.Text("database"), sqlitedb.Options{Point: a.point, Note: a.note})
		if err == nil {
			return target{db: db}, nil
		}
		locked, ok := errors.AsType[*sqlitedb.LockedError](err)
		switch {
		case !ok:
			return target{}, err
		case locked.Address != "":
			c, err := a.clientOf(locked)
			return target{daemon: c}, err
		case time.Now().After(deadline):
			return target{}, err
		}
		select {
		case <-ctx.Done():
			return target{}, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// close closes the database, if it is open.
func (p target) close() error {
	if p.db == nil {
		return nil
	}
	return p.db.Close()
}

// service returns what can be done with the database.
func (p target) service(a *app, ctx context.Context) (*service.Service, error) {
	return service.Open(ctx, p.db, a.database.options(nil, nil))
}

// atDatabase works with the database, which must be there, or with the daemon that holds it.
func (a link) atDatabase(ctx context.Context, here func(*service.Service) error, there func(*client.Client) error) error {
	if err := a.database.needDatabase(); err != nil {
		return err
	}
	return a.atAnyDatabase(ctx, here, there)
}

// atAnyDatabase does what atDatabase does, and makes the database if there is none.
func (a link) atAnyDatabase(ctx context.Context, here func(*service.Service) error, there func(*client.Client) error) error {
	p, err := a.openToWrite(ctx, 0)
	if err != nil {
		return err
	}
	if p.daemon != nil {
		return there(p.daemon)
	}
	s, err := p.service(a.app, ctx)
	if err == nil {
		err = here(s)
	}
	return errors.Join(err, p.close())
}

// there asks the daemon that holds the database for an operation; into gets its answer.
func there[In, Out any](ctx context.Context, op api.Op[In, Out], in *In, into *Out) func(*client.Client) error {
	return func(c *client.Client) error {
		out, err := client.Call(ctx, c, op, in)
		if err == nil {
			*into = *out
		}
		return err
	}
}

// clientOf returns the client of the daemon that holds the database.
func (a link) clientOf(locked *sqlitedb.LockedError) (*client.Client, error) {
	var o client.Options
	for _, setting := range []string{"client_token_file", "token_file"} {
		file := a.settings.Text(setting)
		if file == "" {
			continue
		}
		var err error
		if o.Token, err = api.TokenToSend(file); err != nil {
			return nil, usage(fmt.Errorf("%s: %w", setting, err))
		}
		if err := client.Prove(locked.Address, locked.Path+".lock", locked.PID); err != nil {
			return nil, usage(fmt.Errorf("%w: %w", locked, err))
		}
		break
	}
	if file := a.settings.Text("tls_cert"); file != "" && strings.HasPrefix(locked.Address, "https:") {
		var err error
		if o.Certificate, err = plain.ReadFile(file, plain.MostText); err != nil {
			return nil, usage(fmt.Errorf("tls_cert: %w", err))
		}
	}
	c, err := client.New(locked.Address, o)
	if err != nil {
		return nil, usage(fmt.Errorf("%w: %w", locked, err))
	}
	return c, nil
}

// blockCache opens the cache of blocks in the database. If a daemon holds the database,
// blocks are read from the file and written through the daemon, which is then returned.
func (a link) blockCache(ctx context.Context) (cache tuner.Blocks, daemon *client.Client, end func() error, err error) {
	p, err := a.openToWrite(ctx, 0)
	if err != nil {
		return nil, nil, nil, err
	}
	if p.daemon == nil {
		s, err := p.service(a.app, ctx)
		if err != nil {
			return nil, nil, nil, errors.Join(err, p.close())
		}
		return s.Store().Blocks(), nil, p.close, nil
	}
	if err := p.daemon.Check(ctx); err != nil { // before anything is played
		return nil, nil, nil, err
	}
	s, end, err := a.database.reading(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	return p.daemon.Through(s.Store().Blocks()), p.daemon, end, nil
}

// waits returns the note that nothing runs a queued study if no daemon holds the database;
// it is empty otherwise.
func (a link) waits(name, state string) string {
	path := a.settings.Text("database")
	if held, ok := sqlitedb.Writer(path); state != string(tuner.Queued) || ok && held.Address != "" {
		return ""
	}
	return fmt.Sprintf("; no daemon holds %s, so nothing runs it: sakusen serve runs what is queued, sakusen tune %s runs it here", path, name)
}

// watch shows a study until it no longer runs; see [view.Watch]. One that nothing runs is
// an error.
func (a link) watch(ctx context.Context, name string) (*service.StudyDetail, error) {
	s, end, err := a.database.needed(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	size := terminalSize
	if !a.terminal || a.flags.quiet {
		size = nil
	}
	watched := s.Studies().Logs.Watch(name)
	if l, err := watched.Look(ctx, 1); err == nil {
		if waits := a.waits(name, l.Study.State); waits != "" {
			return nil, cmdline.Exit(cmdline.Nothing, fmt.Errorf("study %s is %s%s", name, l.Study.State, waits))
		}
	}
	return view.Watch(ctx, watched, a.rawErr, size, a.status(), func(d *service.StudyDetail) *service.Progress {
		held, ok := sqlitedb.Writer(s.Store().DB().Path())
		if !ok || held.Address == "" {
			return nil
		}
		var now service.StudyDetail
		if c, err := a.clientOf(held); err != nil || there(ctx, api.V1.GetStudy, &api.OfStudy{Study: d.Study.Study}, &now)(c) != nil {
			return nil
		}
		return now.Progress
	})
}

// checkLive refuses a screen where there is no terminal.
func (a link) checkLive() error {
	if !a.flags.live || a.terminal && !a.flags.quiet {
		return nil
	}
	return usage(errors.New("--live: expected a terminal on standard error, and not --quiet"))
}

// recorder is a host that may store what it plays in the database.
type recorder struct {
	arena.Host
	kept bool
	// daemon holds the database and can do the work instead; nil if there is no daemon.
	daemon *client.Client
	end    func() error // closes the database
}

// openRecorder opens the database if the games are to be stored. The results do not depend
// on it. While another command writes the database, games are played without storing them;
// a daemon that holds it gets them, or does the work.
func (a link) openRecorder(ctx context.Context, keep bool) (*recorder, error) {
	r := &recorder{Host: a.pool(), end: func() error { return nil }}
	if !keep {
		return r, nil
	}
	blocks, daemon, end, err := a.blockCache(ctx)
	var locked *sqlitedb.LockedError
	if errors.As(err, &locked) {
		a.say("note: %v: the games are not kept", err)
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	return &recorder{Host: &tuner.CachedHost{Host: r.Host, Blocks: blocks}, kept: true, daemon: daemon, end: end}, nil
}

// interrupted returns an error that says what is left after an interruption.
func (r *recorder) interrupted(what string) error {
	kept := "nothing is kept, the same command begins again"
	if r.kept {
		kept = "what was played is kept, the same command goes on"
	}
	return cmdline.Exit(cmdline.Interrupted, fmt.Errorf("%s is interrupted: %s", what, kept))
}

// atDaemon waits for a tournament or an experiment that the daemon runs and decodes its
// result into v; what is the word for it in messages.
func (a link) atDaemon(ctx context.Context, daemon *client.Client, of *client.Job, what string, v any) error {
	what = fmt.Sprintf("%s %d", what, of.ID)
	a.say("%s runs at the daemon, %s", what, daemon.Address())
	watch := newTicker(a.app, 0)
	defer watch.Clear()
	games := int64(0)
	job, err := of.Await(ctx, func(p *service.JobProgress) {
		watch.TickOf(p.Of, p.Blocks, p.Games-games)
		games = p.Games
	})
	switch {
	case ctx.Err() != nil:
		return cmdline.Exit(cmdline.Interrupted, fmt.Errorf("%s goes on in the daemon; run the same command to wait for it", what))
	case err != nil:
		return err
	case job == nil:
		return fmt.Errorf("%s was deleted", what)
	case job.State == "failed":
		return errors.New(job.Message)
	case job.State != "done":
		return cmdline.Exit(cmdline.Interrupted, fmt.Errorf("%s is %s", what, job.State))
	}
	d, err := of.Show(ctx)
	if err != nil {
		return err
	}
	return json.Unmarshal(d.Result, v)
}

// tournamentAtDaemon returns the report of a tournament that the daemon plays.
func (a link) tournamentAtDaemon(ctx context.Context, c *client.Client, file *contest.Tournament, source tournamentSource, f tournamentFlags) (*contest.TournamentReport, error) {
	request := service.TournamentRequest{File: string(source.text), FileName: source.name, Blocks: f.blocks}
	if f.seeded {
		request.Seed = (*param.Seed)(&f.seed)
	}
	t := &contest.TournamentReport{}
	of, err := c.Tournament(ctx, request)
	if err == nil {
		err = a.atDaemon(ctx, c, of, "tournament", t)
	}
	t.MetricList = file.MetricNames()
	return t, err
}

// patchAtDaemon returns the report of a test that the daemon plays, and the address of its
// page.
func (a link) patchAtDaemon(ctx context.Context, c *client.Client, given service.PatchRequest, priority int) (*contest.PatchReport, string, error) {
	r := &contest.PatchReport{}
	of, err := c.Test(ctx, given, priority)
	if err != nil {
		return nil, "", err
	}
	at := c.Address() + service.JobPath(daemon.Test, of.ID)
	if d, err := of.Show(ctx); err == nil && d.State == "done" {
		a.say("test %d of the same players has ended already; another --seed plays other games", of.ID)
		return r, at, json.Unmarshal(d.Result, r)
	}
	return r, at, a.atDaemon(ctx, c, of, "test", r)
}

// experimentAtDaemon returns the report of an embedded experiment that the daemon runs.
func (a link) experimentAtDaemon(ctx context.Context, c *client.Client, name string, f experimentFlags, rules param.Values) (*experiment.Report, error) {
	request := service.ExperimentRequest{Name: name, Games: f.games, Simulations: f.simulations, Seed: (*param.Seed)(f.seed)}
	if rules != nil {
		request.Rules = rules.Map()
	}
	r := &experiment.Report{}
	of, err := c.Experiment(ctx, request)
	if err == nil {
		err = a.atDaemon(ctx, c, of, "experiment", r)
	}
	return r, err
}
