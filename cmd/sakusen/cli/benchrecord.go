package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/bench/runner"
	"sakusen/cmd/benchcmd"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// originFlags say where a run was measured.
type originFlags struct {
	commit, branch, machine, dir string
	format                       string // of what is recorded: "" and benchfmt are benchmark text
}

func (f *originFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.commit, "commit", "", "commit that was measured (default: that of the folder)")
	fs.StringVar(&f.branch, "branch", "", "the commit's branch (default: that of the folder, or what the build server says)")
	fs.StringVar(&f.machine, "machine", "", "machine class; times are compared only within a class (default: from the text, the settings, or the processor's name)")
	fs.StringVarP(&f.dir, "dir", "C", "", "folder of the module (default: the current one)")
}

func (a benchCommands) record(c *cobra.Command) action {
	var f originFlags
	f.add(c)
	c.Flags().StringVar(&f.format, "format", "benchfmt", "benchfmt (plain or of go test -json), or json: numbers of other tools")
	return func(ctx context.Context, args []string) error {
		if f.format != "benchfmt" && f.format != "json" {
			return usage(fmt.Errorf("--format: expected benchfmt or json, got %q", f.format))
		}
		files, command := args, []string(nil)
		if at := c.ArgsLenAtDash(); at >= 0 {
			files, command = args[:at], args[at:]
		}
		var runs []*bench.Run
		var failed error
		if len(command) > 0 {
			run, err := a.commandOutput(ctx, &f, command)
			if run == nil {
				return err
			}
			runs, failed = append(runs, run), err
		} else if len(files) == 0 {
			files = []string{"-"}
		}
		for _, file := range files {
			run, err := benchcmd.Patient(ctx, func() (*bench.Run, error) { return a.file(&f, file) })
			if err != nil {
				return err
			}
			runs = append(runs, run)
		}
		origin, err := f.origin(a.app, ctx)
		if err != nil {
			return err
		}
		var given []service.BenchRun
		for _, run := range runs {
			given = append(given, service.Measured(run, origin))
		}
		var reports []service.BenchRecorded
		err = a.writeBench(ctx, func(b benchWriter) (err error) {
			reports, err = b.Record(ctx, given, "")
			return err
		})
		if err != nil {
			return err
		}
		for i, run := range runs {
			for _, w := range run.Warnings {
				a.say("warning: %s", w)
			}
			if r := reports[i]; r.Branch != origin.Branch && origin.Branch != "" {
				a.say("warning: run:%d is on branch %q, as which it was recorded before, and stays there", r.ID, r.Branch)
			}
		}
		return errors.Join(a.printRecorded(reports), failed)
	}
}

func (a benchCommands) printRecorded(runs []service.BenchRecorded) error {
	return a.show(map[string]any{"runs": runs}, view.Recorded(runs))
}

// file reads benchmark text that was measured on this machine, unless it
// says otherwise.
func (a benchCommands) file(f *originFlags, file string) (*bench.Run, error) {
	if file == "-" {
		return a.measured(a.in, "standard input", f)
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return a.measured(in, file, f)
}

// measured reads text and gives it its machine class: the flag, what the text
// says, the settings.
func (a benchCommands) measured(in io.Reader, name string, f *originFlags) (*bench.Run, error) {
	return bench.Read(in, name, bench.ReadOptions{Machine: f.machine, Usual: a.settings.Text("bench.machine_class"), JSON: f.format == "json"})
}

// commandOutput runs a command, shows what it prints and reads it. If the command
// fails after it printed results, both the results and the error are returned; how it ended
// is then the last line of a text that does not tell a failure.
func (a benchCommands) commandOutput(ctx context.Context, f *originFlags, command []string) (*bench.Run, error) {
	out, failed := runner.Output(ctx, f.dir, command, a.err)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	text := out.String()
	run, err := a.measured(strings.NewReader(text), command[0], f)
	if failed != nil && err == nil && len(run.Incomplete()) == 0 {
		run, err = a.measured(strings.NewReader(text+"\n"+errors.Unwrap(failed).Error()+"\n"), command[0], f)
	}
	if err != nil {
		return nil, usage(errors.Join(failed, err))
	}
	return run, usage(failed)
}

// origin returns where a run was measured: what the flags say, and the folder's git
// repository.
func (f *originFlags) origin(a *app, ctx context.Context) (ledger.Origin, error) {
	if info, err := os.Stat(cmp.Or(f.dir, ".")); err != nil || !info.IsDir() {
		return ledger.Origin{}, usage(errors.Join(fmt.Errorf("--dir: expected a folder, got %q", f.dir), err))
	}
	o, err := service.BenchOrigin(ctx, f.dir, f.commit, f.branch, a.bench.baselineBranch(ctx, f.dir), a.env)
	_, noGit := runner.Repo{Dir: f.dir}.Root(ctx)
	switch name := strings.Trim(o.Commit, "0123456789abcdefABCDEF") != ""; {
	case err != nil:
	case name && (noGit == nil || strings.ContainsAny(o.Commit, "~^") || strings.HasPrefix(o.Commit, "HEAD") || strings.HasPrefix(o.Commit, "-")):
		return o, usage(fmt.Errorf("--commit: expected a commit of this repository, or a hash, got %q", f.commit))
	case o.Dirty:
		a.say("warning: files that git knows have uncommitted changes: the run is in no branch's history")
	case o.Commit == "" && o.Branch == "":
		a.say("warning: there is no git repository here: the run is in no branch's history unless --commit and --branch name them")
	case o.Branch == "":
		a.say("warning: no branch is checked out here and no build server names one: the run is in no branch's history unless --branch names it")
	}
	return o, err
}

func (a benchCommands) sign(c *cobra.Command) action {
	format := c.Flags().String("format", "text", "text or benchfmt")
	return func(ctx context.Context, args []string) error {
		if *format != "text" && *format != "benchfmt" {
			return usage(fmt.Errorf("--format: expected text or benchfmt, got %q", *format))
		}
		signs, err := service.Signatures(ctx, a.catalogue, args...)
		if err != nil {
			return err
		}
		switch {
		case a.flags.asJSON:
			return a.printJSON(map[string]any{"signatures": signs})
		case *format == "benchfmt":
			_, err = io.WriteString(a.out, service.SignatureText(signs))
			return err
		}
		return view.Table(a.out, func(line func(...any)) {
			for _, s := range signs {
				line(s.Game, s.Strategy, s.Signature)
			}
		})
	}
}

func (a benchCommands) baselineSet(c *cobra.Command) action {
	var f originFlags
	f.add(c)
	return func(ctx context.Context, args []string) error {
		name, source := args[0], args[1]
		if name == "" || benchcmd.IsRecorded(source) {
			return a.baseline(ctx, name, source)
		}
		if source == "-" {
			return usage(errors.New("baseline set: expected a file or a recorded run, got standard input (bench record keeps it)"))
		}
		run, err := a.file(&f, source)
		if err != nil {
			return usage(err)
		}
		origin, err := f.origin(a.app, ctx)
		if err != nil {
			return err
		}
		return a.writeBench(ctx, func(b benchWriter) error {
			done, err := b.Record(ctx, []service.BenchRun{service.Measured(run, origin)}, name)
			if err == nil {
				a.say("baseline %s is %s", name, done[0].Title)
			}
			return err
		})
	}
}

// baseline gives a recorded run a name.
func (a benchCommands) baseline(ctx context.Context, name, source string) error {
	if name == "" {
		return usage(errors.New("NAME is empty: expected a name"))
	}
	return a.changeBench(ctx, func(b benchWriter) error {
		done, err := b.SetBaseline(ctx, name, source)
		if err == nil {
			a.say("baseline %s is %s", name, done.Title)
		}
		return err
	})
}

func (a benchCommands) baselineList(ctx context.Context, _ []string) error {
	list, err := readBench(a.app, ctx, func(b *service.Benchmarks) ([]ledger.Baseline, error) { return b.Baselines(ctx) })
	if err != nil {
		return err
	}
	return a.listing(map[string]any{"baselines": list}, func(line func(...any)) {
		for _, b := range list {
			line(b.Name, b.Title, b.Branch, b.Recorded.Format(time.DateOnly), b.Machine)
		}
	})
}

func (a benchCommands) accept(c *cobra.Command) action {
	reason := c.Flags().String("reason", "", "why the change is accepted")
	source := c.Flags().String("run", "latest", "SOURCE of the new values, a recorded run")
	return func(ctx context.Context, args []string) error {
		if *reason == "" {
			return usage(errors.New("--reason: expected why the change is accepted, got nothing"))
		}
		return a.changeBench(ctx, func(b benchWriter) error {
			done, err := b.Accept(ctx, service.BenchAccept{Series: args[0], Source: *source, Reason: *reason})
			if err == nil {
				a.say("%s begins anew with %s: %s", done.Series, done.Title, *reason)
			}
			return err
		})
	}
}

func (a benchCommands) prune(c *cobra.Command) action {
	days := c.Flags().Int("days", 0, "age in days")
	dry := c.Flags().Bool("dry-run", false, "only count")
	return func(ctx context.Context, _ []string) error {
		if *days < 1 || *days > 36500 {
			return usage(fmt.Errorf("--days: expected 1 to 36500, got %d", *days))
		}
		return a.changeBench(ctx, func(b benchWriter) error {
			n, err := b.Prune(ctx, *days, *dry)
			if err != nil {
				return err
			}
			return a.print(map[string]any{"runs": n, "removed": !*dry}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%d runs %s\n", n, map[bool]string{true: "would be removed", false: "removed"}[*dry])
				return err
			})
		})
	}
}
