package studies

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A study whose sampler never answers ends at the first SIGTERM or SIGINT as every
// interrupted one, and goes on to the same digest when it is run again.
func TestTuneLeavesASilentSampler(t *testing.T) {
	study := strings.Replace(killStudy, "%s", "uniform", 1)
	want, err := clitest.DigestOf(t, clitest.NewStudyDir(t, study))
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		dir := clitest.NewStudyDir(t, study)
		silence := clitest.Silence(t, filepath.Join(dir, "silence"))
		c := exec.Command(os.Args[0], "tune", "killed.yaml", "--json")
		c.Dir, c.Env = dir, append(os.Environ(), clitest.AsProgram+"=1", silence.Variable())
		var said bytes.Buffer
		c.Stdout, c.Stderr = &said, &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		silence.Await()
		c.Process.Signal(signal)
		err := c.Wait() // until the tests' own time is over
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != clitest.ExitInterrupted {
			t.Fatalf("%v: %v, want exit code %d: %s", signal, err, clitest.ExitInterrupted, &said)
		}
		if got, err := clitest.DigestOf(t, dir); err != nil || got != want {
			t.Errorf("%v: it goes on to %s (%v), want %s", signal, got, err, want)
		}
	}
}
