package tubstapnet

import (
	"context"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

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
	for l := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
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

// sides returns the actions of both sides of a dialogue.
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
			c := client{Name: "csharp", Player: &script{own}}
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
			c := client{Name: "pyserver", Player: &script{other}}
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

// answering lets a function answer the commands of a connection until it is closed.
func answering(c net.Conn, answer func(command string) string) {
	w := newWire(c)
	for {
		l, err := w.line(maxCommand, time.Time{})
		if err != nil || w.send(answer(l), time.Second) != nil {
			return
		}
	}
}

// A side that resigns, or loses by a fault, is told to the other, which ends as the
// winner of a whole game.
func TestWinnerIsTold(t *testing.T) {
	for _, answer := range []string{
		"= -1,-1,-1,0,0,-1,0,0,0,0,0\r\n\r\n", // resigns
		"= pass\r\n\r\n",                      // a fault
		"",                                    // silence
	} {
		for team := range 2 {
			var ends [2][2]net.Conn
			for i := range ends {
				ends[i][0], ends[i][1] = net.Pipe()
			}
			go answering(ends[team][1], polite(answer))
			out := make(chan Outcome, 1)
			fail := make(chan error, 1)
			go func() {
				o, err := (&client{Name: "winner", Player: stayer{}}).Play(context.Background(), ends[1-team][1])
				out <- o
				fail <- err
			}()
			referee := &Referee{Map: embedded(t, "own02"), Timeout: 2 * time.Second} // in which the winner answers
			result, err := referee.Play(context.Background(), ends[0][0], ends[1][0])
			if err != nil || result.Winner != tubstap.Team(1-team) {
				t.Errorf("%q as %d: %v, %+v", answer, team, err, result)
			}
			o, err := <-out, <-fail
			if err != nil || o.Winner != tubstap.Team(1-team) {
				t.Errorf("%q as %d: the winner got %v, winner %v", answer, team, err, o.Winner)
				continue
			}
			if _, end := o.Game.State.Result(); end != tubstap.Resignation {
				t.Errorf("%q as %d: the winner saw %v", answer, team, end)
			}
		}
	}
}

// All lines of a server are UTF-8, and so is the record, whatever the map and the
// names were written in.
func TestWireIsUTF8(t *testing.T) {
	text := strings.Replace(string(embedded(t, "own02").AppendText(nil)), "MAPCOM[", "MAPCOM[\x83\x5d\x81\x5b", 1)
	m, _, err := tubstap.ParseMap([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	a, b := net.Pipe()
	c, d := net.Pipe()
	var bad atomic.Int64
	seen := make(chan string, 1)
	for i, far := range []net.Conn{b, d} {
		// Shift_JIS, and a name whose 80th byte is inside of a letter.
		name := []string{"\x83\x5d", strings.Repeat("x", 79) + "ゾ"}[i]
		go answering(far, func(l string) string {
			if !utf8.ValidString(l) {
				bad.Add(1)
			}
			if strings.HasPrefix(l, "MAP ") {
				select {
				case seen <- l:
				default:
				}
			}
			if l == "name" {
				return "= " + name + "\r\n\r\n"
			}
			return polite("= -1,-1,-1,0,0,-1,0,0,3,0,0\r\n\r\n")(l)
		})
	}
	result, err := (&Referee{Map: m, Timeout: time.Hour}).Play(context.Background(), a, c)
	if err != nil || result.Fault != nil || bad.Load() > 0 {
		t.Errorf("%v, %v, %d lines are not UTF-8", err, result.Fault, bad.Load())
	}
	if l := <-seen; !strings.Contains(l, "MAPCOM[ゾー") {
		t.Errorf("%.200s", l)
	}
	if record := result.Game.Record.AppendText(nil); !utf8.Valid(record) || result.Names[0] != "ゾ" || result.Names[1] != strings.Repeat("x", 79)+"..." {
		t.Errorf("%q\n%s", result.Names, record)
	}
}

// A caller whose name is too long is told why, and so is the server's owner.
func TestRefusedIsTold(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	why := make(chan error, 1)
	r := Referee{Map: embedded(t, "own02"), Timeout: time.Hour, Refused: func(_ net.Addr, err error) { why <- err }}
	done := make(chan error, 1)
	go func() { done <- r.Serve(ctx, l, 1, func(Result) error { return nil }) }()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	w := newWire(conn)
	if _, err := w.line(maxCommand, suite.Deadline(t)); err != nil {
		t.Fatal(err)
	}
	if err := w.send("= "+strings.Repeat("n", 5000)+"\r\n\r\n", time.Hour); err != nil {
		t.Fatal(err)
	}
	last, err := w.line(maxCommand, suite.Deadline(t))
	if err != nil || !strings.HasPrefix(last, "? ") || !strings.Contains(last, "line too long: more than 4096 bytes") {
		t.Errorf("the caller read %q, %v", last, err)
	}
	if err := <-why; !strings.Contains(err.Error(), "name: line too long") {
		t.Errorf("the owner heard %v", err)
	}
	stop()
	<-done
}
