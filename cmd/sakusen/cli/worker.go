package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"sakusen/tuner/build"
	"sakusen/tuner/queue"
	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/store/sqlitedb"
)

func workerCommand(a *app) *cobra.Command {
	var o queue.WorkOptions
	var file string
	c := &cobra.Command{
		Use:   "worker",
		Short: "Play games on this machine for a daemon on another",
		Long: `Plays games for a daemon that was started with --workers-listen or --nats. It
comes back when the connection or the daemon was away. A study has the same
result whoever plays its games. It plays with the engines of its own config.yaml
where the daemon has the very same ones.

The daemon refuses a worker that is another build of this program, and both say
what differs. At SIGTERM or Ctrl-C a worker gives back what it is playing.
docs/workers.md shows how to add a machine.`,
		Example: `  sakusen worker add attic > attic.key
  sakusen worker --server tls://tuner.example.org:7172 --credentials attic.key`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
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
			o.Catalogue, o.Engines, o.Build, o.Cores = a.catalogue, a.engines, queue.NewBuild(build.Commit()), a.workers()
			o.Log = slog.New(slog.NewTextHandler(a.err, nil))
			err = queue.Work(c.Context(), o)
			if errors.Is(err, queue.ErrRefused) {
				return usage(err)
			}
			return err
		},
	}
	c.Flags().StringVar(&o.Server, "server", "", "address of the daemon's --workers-listen: tls://HOST:PORT, or nats://HOST:PORT on this machine")
	c.Flags().StringVar(&file, "credentials", "", "file with the line that worker add printed")
	c.Flags().StringVar(&o.Authority, "ca", "", "file of certificates to trust beside those of the system")
	c.AddCommand(&cobra.Command{
		Use: "add NAME", Short: "Let a machine play for the daemon of this database", Args: exactly(1, "one NAME"),
		Long: `Prints the credentials of a new worker, once: they are kept nowhere else. A daemon
that runs learns of it at SIGHUP.`,
		RunE: func(c *cobra.Command, args []string) error {
			k, err := a.register().Add(args[0])
			if err == nil {
				fmt.Fprintln(a.out, k)
			}
			return usage(err)
		},
	}, &cobra.Command{
		Use: "remove NAME", Short: "Take that permission back", Args: exactly(1, "one NAME"),
		Long: "Takes the permission of a worker back. A daemon that runs ends its connection at SIGHUP.",
		RunE: func(c *cobra.Command, args []string) error { return usage(a.register().Remove(args[0])) },
	}, &cobra.Command{
		Use: "readmit NAME", Short: "Take a worker out of quarantine", Args: exactly(1, "one NAME"),
		Long: "Lets a worker play again whose games were not to be trusted. A daemon that runs learns of it at SIGHUP.",
		RunE: func(c *cobra.Command, args []string) error { return usage(a.register().Readmit(args[0])) },
	}, &cobra.Command{
		Use: "list", Short: "List the workers that may connect, and those in quarantine", Args: noArguments,
		Long: "Lists the workers that may connect. Where a daemon runs, it says what each does.",
		RunE: func(c *cobra.Command, _ []string) error {
			all, err := a.register().Read()
			var now *fleet.Fleet
			if held, ok := sqlitedb.Writer(a.settings.Text("database")); ok && held.Address != "" && err == nil {
				if d, failed := a.link.clientOf(held); failed == nil {
					now, err = d.Workers(c.Context())
				}
			}
			for _, line := range all.Lines(now, time.Now()) {
				fmt.Fprintln(a.out, line)
			}
			return usage(err)
		},
	})
	return c
}

// register is the file of the workers of the database.
func (a *app) register() queue.Register { return queue.RegisterOf(a.settings.Text("database")) }
