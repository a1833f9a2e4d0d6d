package matches

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/lines"
	"sakusen/strategies"
)

// Every line that is not empty gets an answer line, whatever it is, and the exit code is 0.
func TestAnalyseBattleship(t *testing.T) {
	in := strings.Join([]string{
		`{"size":2,"fleet":{"boat":2},"shots":[{"at":"a1","result":"miss"}]}`,
		`no JSON`,
		``,
		`{"size":2,"fleet":[2],"shots":[{"at":"a1","result":"miss"},{"at":"b2","result":"miss"}]}`,
		`{"size":2,"fleet":[2],"shots":[{"at":"c1","result":"miss"}]}`,
		strings.Repeat("x", lines.Most),
		strings.Repeat("x", lines.Most+1),
		"{\"size\":2,\"fleet\":[2],\"shots\":[]}\r",
		`{"size":2,"fleet":[2],"shots":[]}`, // and no newline
	}, "\n")
	p := clitest.Launch(t, in, "analyse", "battleship")
	if p.Code != clitest.ExitDone || p.Err != "" {
		t.Errorf("exit code %d, %s", p.Code, p.Err)
	}
	clitest.Golden(t, "analyse_battleship.txt", p.Out)
	if n := strings.Count(p.Out, "\n"); n != 8 {
		t.Errorf("%d answers to 8 lines that are not empty", n)
	}
}

// A byte order mark before the first line belongs to no line.
func TestAnalyseByteOrderMark(t *testing.T) {
	position := `{"size":2,"fleet":[2],"shots":[]}` + "\n"
	p := clitest.Launch(t, "\ufeff"+position+"\ufeff"+position, "analyse", "battleship")
	if p.Code != clitest.ExitDone || !strings.HasPrefix(p.Out, `{"placements":"4"`) || !strings.Contains(p.Out, "\n"+`{"error":"not a line of JSON`) {
		t.Errorf("exit code %d, %s", p.Code, p.Out)
	}
}

// An answer comes before the next question is asked.
func TestAnalyseStreams(t *testing.T) {
	questions, ask := io.Pipe()
	listen, answers := io.Pipe()
	p := cli.Process{Games: strategies.All(), In: questions, Out: answers, Err: io.Discard, Env: clitest.NoVariables}
	done := make(chan int)
	go func() { done <- p.Run(context.Background(), []string{"analyse", "battleship"}) }()
	heard := bufio.NewReader(listen)
	for range 3 {
		if _, err := io.WriteString(ask, `{"size":2,"fleet":[2],"shots":[]}`+"\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := heard.ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"placements":"4"`) {
			t.Fatalf("%q, %v", line, err)
		}
	}
	ask.Close()
	if code := <-done; code != clitest.ExitDone {
		t.Errorf("exit code %d", code)
	}
}

// An interruption does not wait for the input.
func TestAnalyseInterrupted(t *testing.T) {
	questions, ask := io.Pipe()
	defer ask.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if p := clitest.LaunchWith(t, ctx, questions, "analyse", "battleship"); p.Code != clitest.ExitInterrupted || p.Err != "sakusen: interrupted\n" {
		t.Errorf("exit code %d, %q", p.Code, p.Err)
	}
}

// An input that cannot be read is an I/O error after the answers so far.
func TestAnalyseUnreadable(t *testing.T) {
	in := io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(errors.New("gone")))
	p := clitest.LaunchWith(t, context.Background(), in, "analyse", "battleship")
	if p.Code != clitest.ExitInternal || p.Err != "sakusen: standard input: gone\n" || strings.Count(p.Out, "\n") != 1 {
		t.Errorf("exit code %d, %q and %q", p.Code, p.Out, p.Err)
	}
}
