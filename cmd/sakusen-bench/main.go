// Command sakusen-bench measures, compares and gates the benchmarks of any Go module: the
// commands run, compare, gate, bisect and comment of "sakusen bench" in a small program of
// their own, without database, games and C.
//
//	go build -o sakusen-bench ./cmd/sakusen-bench
//	sakusen-bench run --base main --gate ./...
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"sakusen/cmd/benchcmd"
	"sakusen/cmd/cmdline"
	"sakusen/engines/plain"
	"sakusen/tuner/build"
)

func main() {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, in io.Reader, stdout, stderr io.Writer) int {
	out, errs := plain.NewWriter(stdout), plain.NewWriter(stderr) // which show control characters as text
	defer errs.Flush()
	root := command(in, out, errs)
	root.SetArgs(args)
	err := errors.Join(root.ExecuteContext(ctx), out.Flush())
	if err == nil {
		return cmdline.Done
	}
	code, told := cmdline.CodeOf(err)
	switch {
	case told:
	case ctx.Err() != nil:
		code, err = cmdline.Interrupted, errors.New("interrupted")
	default:
		code = cmdline.Internal
	}
	if err.Error() != "" {
		fmt.Fprintln(errs, "sakusen-bench: "+err.Error())
	}
	return code
}

// command returns the tree of commands.
func command(in io.Reader, out, errs io.Writer) *cobra.Command {
	var asJSON, quiet bool
	runs := &benchcmd.Folder{Env: os.LookupEnv}
	p := &benchcmd.Program{
		Name: "sakusen-bench", In: in, Out: out, Err: errs, Env: os.LookupEnv, JSON: &asJSON, Kept: runs,
		Say: func(format string, args ...any) {
			if !quiet {
				fmt.Fprintf(errs, format+"\n", args...)
			}
		},
		Setting: func(name string) string {
			return os.Getenv("SAKUSEN_" + strings.ToUpper(strings.ReplaceAll(name, ".", "_")))
		},
	}
	runs.Say = p.Say
	root := &cobra.Command{
		Use:   "sakusen-bench",
		Short: "Measure, compare and check the benchmarks of any Go module",
		Long: `Measures, compares and gates the results of go test -bench, of any Go module: the
commands run, compare, gate, bisect and comment of sakusen bench, over text files.

A SOURCE is a file of benchmark text, plain or from go test -json, - for
standard input, or a file in the folder of recorded runs: commit:4f2a, baseline:NAME.

The settings bench.machine_class, bench.baseline_branch and bench.prepare are
$SAKUSEN_BENCH_MACHINE_CLASS and so on.

Exit codes: 0 done or passed, 1 failed (a regression), 2 a mistake in the command
line or the input, 3 undecided, 4 nothing to do or to compare, 5 an error of the
program or the machine, 130 interrupted (the same command goes on).`,
		// A template of its own would link text/template, and with it 3 MB.
		Version:           build.Version + " (commit " + build.Commit() + ")",
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return cmdline.CheckFlags(c) },
	}
	f := root.PersistentFlags()
	f.StringVar(&runs.Dir, "db", "bench-runs", "the folder of recorded runs")
	f.BoolVar(&asJSON, "json", false, "print one JSON document")
	f.BoolVarP(&quiet, "quiet", "q", false, "no notes on standard error")
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	gate, _ := benchcmd.GateCommand(p, "")
	root.AddCommand(benchcmd.RunCommand(p), benchcmd.CompareCommand(p), gate, benchcmd.BisectCommand(p), benchcmd.CommentCommand(p))
	cmdline.Complete(root)
	return root
}
