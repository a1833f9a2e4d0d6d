// Package clitest is what the tests of the program share. Its files in reading order: launch.go
// runs the program inside the test or in a separate process, which may be killed at a named
// point. files.go writes files and compares what is printed with golden ones; daemon.go starts
// daemons and asks them; dice.go has two games of the tests' own. The folders below it hold the
// tests by what they are of.
package clitest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sakusen/cmd/sakusen/cli"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/external/gtptest"
	"sakusen/engines/external/ucitest"
	"sakusen/strategies"
	"sakusen/tuner/store/sqlitedb/disktest"
)

// Printed is what one run of the program printed, and its exit code.
type Printed struct {
	Code     int
	Out, Err string
}

// Launch runs the program inside this process, with the real games and two of
// the tests' own.
func Launch(t testing.TB, stdin string, args ...string) Printed {
	t.Helper()
	return LaunchWith(t, context.Background(), strings.NewReader(stdin), args...)
}

// LaunchWith does what Launch does, with a context that ends the program and a standard input.
func LaunchWith(t testing.TB, ctx context.Context, in io.Reader, args ...string) Printed {
	t.Helper()
	var out, errs bytes.Buffer
	p := cli.Process{In: in, Out: &out, Err: &errs, Env: NoVariables, Games: TestGames(strategies.All())}
	code := p.Run(ctx, args)
	return Printed{code, out.String(), errs.String()}
}

// NoVariables returns an environment without variables.
func NoVariables(string) (string, bool) { return "", false }

// TestGames returns the real games and the tests' own.
func TestGames(real catalogue.Games) catalogue.Games {
	return append(real, catalogue.Game{Game: DiceGame()}, catalogue.Game{Game: lonelyGame()})
}

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

// Main runs the tests of a package that runs the program, as its TestMain, with games of
// the package's own beside the real ones.
func Main(m interface{ Run() int }, own ...catalogue.Game) {
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

// The exit codes of the contract.
const (
	ExitDone         = 0
	ExitNegative     = 1
	ExitUsage        = 2
	ExitInconclusive = 3
	ExitNothing      = 4
	ExitInternal     = 5
	ExitInterrupted  = 130
)

// DigestOf runs the study to its end and returns its digest.
func DigestOf(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	out, errs, err := Program(t, dir, env, "tune", "killed.yaml", "--json")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() && (exit.ExitCode() == ExitNegative || exit.ExitCode() == ExitInconclusive) {
		err = nil // a verdict
	}
	if err != nil {
		if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
			return "", ErrKilled
		}
		t.Fatalf("%v: %s", err, errs)
	}
	var r struct{ Digest string }
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return r.Digest, nil
}

// ErrKilled is the end of a process that was killed at its point.
var ErrKilled = errors.New("killed")

// NewStudyDir returns a directory with the study file.
func NewStudyDir(t *testing.T, study string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "killed.yaml"), []byte(study), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// silentWhile is a variable that names a file: while it is there, a sampler that is asked
// never answers, and a file of that name with ".met" at its end says that one was asked.
const silentWhile = "SAKUSEN_TEST_SILENT"

// silent returns the hook of a program whose samplers do not answer while a file is there.
func silent(file string) func(point string) {
	return func(point string) {
		if point != "sampler" {
			return
		}
		if _, err := os.Stat(file); err == nil {
			if err := os.WriteFile(file+".met", nil, 0o600); err != nil {
				panic(err)
			}
			select {}
		}
	}
}

// silenced is a program whose samplers do not answer.
type silenced struct {
	t    *testing.T
	file string
}

// Silence has samplers not answer from now on, by a file.
func Silence(t *testing.T, file string) *silenced {
	t.Helper()
	s := &silenced{t, file}
	s.Again()
	return s
}

// Variable returns what the program's environment needs.
func (s *silenced) Variable() string { return silentWhile + "=" + s.file }

// Await returns when a sampler was asked, and does not answer.
func (s *silenced) Await() {
	for {
		if _, err := os.Stat(s.file + ".met"); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Over has those samplers answer that are asked from now on.
func (s *silenced) Over() {
	s.t.Helper()
	for _, name := range []string{s.file, s.file + ".met"} {
		if err := os.Remove(name); err != nil {
			s.t.Fatal(err)
		}
	}
}

// Again has samplers not answer from now on.
func (s *silenced) Again() {
	s.t.Helper()
	if err := os.WriteFile(s.file, nil, 0o600); err != nil {
		s.t.Fatal(err)
	}
}
