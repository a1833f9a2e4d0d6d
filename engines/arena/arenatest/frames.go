// This file helps the tests of games' scenes: games to film, checks of
// every frame, and drawings held to files.
//
//	s := arenatest.Series(t, game, "players=4", "level1", "random")
//	one := arenatest.Sound(t, Scene(), s)

package arenatest

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/param"
)

// Sound films rotation 1 of a series twice and checks that both films are the
// same and every frame is sound.
func Sound(t *testing.T, scene film.Scene, s arena.Series) film.Film {
	t.Helper()
	one, err := film.Shoot(context.Background(), scene, s, 1, film.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := film.Shoot(context.Background(), scene, s, 1, film.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(one.Frames, again.Frames) {
		t.Errorf("%s %v: the same game is drawn in two ways", one.Game, one.Rules)
	}
	if one.Cut != "" || one.Result == nil {
		t.Errorf("%s %v: the film is cut: %s", one.Game, one.Rules, one.Cut)
	}
	for _, f := range one.Frames {
		SoundFrame(t, f)
		if (f.Standing == nil) != (scene.Measure == "") || f.Standing != nil && len(f.Standing) != len(s.Entrants) || slices.ContainsFunc(f.Standing, func(x float64) bool { return !(x >= 0 && x <= 1) }) {
			t.Errorf("%s: step %d: expected how %d seats stand in %q, from 0 to 1, got %v", one.Game, f.Step, len(s.Entrants), scene.Measure, f.Standing)
		}
	}
	soundEnd(t, &one)
	return one
}

// soundEnd checks that the measure of how seats stand is a chance: at the end of a game it
// is what each seat has won.
func soundEnd(t *testing.T, one *film.Film) {
	t.Helper()
	if one.Result == nil || one.Frames[len(one.Frames)-1].Standing == nil {
		return
	}
	for seat, x := range one.Frames[len(one.Frames)-1].Standing {
		if score := one.Result.Seats[seat].Score; math.Abs(x-score) > 1e-9 {
			t.Errorf("%s: at the end seat %d stands at %g and has won %g", one.Game, seat, x, score)
		}
	}
}

// SoundFrame checks one frame: its drawing is well formed and of bounded size,
// its caption one line.
func SoundFrame(t *testing.T, f film.Frame) {
	t.Helper()
	WellFormed(t, f.SVG)
	if len(f.SVG) == 0 || len(f.SVG) > 128<<10 {
		t.Errorf("step %d takes %d bytes", f.Step, len(f.SVG))
	}
	for _, bad := range []string{"NaN", "Inf", "%!", "<nil>"} {
		if strings.Contains(f.SVG+f.Text, bad) {
			t.Errorf("step %d holds %q", f.Step, bad)
		}
	}
	if f.Text == "" || strings.ContainsRune(f.Text, '\n') {
		t.Errorf("step %d says %q", f.Step, f.Text)
	}
}

// WellFormed holds a drawing to what the pages need: XML, classes only, and no
// way out of the page.
func WellFormed(t *testing.T, svg string) {
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

// Shown returns the frames that a scene makes of events, without a game.
func Shown(t *testing.T, scene film.Scene, rs *arena.Ruleset, names []string, events ...any) []film.Frame {
	t.Helper()
	var frames []film.Frame
	d, err := scene.Draw(rs, names, func(f film.Frame) error {
		frames = append(frames, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := d.See(e); err != nil {
			t.Fatal(err)
		}
	}
	return frames
}

// Golden holds a drawing to the file name.svg of the testdata folder, in which every element has a
// line.
func Golden(t *testing.T, name, svg string) {
	t.Helper()
	path := filepath.Join("testdata", name+".svg")
	got := strings.ReplaceAll(svg, "><", ">\n<") + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s, line %d (rewrite it with -update and read the diff): got\n%s\nwant\n%s", path, i+1, a[i], b[i])
			return
		}
	}
	t.Errorf("%s (rewrite it with -update and read the diff): %d lines, want %d", path, len(a), len(b))
}

// Series returns one block of a game under rules such as "map=own04 noise_hp=true", its
// entrants one a seat and round again.
func Series(t testing.TB, g *arena.Game, rules string, entrants ...string) arena.Series {
	t.Helper()
	var values param.Values
	for text := range strings.FieldsSeq(rules) {
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

// BenchmarkFrames films one game again and again and reports the time and the
// bytes of a frame.
func BenchmarkFrames(b *testing.B, scene film.Scene, s arena.Series) {
	one, err := film.Shoot(context.Background(), scene, s, 0, film.Limits{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	bytes := 0
	for _, f := range one.Frames {
		bytes += len(f.SVG)
	}
	for b.Loop() {
		if _, err := film.Shoot(context.Background(), scene, s, 0, film.Limits{}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(one.Frames)), "µs/frame")
	b.ReportMetric(float64(bytes)/float64(len(one.Frames)), "bytes/frame")
}
