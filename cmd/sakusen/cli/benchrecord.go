package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/runner"
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
	fs.StringVar(&f.branch, "branch", "", "its branch (default: that of the folder)")
	fs.StringVar(&f.machine, "machine", "", "machine class, inside which times are compared (default: from the text, the settings, the processor's name)")
	fs.StringVarP(&f.dir, "dir", "C", "", "folder of the module (default: the current one)")
}

func benchRecordCommand(a *app) *cobra.Command {
	var f originFlags
	c := &cobra.Command{
		Use:   "record [FILE...] [-- COMMAND...]",
		Short: "Keep the output of go test -bench in the database",
		Long: `Keeps the output of go test -bench, plain or -json, in the database: its text, its
values, the commit, the branch and the machine class. The output comes from files,
from standard input (no file, or -), or from a command after --. The same text of
the same commit is kept once.

--format json takes the numbers of other tools: a list of objects with name, unit,
value (or values, several samples) and, if known, pkg, better (higher or lower)
and interval ([low, high], which is kept but not used: comparisons need samples).`,
		Example: `  go test -run '^$' -bench . -count 10 ./... | sakusen bench record
  sakusen bench record -- go test -run '^$' -bench . -count 10 ./...`,
		RunE: func(c *cobra.Command, args []string) error {
			if f.format != "benchfmt" && f.format != "json" {
				return usage(fmt.Errorf("--format: expected benchfmt or json, got %q", f.format))
			}
			files, command := args, []string(nil)
			if at := c.ArgsLenAtDash(); at >= 0 {
				files, command = args[:at], args[at:]
			}
			return benchRecord(a, c.Context(), &f, files, command)
		},
	}
	f.add(c)
	c.Flags().StringVar(&f.format, "format", "benchfmt", "benchfmt (plain or of go test -json), or json: numbers of other tools")
	return c
}

func benchRecord(a *app, ctx context.Context, f *originFlags, files, command []string) error {
	var runs []*bench.Run
	var failed error
	if len(command) > 0 {
		run, err := benchCommandOutput(a, ctx, f, command)
		if run == nil {
			return err
		}
		runs, failed = append(runs, run), err
	} else if len(files) == 0 {
		files = []string{"-"}
	}
	for _, file := range files {
		run, err := benchFile(a, f, file)
		if err != nil {
			return usage(err)
		}
		runs = append(runs, run)
	}
	origin, err := f.origin(a, ctx)
	if err != nil {
		return err
	}
	var given []service.BenchRun
	for _, run := range runs {
		given = append(given, service.Measured(run, origin))
	}
	var reports []service.BenchRecorded
	err = writeBench(a, ctx, func(b benchWriter) (err error) {
		reports, err = b.Record(ctx, given, "")
		return err
	})
	if err != nil {
		return err
	}
	for _, run := range runs {
		for _, w := range run.Warnings {
			a.say("warning: %s", w)
		}
	}
	return errors.Join(printRecorded(a, reports), failed)
}

func printRecorded(a *app, runs []service.BenchRecorded) error {
	return a.show(map[string]any{"runs": runs}, view.Recorded(runs))
}

// benchFile reads benchmark text that was measured on this machine, unless it
// says otherwise.
func benchFile(a *app, f *originFlags, file string) (*bench.Run, error) {
	if file == "-" {
		return benchMeasured(a, a.in, "standard input", f)
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return benchMeasured(a, in, file, f)
}

// benchMeasured reads text and gives it its machine class: the flag, what the text
// says, the settings.
func benchMeasured(a *app, in io.Reader, name string, f *originFlags) (*bench.Run, error) {
	return bench.Read(in, name, bench.ReadOptions{Machine: f.machine, Usual: a.settings.Text("bench.machine_class"), JSON: f.format == "json"})
}

// benchCommandOutput runs a command, shows what it prints and reads it. If the command
// fails after it printed results, both the results and the error are returned.
func benchCommandOutput(a *app, ctx context.Context, f *originFlags, command []string) (*bench.Run, error) {
	out, failed := runner.Output(ctx, f.dir, command, a.err)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	run, err := benchMeasured(a, out, command[0], f)
	if err != nil {
		return nil, usage(errors.Join(failed, err))
	}
	return run, usage(failed)
}

// origin is where a run was measured: what the flags say, and the folder's git
// repository.
func (f *originFlags) origin(a *app, ctx context.Context) (service.BenchRun, error) {
	return service.BenchOrigin(ctx, f.dir, f.commit, f.branch, a.env)
}

func benchSignCommand(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "sign [GAME [STRATEGY...]]",
		Short: "Print the signature of each strategy's play",
		Long: `Prints a signature of each strategy: a hash of games that it plays against itself
with fixed seeds under the default rules. It changes if and only if the play
changes. As benchmark text (--format benchfmt) a signature is two exact metrics,
its upper and its lower 32 bits, which bench gate requires to be equal. Signatures
are the same on every machine of one GOARCH.`,
		Example: `  sakusen bench sign battleship
  sakusen bench sign --format benchfmt > new.txt && sakusen bench gate --exact old.txt new.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "benchfmt" {
				return usage(fmt.Errorf("--format: expected text or benchfmt, got %q", format))
			}
			signs, err := service.Signatures(c.Context(), a.catalogue, args...)
			if err != nil {
				return err
			}
			switch {
			case a.flags.asJSON:
				return a.printJSON(map[string]any{"signatures": signs})
			case format == "benchfmt":
				_, err = io.WriteString(a.out, service.SignatureText(signs))
				return err
			}
			return view.Table(a.out, func(line func(...any)) {
				for _, s := range signs {
					line(s.Game, s.Strategy, s.Signature)
				}
			})
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or benchfmt")
	return c
}
