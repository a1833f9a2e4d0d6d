package tubstapnet

import (
	"context"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/engines/tubstap"
)

// line is one message of a recorded dialogue; the files were recorded
// between a server ('S') and the client of the reference program ('C').
type line struct {
	from byte
	text string
}

func transcript(t *testing.T, name string) []line {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []line
	for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		text, err := strconv.Unquote(`"` + strings.Trim(l[3:], "'") + `"`)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, line{l[0], text})
	}
	return out
}

// script plays recorded actions.
type script struct{ texts []string }

func (s *script) Turn(*tubstap.State, *arena.Stream) {}

func (s *script) Act(*tubstap.State) tubstap.Action {
	step, _ := tubstap.ParseStep(s.texts[0])
	s.texts = s.texts[1:]
	a, _ := step.Action()
	return a
}

// sides are the actions of both sides of a dialogue.
func sides(lines []line) (own, other []string) {
	for i, l := range lines {
		if l.text == "Genmove\r\n" {
			own = append(own, strings.TrimSpace(strings.TrimPrefix(lines[i+1].text, "=")))
		}
		if argument, ok := strings.CutPrefix(l.text, "play "); ok {
			other = append(other, strings.TrimSpace(argument))
		}
	}
	return own, other
}

var transcripts = map[string]tubstap.Team{"net_transcript_red.txt": tubstap.Red, "net_transcript_blue.txt": tubstap.Blue}

// TestClientReproduces feeds the server's side to our client.
func TestClientReproduces(t *testing.T) {
	for name, team := range transcripts {
		lines := transcript(t, name)
		own, _ := sides(lines)
		here, there := net.Pipe()
		done := make(chan Outcome, 1)
		go func() {
			c := Client{Name: "csharp", Player: &script{own}}
			out, _ := c.Play(context.Background(), there)
			done <- out
		}()
		here.SetDeadline(suite.Deadline(t))
		buf := make([]byte, 1<<16)
		for i, l := range lines {
			if l.from == 'S' {
				if _, err := here.Write([]byte(l.text)); err != nil {
					t.Fatalf("%s, line %d: %v", name, i+1, err)
				}
				continue
			}
			n, err := here.Read(buf)
			if err != nil || string(buf[:n]) != l.text {
				t.Fatalf("%s, line %d: %q, %v; want %q", name, i+1, buf[:n], err, l.text)
			}
		}
		here.Close()
		if out := <-done; out.Team != team || out.Opponent != "pyserver" {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

// TestRefereeReproduces seats the recorded client opposite one that plays
// the recorded other side.
func TestRefereeReproduces(t *testing.T) {
	for name, team := range transcripts {
		lines := transcript(t, name)
		_, other := sides(lines)
		text := strings.TrimSpace(strings.TrimPrefix(lines[4].text, "MAP "))
		m, _, err := tubstap.ParseMap([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var ends, far [2]net.Conn
		for i := range ends {
			ends[i], far[i] = net.Pipe()
		}
		go func() {
			c := Client{Name: "pyserver", Player: &script{other}}
			c.Play(context.Background(), far[team.Other()])
		}()
		done := make(chan Result, 1)
		go func() {
			result, _ := (&Referee{Map: m, Timeout: 10 * time.Second}).Play(context.Background(), ends[0], ends[1])
			done <- result
		}()
		w := newWire(far[team])
		for i, l := range lines {
			if l.from == 'C' {
				if err := w.send(l.text, time.Second); err != nil {
					t.Fatal(err)
				}
				continue
			}
			got, err := w.in.ReadString('\n')
			if err != nil || got != l.text {
				t.Fatalf("%s, line %d: %q, %v; want %q", name, i+1, got, err, l.text)
			}
		}
		result := <-done
		if result.Fault != nil {
			t.Errorf("%s: %v", name, result.Fault)
		}
		t.Logf("%s: winner %v after %d half-turns", name, result.Winner, len(result.Game.Record.Turns))
	}
}
