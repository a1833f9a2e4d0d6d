package tubstapnet

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
)

// stayer lets every unit stay.
type stayer struct{}

func (stayer) Turn(*tubstap.State, *arena.Stream) {}

func (stayer) Act(s *tubstap.State) tubstap.Action {
	id := s.FirstUnmoved()
	u := s.Unit(id)
	return tubstap.Action{Unit: int16(id), X: u.X, Y: u.Y, Target: tubstap.NoUnit}
}

func embedded(t testing.TB, name string) *tubstap.Map {
	t.Helper()
	m, err := tubstap.EmbeddedMap(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// polite answers everything with an empty text but Genmove.
func polite(genmove string) func(command string) string {
	return func(command string) string {
		if strings.HasPrefix(command, "Genmove") {
			return genmove
		}
		return "= \r\n\r\n"
	}
}

// TestHostileClients: a client that misbehaves as Red loses, within the time for
// an answer, to a Blue that does nothing but stay.
func TestHostileClients(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(string) string
		want   string
	}{
		"garbage":         {func(string) string { return "\x00\xff\x13 hello\r\n" }, "name: answer"},
		"silence":         {func(string) string { return "" }, "i/o timeout"},
		"empty lines":     {func(string) string { return strings.Repeat("\r\n", 100) }, "nothing but empty lines"},
		"huge line":       {func(string) string { return "= " + strings.Repeat("x", 1<<20) }, "line too long"},
		"no end":          {func(string) string { return "= x" }, "i/o timeout"},
		"gtp error":       {func(string) string { return "? unknown command\r\n\r\n" }, `answer "? unknown command"`},
		"no numbers":      {polite("= pass\r\n\r\n"), "ACTION: 1 fields, want 11"},
		"words":           {polite("= a,b,c,d,e,f,g,h,i,j,k\r\n\r\n"), `unit "a": want a whole number`},
		"huge numbers":    {polite("= 99999999999999999999,1,1,1,1,-1,0,0,1,0,0\r\n\r\n"), "want a whole number"},
		"unknown unit":    {polite("= 77,1,1,1,1,-1,0,0,1,0,0\r\n\r\n"), "unit 77: the map has units 0 to 5"},
		"enemy's unit":    {polite("= 3,3,3,3,3,-1,0,0,1,0,0\r\n\r\n"), "unit 3 is blue, and red is to move"},
		"off the map":     {polite("= 0,200,1,2,2,-1,0,0,1,0,0\r\n\r\n"), "off the map"},
		"onto the border": {polite("= 0,0,0,2,2,-1,0,0,1,0,0\r\n\r\n"), "outside the playable cells"},
		"too far":         {polite("= 0,3,3,2,2,-1,0,0,1,0,0\r\n\r\n"), "cannot end its move"},
		"friend":          {polite("= 0,2,2,2,2,1,2,4,2,0,0\r\n\r\n"), "target 1 is red, a friend"},
		"no target":       {polite("= 0,2,2,2,2,-1,0,0,2,0,0\r\n\r\n"), "an attack needs a unit"},
		"type":            {polite("= 0,2,2,2,2,-1,0,0,9,0,0\r\n\r\n"), "type 9"},
		"twice":           {polite("= 1,2,4,2,4,-1,0,0,1,0,0\r\n\r\n"), "has already acted"},
	} {
		t.Run(name, func(t *testing.T) {
			ends := [2]net.Conn{}
			far := [2]net.Conn{}
			for i := range ends {
				ends[i], far[i] = net.Pipe()
			}
			go (&client{Name: "honest", Player: stayer{}}).Play(context.Background(), far[1])
			go func() {
				w := newWire(far[0])
				for {
					l, err := w.line(maxCommand, time.Time{})
					if err != nil {
						return
					}
					if text := c.answer(l); text != "" && w.send(text, time.Hour) != nil {
						return
					}
				}
			}()
			timeout := time.Hour
			if strings.Contains(c.want, "timeout") {
				timeout = 2 * time.Second // in which the other client answers
			}
			result, err := (&Referee{Map: embedded(t, "own02"), Timeout: timeout}).Play(context.Background(), ends[0], ends[1])
			if err != nil || result.Winner != tubstap.Blue || result.Fault == nil || !strings.Contains(result.Fault.Error(), c.want) {
				t.Errorf("%v, %+v; want a fault with %q", err, result.Fault, c.want)
			}
		})
	}
}

// TestGone: a client that leaves in the middle loses.
func TestGone(t *testing.T) {
	a, b := net.Pipe()
	c, d := net.Pipe()
	go (&client{Name: "honest", Player: stayer{}}).Play(context.Background(), b)
	go func() {
		w := newWire(d)
		for range 6 {
			if l, _ := w.line(maxCommand, time.Time{}); strings.HasPrefix(l, "play") {
				break
			}
			w.send("= \r\n\r\n", time.Hour)
		}
		d.Close()
	}()
	result, err := (&Referee{Map: embedded(t, "own02"), Timeout: time.Hour}).Play(context.Background(), a, c)
	if err != nil || result.Winner != tubstap.Red || result.Fault == nil {
		t.Errorf("%v, %+v", err, result)
	}
}

// TestResignAndTurnEnd: the actions without a unit.
func TestResignAndTurnEnd(t *testing.T) {
	for text, want := range map[string]tubstap.Ending{
		"= -1,-1,-1,0,0,-1,0,0,3,0,0\r\n\r\n": tubstap.TurnLimit,
		"= -1,-1,-1,0,0,-1,0,0,0,0,0\r\n\r\n": tubstap.Resignation,
	} {
		a, b := net.Pipe()
		c, d := net.Pipe()
		for _, far := range []net.Conn{b, d} {
			go func() {
				w := newWire(far)
				for {
					l, err := w.line(maxCommand, time.Time{})
					if err != nil || w.send(polite(text)(l), time.Hour) != nil {
						return
					}
				}
			}()
		}
		result, err := (&Referee{Map: embedded(t, "own02"), Timeout: time.Hour}).Play(context.Background(), a, c)
		if err != nil || result.Fault != nil {
			t.Fatalf("%v, %v", err, result.Fault)
		}
		s, err := result.Game.Record.Replay(tubstap.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		if want == tubstap.Resignation {
			if result.Winner != tubstap.Blue || len(result.Game.Record.Turns) != 1 {
				t.Errorf("resigned: %+v", result)
			}
		} else if _, end := s.Result(); end != want {
			t.Errorf("%v, want %v", end, want)
		}
	}
}

// TestHostileServers: the client stops with an error that tells why.
func TestHostileServers(t *testing.T) {
	text := "MAP " + strings.ReplaceAll(string(embedded(t, "own02").AppendText(nil)), "\n", "")
	for name, c := range map[string]struct {
		say  string
		want string
	}{
		"garbage":            {"\x01\x02\r\n", `sent "\x01\x02"`},
		"http":               {"GET / HTTP/1.1\r\n", "want name, opponent"},
		"huge line":          {strings.Repeat("y", maxCommand+10), "line too long"},
		"bad map":            {"MAP SIZEX[9];\r\n", "SIZEY is missing"},
		"bad colour":         {"Color 2\r\n", `Color "2": want 0 or 1`},
		"Genmove at once":    {"Genmove\r\n", "Genmove out of turn"},
		"play at once":       {"play 1,2\r\n", "play out of turn"},
		"Genmove for others": {text + "\r\nColor 1\r\nGenmove\r\n", "Genmove out of turn"},
		"map again":          {text + "\r\nColor 0\r\n" + text + "\r\n", "in the middle of the game"},
		"illegal play":       {text + "\r\nColor 1\r\nplay 0,3,3,2,2,-1,0,0,1,0,0\r\n", "cannot end its move"},
		"silence":            {"", "i/o timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			here, there := net.Pipe()
			defer here.Close()
			go func() {
				w := newWire(here)
				go w.send(c.say, time.Hour)
				buf := make([]byte, 100)
				for {
					if _, err := here.Read(buf); err != nil {
						return
					}
				}
			}()
			idle := time.Hour
			if !strings.HasSuffix(c.say, "\n") {
				idle = 2 * time.Second // the end of the line does not come
			}
			_, err := (&client{Name: "honest", Player: stayer{}, Idle: idle}).Play(context.Background(), there)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestServe plays two games over TCP; a silent guest and one that leaves are
// sent away.
func TestServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	var results []Result
	done := make(chan error, 1)
	r := Referee{Map: embedded(t, "own02"), Timeout: 3 * time.Second} // in which the guests that play answer
	go func() {
		done <- r.Serve(context.Background(), l, 2, func(result Result) error {
			results = append(results, result)
			return nil
		})
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	dial().Close()
	silent := dial()
	defer silent.Close()
	outs := make(chan Outcome, 4)
	for range 4 {
		go func() {
			out, _ := (&client{Name: "stay;er", Player: stayer{}}).Play(context.Background(), dial())
			outs <- out
		}()
	}
	if err := <-done; err != nil || len(results) != 2 {
		t.Fatalf("%v, %d results", err, len(results))
	}
	for _, result := range results {
		if result.Fault != nil || result.Winner != tubstap.Nobody || result.Names != [2]string{"stay_er", "stay_er"} {
			t.Errorf("%+v", result)
		}
	}
	for range 4 {
		if out := <-outs; len(out.Game.Record.Turns) != 20 {
			t.Errorf("a client saw %d half-turns", len(out.Game.Record.Turns))
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	a, _ := net.Pipe()
	b, _ := net.Pipe()
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := (&Referee{Map: embedded(t, "own02")}).Play(ctx, a, b); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Referee{Map: embedded(t, "own02")}).Serve(ctx, l, 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// FuzzClient sends the lines of a text to a client's session.
func FuzzClient(f *testing.F) {
	text := "MAP " + strings.ReplaceAll(string(embedded(f, "own02").AppendText(nil)), "\n", "")
	f.Add("name\nopponent x\n" + text + "\nColor 0\nGenmove\nGenmove\nGenmove\nplay 3,3,3,3,3,-1,0,0,1,0,0\n")
	f.Add(text + "\nColor 1\nplay -1,-1,-1,0,0,-1,0,0,3,0,0\nGenmove\nplay 0,1,1,1,1,1,1,1,0,0,0")
	f.Fuzz(func(t *testing.T, text string) {
		s := &session{client: &client{Name: "x", Player: stayer{}}, team: tubstap.Nobody, planned: -1}
		for l := range strings.SplitSeq(text, "\n") {
			if _, err := s.obey(l); err != nil && strings.Contains(err.Error(), "our own player") {
				t.Fatal(err)
			}
		}
	})
}

// TestSilentCrowd: more silent peers than the waiting room holds keep two
// honest clients from nothing but the room, and leave it in time.
func TestSilentCrowd(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	var played Result
	r := Referee{Map: embedded(t, "own02"), Timeout: 3 * time.Second} // in which the honest clients answer
	go func() {
		done <- r.Serve(context.Background(), l, 1, func(result Result) error {
			played = result
			return nil
		})
	}()
	for range maxCallers + 20 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	for range 2 {
		go func() {
			for {
				c, err := net.Dial("tcp", l.Addr().String())
				if err != nil {
					return
				}
				if _, err := (&client{Name: "honest", Player: stayer{}}).Play(context.Background(), c); err == nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		}()
	}
	if err := <-done; err != nil || played.Fault != nil {
		t.Errorf("%v, %+v", err, played)
	}
}
