package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/tuner/service"
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
		Long: `Keeps the output of go test -bench, plain or -json, in the database: the text as
it is, its values, commit, branch and machine class. The output comes from
files, from standard input (no file, or -), or from a command after --. The same
text of the same commit is kept once.

--format json takes numbers of other tools: a list of objects with name, unit, value
(or values, several samples), and, if known, pkg, better (higher or lower) and
interval ([low, high]; kept in the text, comparisons go by samples).`,
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
	origin, err := benchOrigin(a, ctx, f)
	if err != nil {
		return err
	}
	var given []service.BenchRun
	for _, run := range runs {
		given = append(given, toRecord(run, origin))
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

// toRecord is a run and where it was measured, as it is recorded.
func toRecord(run *bench.Run, origin service.BenchRun) service.BenchRun {
	origin.Name, origin.Text = run.Name, run.Raw
	if plain, err := bench.Read(strings.NewReader(run.Raw), run.Name, bench.ReadOptions{}); err != nil || plain.Machine() != run.Machine() {
		origin.Machine = run.Machine() // the text alone would have another
	}
	return origin
}

func printRecorded(a *app, reports []service.BenchRecorded) error {
	if a.flags.asJSON {
		return a.printJSON(map[string]any{"runs": reports})
	}
	for _, r := range reports {
		what := "recorded"
		if !r.New {
			what = "was recorded before as"
		}
		if _, err := fmt.Fprintf(a.out, "%s: %s run:%d, %d series, %d samples\n", r.Name, what, r.Run, r.Series, r.Samples); err != nil {
			return err
		}
	}
	return nil
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
	if f.format == "json" {
		text, err := bench.FromJSON(in, name)
		if err != nil {
			return nil, err
		}
		in = strings.NewReader(text)
	}
	run, err := bench.Read(in, name, bench.ReadOptions{Machine: f.machine})
	if err != nil || f.machine != "" || run.MachineGiven {
		return run, err
	}
	class := a.settings.Text("bench.machine_class")
	if class == "" {
		return run, nil
	}
	return bench.Read(bytes.NewReader([]byte(run.Raw)), name, bench.ReadOptions{Machine: class})
}

// benchCommandOutput runs a command, shows what it prints and reads it. A
// command that fails after it printed results gives both.
func benchCommandOutput(a *app, ctx context.Context, f *originFlags, command []string) (*bench.Run, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = f.dir
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, a.err), a.err
	failed := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if failed != nil {
		failed = usage(fmt.Errorf("%s: %w", command[0], failed))
	}
	run, err := benchMeasured(a, &out, command[0], f)
	if err != nil {
		return nil, usage(errors.Join(failed, err))
	}
	return run, failed
}

// benchOrigin fills in what the flags leave open from the folder's git repository,
// where there is one.
func benchOrigin(a *app, ctx context.Context, f *originFlags) (service.BenchRun, error) {
	o := service.BenchRun{Commit: f.commit, Branch: f.branch, Go: runner.GoVersion(ctx, f.dir)}
	repo := runner.Repo{Dir: f.dir}
	if commit, err := repo.Commit(ctx, orHead(f.commit)); err == nil {
		o.Commit = commit
		if f.commit == "" {
			if o.Dirty, err = repo.Dirty(ctx); err != nil {
				return o, err
			}
		}
	} else if ctx.Err() != nil {
		return o, ctx.Err()
	}
	if o.Branch == "" {
		o.Branch = repo.Branch(ctx)
	}
	for _, name := range []string{"GITHUB_HEAD_REF", "GITHUB_REF_NAME"} { // nothing is checked out by branch there
		if value, ok := a.env(name); ok && o.Branch == "" {
			o.Branch = value
		}
	}
	return o, nil
}

func orHead(ref string) string {
	if ref == "" {
		return "HEAD"
	}
	return ref
}
