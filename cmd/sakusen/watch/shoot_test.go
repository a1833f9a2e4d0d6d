package watch

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies"
)

// series is one block of a game.
func series(t testing.TB, game, rules string, entrants ...string) arena.Series {
	t.Helper()
	g, err := strategies.Catalogue().Game(game)
	if err != nil {
		t.Fatal(err)
	}
	var values param.Values
	for _, text := range strings.Fields(rules) {
		name, value, _ := strings.Cut(text, "=")
		values = append(values, param.Value{Name: name, Text: value})
	}
	rs, errs := g.Open(values)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s := arena.Series{Ruleset: rs, Seed: 1, To: 1}
	for i := range rs.Seats {
		e, err := rs.Entrant(entrants[i%len(entrants)])
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants = append(s.Entrants, e)
	}
	return s
}

// wellFormed holds a drawing to what the pages need: XML, classes only, and no
// way out of the page.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<all>" + svg + "</all>"))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		known := []string{"all", "svg", "g", "rect", "circle", "line", "path", "text", "title", "polygon", "ellipse", "defs", "use"}
		if !slices.Contains(known, start.Name.Local) {
			t.Errorf("an element %s in a drawing", start.Name.Local)
		}
		for _, a := range start.Attr {
			switch name := a.Name.Local; {
			case name == "href" && strings.HasPrefix(a.Value, "#tb-"): // a shape of the drawing itself
			case name == "style", name == "fill", name == "stroke", name == "href", strings.HasPrefix(name, "on"):
				t.Errorf("an attribute %s in a drawing", name)
			}
		}
	}
}

// Every game is filmed: told or drawn, the frames numbered, and the game the one
// that is played unwatched.
func TestShoot(t *testing.T) {
	for _, c := range []struct {
		game, rules string
		entrants    []string
		drawn       bool
	}{
		{"battleship", "", []string{"MP70", "CB"}, true},
		{"battleship", "width=16 height=3 carrier.ships=2", []string{"R", "CB"}, true},
		{"daifugo", "", []string{"lowest-first", "random"}, true},
		{"daifugo", "players=5 cards=7", []string{"lowest-first", "greedy-out"}, true},
		{"tubstap", "", []string{"random", "single"}, true},
		{"lifeboats", "", []string{"level1", "random"}, true},
		{"laboratory", "", []string{"point"}, false},
	} {
		t.Run(c.game+" "+c.rules, func(t *testing.T) {
			s := series(t, c.game, c.rules, c.entrants...)
			for rotation := range min(2, s.Ruleset.Seats) {
				film, err := Shoot(context.Background(), s, rotation, Limits{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if len(film.Frames) == 0 || film.Result == nil || film.Cut != "" {
					t.Fatalf("%d frames, result %v, cut %q", len(film.Frames), film.Result, film.Cut)
				}
				for i, f := range film.Frames {
					if f.Step != i || f.Text == "" || c.drawn && f.SVG == "" {
						t.Errorf("frame %d is step %d, %q, %d bytes", i, f.Step, f.Text, len(f.SVG))
					}
				}
				for _, i := range []int{0, len(film.Frames) / 2, len(film.Frames) - 1} {
					wellFormed(t, film.Frames[i].SVG)
				}
				plain, err := arena.One(context.Background(), &s, 0, rotation)
				if err != nil {
					t.Fatal(err)
				}
				if film.Result.Run.Digests[0] != plain.Digests[0] {
					t.Error("filming changes the game")
				}
			}
		})
	}
}

// A film is cut at its limits, and left when its watcher leaves.
func TestShootEnds(t *testing.T) {
	for _, game := range []string{"battleship", "tubstap"} {
		s := series(t, game, "", "random")
		for _, limits := range []Limits{{Frames: 3}, {Bytes: 100}} {
			film, err := Shoot(context.Background(), s, 0, limits, nil)
			if err != nil || film.Cut == "" || film.Result != nil || len(film.Frames) > 3 {
				t.Errorf("%s within %v: %d frames, cut %q, error %v", game, limits, len(film.Frames), film.Cut, err)
			}
		}
		left := errors.New("the watcher left")
		n := 0
		_, err := Shoot(context.Background(), s, 0, Limits{}, func(Frame) error {
			if n++; n == 2 {
				return left
			}
			return nil
		})
		if !errors.Is(err, left) || n != 2 {
			t.Errorf("%s: after %d frames %v", game, n, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		_, err = Shoot(ctx, s, 0, Limits{}, func(Frame) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled, got %v", game, err)
		}
	}
	s := series(t, "battleship", "", "R")
	if _, err := Shoot(context.Background(), s, 2, Limits{}, nil); err == nil {
		t.Error("a rotation beyond the seats is filmed")
	}
	s.From, s.To = -1, 0
	if _, err := Shoot(context.Background(), s, 0, Limits{}, nil); err == nil {
		t.Error("a block before the first is filmed")
	}
}

// one plays a game unfilmed.
func one(s arena.Series, rotation int) (*arena.Run, error) {
	return arena.One(context.Background(), &s, s.From, rotation)
}

// benchmarkFrames films one game again and again and counts by frames.
func benchmarkFrames(b *testing.B, s arena.Series) {
	one, err := Shoot(context.Background(), s, 0, Limits{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	bytes := 0
	for _, f := range one.Frames {
		bytes += len(f.SVG)
	}
	for b.Loop() {
		if _, err := Shoot(context.Background(), s, 0, Limits{}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(one.Frames)), "µs/frame")
	b.ReportMetric(float64(bytes)/float64(len(one.Frames)), "bytes/frame")
}
