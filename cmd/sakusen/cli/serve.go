package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"

	"sakusen/engines/arena"
	"sakusen/engines/plain"
	"sakusen/tuner/build"
	"sakusen/tuner/contest/players"
	"sakusen/tuner/queue"
	"sakusen/tuner/queue/fleet"
	server "sakusen/tuner/serve"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/web/api"
)

func (a daemonCommands) serveCommand() command {
	return command{
		use: "serve", short: "Run the daemon: studies, tournaments, experiments and tests side by side, with an HTTP API", bind: a.serve,
		long: `Runs the studies, tournaments, experiments and tests of patches of the database
side by side, and serves web pages and the API (under /api/v1). Work of higher priority
gets a larger share of the workers. After a crash the daemon continues all that it was
running. While it runs, only the daemon writes to the database: tune, tournament, test,
experiment run and the commands that change a study send it their work.

It listens on the loopback interface. Any other address needs a token
(setting token_file) and TLS (tls_cert and tls_key, or behind_proxy where a
proxy in front of it handles TLS).

At the first SIGTERM or Ctrl-C the daemon waits at most three seconds for running games,
and ends; at the second it ends at once. In both cases it continues at the next start, and
no result is lost. At SIGHUP it reads the settings again: log.level,
token_file, tls_cert, tls_key, hosts, studies_at_once, the workers that may
connect and the engines of the store change at once, other settings at the next start. If
the new settings have mistakes, nothing changes.`,
		example: `  sakusen serve
  sakusen serve --listen 127.0.0.1:8080 --db studies.db`,
	}
}

// serve runs the daemon until it is told to end.
func (a daemonCommands) serve(c *cobra.Command) action {
	var address, workers, nats string
	c.Flags().StringVar(&address, "listen", "", "address of the API (default: the settings' listen)")
	c.Flags().StringVar(&workers, "workers-listen", "", "also take workers on other machines, at this address (default: the settings' workers_listen); see sakusen worker")
	c.Flags().StringVar(&nats, "nats", "", "take workers through this NATS server, instead of --workers-listen (default: the settings' nats_url); see sakusen worker list --nats-config")
	return func(ctx context.Context, _ []string) error {
		if !c.Flags().Changed("listen") {
			address = a.settings.Text("listen")
		}
		f, err := server.NewEndpoint(a.settings, address)
		if err != nil {
			return usage(err)
		}
		path := a.settings.Text("database")
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
		if err != nil {
			if held, ok := sqlitedb.Writer(path); ok && held.Address != "" {
				return held // most likely it has that address
			}
			return usage(fmt.Errorf("listen: %w", err))
		}
		defer l.Close()
		db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{Address: f.Scheme() + "://" + server.Reachable(address, l.Addr()), Point: a.point, Note: a.note})
		if err != nil {
			return err
		}
		o := a.daemonOptions()
		if o.WorkersListen, o.WorkersNATS = workers, nats; workers+nats == "" {
			o.WorkersListen, o.WorkersNATS = a.settings.Text("workers_listen"), a.settings.Text("nats_url")
		}
		return errors.Join(server.Serve(ctx, l, f, db, o), db.Close())
	}
}

// daemonOptions returns the daemon's, as flags and settings say.
func (a daemonCommands) daemonOptions() server.Options {
	pool := a.pool()
	return server.Options{
		Pool: pool, Engines: a.engines, Store: a.store(), Registered: a.registered,
		Settings: a.settings, Reload: a.load, Games: a.games, Workers: a.workers(), Commit: build.Commit(), Log: a.err,
		Open: func(ctx context.Context, db *sqlitedb.DB, log *slog.Logger) (*service.Service, error) {
			arena.NewGauge(pool, a.engines.Speed, arena.SpeedSpan, arena.SpeedAge, log)
			o := a.database.options(pool, log)
			o.Settings.BaselineBranch = a.bench.baselineBranch(ctx, "")
			return service.Open(ctx, db, o)
		},
	}
}

// registered reads the store of engines again, and returns the games with them.
func (a daemonCommands) registered() (arena.Catalogue, error) {
	entries, err := a.store().Entries()
	if err != nil {
		return nil, err
	}
	if _, err := a.engines.Replace(entries); err != nil {
		return nil, err
	}
	games, err := players.Join(a.builtIn, a.engines)
	return games.Arena(), err
}

func (a daemonCommands) workerCommand() command {
	return command{
		use: "worker", short: "Play games on this machine for a daemon on another", bind: a.work,
		long: `Plays games for a daemon that was started with --workers-listen or --nats. It
connects again after the connection or the daemon was interrupted. A study's result does
not depend on which workers play its games. The worker plays with an engine of its own
config.yaml if the daemon has exactly the same one.

The daemon refuses a worker that is another build of this program, and both print the
difference. At SIGTERM or Ctrl-C a worker hands its unfinished games back.
docs/workers.md shows how to add a machine.`,
		example: `  sakusen worker add attic > attic.key
  sakusen worker --server tls://tuner.example.org:7172 --credentials attic.key`,
		sub: []command{
			{
				use: "add NAME", short: "Print credentials with which a machine may play for this database's daemon", bind: a.addWorker,
				long: `Prints the credentials of a new worker. They are printed only once and stored
nowhere. A running daemon accepts the worker after SIGHUP.`,
			},
			{
				use: "remove NAME", short: "Remove a worker's permission to connect",
				long: "Removes a worker's permission to connect. A running daemon ends its connection at SIGHUP.",
				do:   func(_ context.Context, args []string) error { return usage(a.register().Remove(args[0])) },
			},
			{
				use: "readmit NAME", short: "Take a worker out of quarantine",
				long: "Takes a worker out of quarantine, so that it may play again. A running daemon accepts it after SIGHUP.",
				do:   func(_ context.Context, args []string) error { return usage(a.register().Readmit(args[0])) },
			},
			{
				use: "list", short: "List the workers that may connect, and those in quarantine", bind: a.listWorkers,
				long: `Lists the workers that may connect. While a daemon runs, the list also shows
what each worker is doing. --nats-config prints a complete configuration of a NATS server
for them: who may connect, and to which subjects each may publish and subscribe.`,
				example: `  sakusen worker list
  sakusen worker list --nats-config > nats.conf
  SAKUSEN_NATS_PASSWORD=... nats-server -c nats.conf`,
			},
		},
	}
}

// work plays games for a daemon.
func (a daemonCommands) work(c *cobra.Command) action {
	var o queue.WorkOptions
	var file string
	var f accepting
	f.flags(c)
	c.Flags().StringVar(&o.Server, "server", "", "address of the daemon's --workers-listen: tls://HOST:PORT, or nats://HOST:PORT on this machine")
	c.Flags().StringVar(&file, "credentials", "", "file with the line that worker add printed")
	c.Flags().IntVar(&o.Slots, "slots", 0, "games by the clock at the same time, each of one thread (default: the number of cores, hyperthreads not counted)")
	c.Flags().StringVar(&o.Authority, "ca", "", "file of certificates to trust, in addition to those of the system")
	return func(ctx context.Context, _ []string) error {
		if o.Slots < 0 {
			return usage(fmt.Errorf("--slots: expected a number from 1, got %d", o.Slots))
		}
		if o.Server == "" || file == "" {
			return usage(errors.New("worker: expected --server URL and --credentials FILE"))
		}
		var err error
		if o.Credentials, err = queue.CredentialsOf(file); err != nil {
			return usage(err)
		}
		if err := queue.CheckServer(o.Server); err != nil {
			return usage(err)
		}
		if o.Authority != "" {
			if _, err := plain.ReadFile(o.Authority, plain.MostText); err != nil {
				return usage(fmt.Errorf("--ca: %w", err))
			}
		}
		o.Catalogue, o.Engines, o.Build, o.Cores = a.catalogue, a.engines, queue.NewBuild(build.Commit()), a.workers()
		o.Log = slog.New(slog.NewTextHandler(a.err, nil))
		if o.Accept, err = a.acceptance(&f, &o); err != nil {
			return usage(err)
		}
		err = queue.Work(ctx, o)
		if errors.Is(err, queue.ErrRefused) {
			return usage(err)
		}
		return err
	}
}

func (a daemonCommands) addWorker(c *cobra.Command) action {
	trusted := c.Flags().Bool("trusted", false, "trust its results of games by the clock whose rules the daemon does not know")
	return func(_ context.Context, args []string) error {
		k, err := a.register().Add(args[0], *trusted)
		if err == nil {
			if f, ok := a.rawOut.(*os.File); ok { // a file that the shell has made, which others may read
				if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
					f.Chmod(0o600)
				}
			}
			fmt.Fprintln(a.out, k)
		}
		return usage(err)
	}
}

func (a daemonCommands) listWorkers(c *cobra.Command) action {
	config := c.Flags().Bool("nats-config", false, "print the configuration of a NATS server for these workers")
	return func(ctx context.Context, _ []string) error {
		if *config {
			text, err := a.register().NATSConfig()
			fmt.Fprint(a.out, text)
			return usage(err)
		}
		all, err := a.register().Read()
		var now *fleet.Fleet
		if held, ok := sqlitedb.Writer(a.settings.Text("database")); ok && held.Address != "" && err == nil {
			if d, failed := a.link.clientOf(held); failed == nil {
				now, err = client.Call(ctx, d, api.V1.GetWorkers, &api.None{})
			}
		}
		if err != nil {
			return usage(err)
		}
		return a.print(workerList{all.Names(), append([]queue.Quarantine{}, all.Quarantined...), now}, func(w io.Writer) error {
			for _, line := range all.Lines(now, time.Now()) {
				fmt.Fprintln(w, line)
			}
			return nil
		})
	}
}

// workerList is the JSON of worker list.
type workerList struct {
	Allowed     []string           `json:"allowed"`
	Quarantined []queue.Quarantine `json:"quarantined"`
	Fleet       *fleet.Fleet       `json:"fleet"` // null where no daemon runs
}

// register returns the file of the workers of the database.
func (a daemonCommands) register() queue.Register {
	return queue.RegisterOf(a.settings.Text("database"))
}
