package cli_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/strategies"
)

// An interruption promises to go on only where something was kept: a study whose record is
// open, but neither what is played for a signature nor a study that is still being checked.
func TestInterruptionsPromise(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	t.Chdir(t.TempDir())
	for _, line := range []string{"version --signature", "tune laboratory-hill", "study check laboratory-hill"} {
		if p := clitest.LaunchWith(t, ended, strings.NewReader(""), strings.Fields(line)...); p.Code != clitest.ExitInterrupted || p.Err != "sakusen: interrupted\n" {
			t.Errorf("%s: exit code %d, %q", line, p.Code, p.Err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var errs bytes.Buffer
	p := cli.Process{In: strings.NewReader(""), Out: io.Discard, Err: &errs, Env: clitest.NoVariables, Games: strategies.All(), Hook: func(point string) {
		if point == "after ask" {
			stop()
		}
	}}
	if code := p.Run(ctx, []string{"tune", "laboratory-hill"}); code != clitest.ExitInterrupted || !strings.HasSuffix(errs.String(), "sakusen: interrupted; the same command goes on where study laboratory-hill stopped\n") {
		t.Errorf("exit code %d, %s", code, errs.String())
	}
	if p := clitest.Launch(t, "", "tune", "laboratory-hill"); p.Code > clitest.ExitNegative || !strings.Contains(p.Err, "study laboratory-hill: resumed") {
		t.Errorf("exit code %d, %s", p.Code, p.Err)
	}
}

// A command that does not end when it is interrupted, as here for the end of its input, is
// left after a moment.
func TestInterruptedCommandIsLeft(t *testing.T) {
	t.Chdir(t.TempDir())
	in, typed := io.Pipe()
	read := &waited{Reader: in}
	read.begun.Add(1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		read.begun.Wait()
		stop()
	}()
	var errs bytes.Buffer
	p := cli.Process{In: read, Out: io.Discard, Err: &errs, Env: clitest.NoVariables, Games: strategies.All(), Moment: 1}
	if code := p.Run(ctx, []string{"study", "tell", "nothing"}); code != clitest.ExitInterrupted || errs.String() != "sakusen: interrupted\n" {
		t.Errorf("exit code %d, %q", code, errs.String())
	}
	typed.Close()
}

// waited tells when it is read first.
type waited struct {
	io.Reader
	begun sync.WaitGroup
	once  sync.Once
}

func (w *waited) Read(p []byte) (int, error) {
	w.once.Do(w.begun.Done)
	return w.Reader.Read(p)
}
