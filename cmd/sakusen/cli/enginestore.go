package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/arena"
	"sakusen/engines/external"
	"sakusen/engines/external/process"
	"sakusen/tuner/contest/players"
	"sakusen/tuner/queue"
	"sakusen/tuner/queue/enginestore"
)

// store returns the store of engines beside the database.
func (a *app) store() *enginestore.Store {
	return enginestore.Open(enginestore.Of(a.settings.Text("database")), int64(a.settings.Integer("engine_store_mb"))<<20)
}

// megabytes returns a size for people.
func megabytes(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%d MB", bytes>>20)
}

// storing is what a command line says of an engine that is added to the store.
type storing struct {
	options  []string
	protocol string
	memory   int64
}

func (s *storing) flags(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.options, "option", nil, "an option that is always set, NAME=VALUE (repeatable)")
	c.Flags().StringVar(&s.protocol, "protocol", "uci", "its protocol: uci, usi, uai or ugi")
	c.Flags().Int64Var(&s.memory, "memory", 1024, "MB of memory that a process may use; one that uses more is killed, which counts as a crash")
}

// manifest returns what the command line says of an engine.
func (s *storing) manifest(name string) (*enginestore.Manifest, error) {
	m := &enginestore.Manifest{Name: name, Protocol: s.protocol, Memory: s.memory}
	for _, text := range s.options {
		option, value, ok := strings.Cut(text, "=")
		if !ok || option == "" {
			return nil, fmt.Errorf("--option: expected NAME=VALUE, got %q", text)
		}
		m.Options = append(m.Options, enginestore.Option{Name: option, Value: value})
	}
	return m, nil
}

func (a engineCommands) addCommand() command {
	return command{
		use: "add NAME FILE...", short: "Put an engine into the store, from which workers get it", bind: a.add,
		long: `Puts a program into the store beside the database: one executable for each system
(ELF, Mach-O or PE; the header names the system), and further files that it reads, such as
nets. The program finds these under their own names in the folder in which it runs. It is
started once, under the same bounds as on workers, to read its options.

A daemon hands it out to workers that were started with --accept-engines. A running daemon
reads the store again at SIGHUP.`,
		example: `  sakusen engine add dev dev-linux-amd64 dev-darwin-arm64 net.bin --option EvalFile=net.bin`,
	}
}

func (a engineCommands) add(c *cobra.Command) action {
	var s storing
	s.flags(c)
	return func(_ context.Context, args []string) error {
		m, err := s.manifest(args[0])
		if err != nil {
			return usage(err)
		}
		if len(args) < 2 {
			return usage(errors.New("engine add: expected NAME and one FILE or more"))
		}
		if err := a.isFree(m); err != nil {
			return usage(err)
		}
		return a.put(m, args[1:])
	}
}

func (a engineCommands) buildCommand() command {
	return command{
		use: "build NAME --git REPOSITORY --ref REF --command COMMAND --output FILE", short: "Build an engine from a repository and put it into the store", bind: a.build,
		long: `Checks out a commit of a git repository in a folder of its own, runs a shell
command there, and puts the program that the command makes into the store, as engine add
does. The program's hash covers the repository, the commit, the command and the compiler.

The command runs on this machine, as this user; no page and no operation of the API can
start it. Its output is kept in DATABASE.engines/logs.`,
		example: `  sakusen engine build main --git ../engine --ref v1.0 --command "make -j2" --output src/engine`,
	}
}

func (a engineCommands) build(c *cobra.Command) action {
	var s storing
	var b enginestore.Build
	var files []string
	s.flags(c)
	c.Flags().StringVar(&b.Repository, "git", "", "address or folder of the repository")
	c.Flags().StringVar(&b.Ref, "ref", "HEAD", "branch, tag or commit")
	c.Flags().StringVar(&b.Command, "command", "", "shell command that makes the program, run in the repository's root")
	c.Flags().StringVar(&b.Output, "output", "", "path of the program that the command makes, relative to the root")
	c.Flags().StringVar(&b.Compiler, "compiler", "", "command that prints the compiler's version line (default: the version named in the program)")
	c.Flags().DurationVar(&b.Time, "time", 30*time.Minute, "limit for checkout and build together")
	c.Flags().StringArrayVar(&files, "file", nil, "a further file, such as a net (repeatable)")
	return func(ctx context.Context, args []string) error {
		m, err := s.manifest(args[0])
		if err == nil {
			err = cmp.Or(m.CheckName(), a.isFree(m))
		}
		if err != nil {
			return usage(err)
		}
		log, err := a.store().Run(ctx, m.Name, &b, func(path string, o *enginestore.Origin) error {
			m.Origin = o
			return a.put(m, append([]string{path}, files...))
		})
		if err != nil && log != "" {
			err = fmt.Errorf("%w (what was printed: %s)", err, log)
		}
		return usage(err)
	}
}

// isFree returns an error where config.yaml has an engine of a manifest's name, or a game a strategy.
func (a engineCommands) isFree(m *enginestore.Manifest) error {
	for _, e := range a.engines.Entries() {
		if e.Name == m.Name && e.Package == "" {
			return fmt.Errorf("engine %s: config.yaml has an engine of that name, which takes precedence", m.Name)
		}
	}
	alone, err := external.Open([]external.Entry{{Name: m.Name, Protocol: m.Protocol, Command: []string{m.Name}}})
	if err == nil {
		_, err = players.Join(a.builtIn, alone)
		alone.Close()
	}
	return err
}

// put puts an engine into the store.
func (a engineCommands) put(m *enginestore.Manifest, files []string) error {
	info, err := a.store().Add(m, files)
	if err != nil {
		return usage(err)
	}
	return a.print(map[string]any{"engine": m, "package": m.Hash(), "offers": info}, func(w io.Writer) error {
		return errors.Join(info.WriteText(w), a.writePackage(w, m.Name))
	})
}

// writePackage writes what the store has of an engine, if it has it.
func (a engineCommands) writePackage(w io.Writer, name string) error {
	m, err := a.store().Find(name)
	if err != nil {
		return nil
	}
	fmt.Fprintf(w, "  package   %s\n  systems   %s\n  memory    %d MB\n", m.Hash(), m.Systems(), m.Memory)
	for _, f := range m.Files {
		fmt.Fprintf(w, "  file      %s (%s)\n", f.Name, megabytes(f.Size))
	}
	if o := m.Origin; o != nil {
		fmt.Fprintf(w, "  built     %s at %s (%s) by %q with %s\n", o.Repository, o.Commit, o.Ref, o.Command, o.Compiler)
	}
	return nil
}

// remove takes an engine out of the store.
func (a engineCommands) remove(ctx context.Context, args []string) error {
	return usage(a.store().Remove(args[0]))
}

// accepting is what a worker's command line says of engines that the daemon hands out.
type accepting struct {
	all    bool
	names  []string
	store  string
	mb     int64
	asRoot bool
}

func (f *accepting) flags(c *cobra.Command) {
	c.Flags().BoolVar(&f.all, "accept-engines", false, "run all programs that the daemon hands out; they are signed by the daemon and run under limits")
	c.Flags().StringArrayVar(&f.names, "accept", nil, "run only engines of this name (repeatable)")
	c.Flags().StringVar(&f.store, "store", "", "folder for fetched programs (default: in the user's cache, by the worker's name)")
	c.Flags().Int64Var(&f.mb, "store-mb", 2000, "MB that this folder may take; programs unused for the longest time are deleted")
	c.Flags().BoolVar(&f.asRoot, "as-root", false, "run the daemon's programs although this worker is root; the programs then run as root too")
	cmdline.Exclude(c, "accept", "accept-engines")
}

// acceptance returns what a worker does about engines that the daemon hands out, after it has said
// what that means on this machine.
func (a daemonCommands) acceptance(f *accepting, o *queue.WorkOptions) (*queue.Acceptance, error) {
	if _, err := a.engines.Replace(nil); err != nil { // those of the database's store are the daemon's
		return nil, err
	}
	if a.builtIn != nil {
		games, err := players.Join(a.builtIn, a.engines)
		if err != nil {
			return nil, err
		}
		o.Catalogue = games.Arena()
	}
	if !f.all && len(f.names) == 0 {
		return &queue.Acceptance{}, nil
	}
	if os.Geteuid() == 0 && !f.asRoot {
		return nil, errors.New("engines that the daemon hands out are not run as root: start the worker as a user of its own, or give --as-root too")
	}
	if f.mb < 1 {
		return nil, fmt.Errorf("--store-mb: expected at least 1, got %d", f.mb)
	}
	if f.store == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("--store: expected a folder, as there is no cache of this user: %w", err)
		}
		f.store = filepath.Join(cache, "sakusen", "engines-"+o.Credentials.Name)
	}
	if err := os.MkdirAll(f.store, 0o700); err != nil {
		return nil, fmt.Errorf("--store: %w", err)
	}
	if err := os.Chmod(f.store, 0o700); err != nil {
		return nil, fmt.Errorf("--store: %w", err)
	}
	which := "whatever they are"
	if len(f.names) > 0 {
		which = "those called " + strings.Join(f.names, ", ")
	}
	began := time.Now()
	a.say("this worker runs programs that the daemon of %s hands out, %s; %s (%d ms to try)", o.Server, which, process.FindMeans(), time.Since(began).Milliseconds())
	store := enginestore.Open(f.store, f.mb<<20)
	return &queue.Acceptance{Store: store, Names: f.names, Register: func(all []*enginestore.Manifest) (arena.Catalogue, error) {
		var entries []external.Entry
		for _, m := range all {
			e, err := store.Entry(m)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
		hidden, err := a.engines.Replace(entries)
		if err == nil && len(hidden) > 0 {
			err = fmt.Errorf("this worker's config.yaml has an engine %s, which takes precedence", hidden[0])
		}
		if err != nil {
			return nil, err
		}
		games, err := players.Join(a.builtIn, a.engines)
		return games.Arena(), err
	}}, nil
}
