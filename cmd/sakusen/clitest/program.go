package clitest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"sakusen/cmd/sakusen/cli"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/external/gtp/gtptest"
	"sakusen/engines/external/uci/ucitest"
	"sakusen/strategies"
	"sakusen/tuner/store/sqlitedb/disktest"
)

// AsProgram is a variable of the environment. The test binary is also the program:
// with the variable set it runs its arguments as sakusen would, so that a whole
// process can be killed. A second program need not be built, and one under the race
// detector is tested with it.
const AsProgram = "SAKUSEN_TEST_PROGRAM"

// KillAt is a variable that names a point and its occurrence, TracePoints one for a file for all points
// reached.
const (
	KillAt      = "SAKUSEN_TEST_KILL"
	TracePoints = "SAKUSEN_TEST_TRACE"
)

// Main is the TestMain of a package that runs the program, with games of the package's own
// beside the real ones.
func Main(m *testing.M, own ...catalogue.Game) {
	ucitest.Become()
	gtptest.Become()
	if os.Getenv(AsProgram) == "" {
		os.Exit(m.Run())
	}
	p := cli.Process{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Games: append(strategies.All(), own...)}
	if text := os.Getenv(KillAt); text != "" {
		kill, err := disktest.KillAt(text)
		if err != nil {
			panic(err)
		}
		p.Hook = kill
	}
	if file := os.Getenv(TracePoints); file != "" {
		f, err := os.Create(file)
		if err != nil {
			panic(err)
		}
		p.Hook = func(point string) { fmt.Fprintln(f, point) }
	}
	if file := os.Getenv(silentWhile); file != "" {
		p.Hook = silent(file)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(p.Run(ctx, os.Args[1:]))
}

// Program runs the program in a process of its own.
func Program(t *testing.T, dir string, env []string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Dir = dir
	c.Env = append(append(os.Environ(), AsProgram+"=1"), env...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	return out.String(), errs.String(), err
}

// Exits runs the program and wants an exit code.
func Exits(t *testing.T, dir string, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	out, errs, err := Program(t, dir, nil, args...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if got != code {
		t.Errorf("sakusen %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, out, errs)
	}
	return out, errs
}
