package battleship

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// placeRules makes rules with the given options.
func placeRules(t testing.TB, given ...param.Value) *battleship.Rules {
	t.Helper()
	r, errs := battleship.NewRules(given)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return r
}

// group reads "kind=edge1,separated=true".
func group(t testing.TB, r *battleship.Rules, text string) *placement {
	t.Helper()
	g := &placement{}
	var given param.Values
	for _, pair := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(pair, "=")
		given = append(given, param.Value{Name: name, Text: value})
	}
	if err := param.Set(given, func(f *param.Fields) { g.declare(f, r) }); err != nil {
		t.Fatal(err)
	}
	return g
}

// box returns the sides of the smallest rectangle around a set, short side first.
func box(b *battleship.Board, set battleship.Set) (short, long int, lying bool) {
	left, right, top, bottom := 99, 0, 99, 0
	for s := range set.All() {
		left, right = min(left, b.Column(s)), max(right, b.Column(s))
		top, bottom = min(top, b.Row(s)), max(bottom, b.Row(s))
	}
	w, h := right-left+1, bottom-top+1
	return min(w, h), max(w, h), w >= h
}

func TestPlacements(t *testing.T) {
	classic := placeRules(t)
	b, f := classic.Board(), classic.Fleet()
	ring := b.All().AndNot(inner(b, 1))
	rings := b.All().AndNot(inner(b, 2))
	for _, c := range []struct {
		text       string
		area       battleship.Set
		distance   int // least distance of two ships: 1 side by side, 2 corner to corner
		high, wide int // of the pack
	}{
		{"kind=random", b.All(), 1, 0, 0},
		{"kind=random,draw=joint", b.All(), 1, 0, 0},
		{"kind=random,separated=true", b.All(), 2, 0, 0},
		{"kind=random,separated=true,corners=true", b.All(), 3, 0, 0},
		{"kind=random,separated=true,draw=joint", b.All(), 2, 0, 0},
		{"kind=edge1", ring, 1, 0, 0},
		{"kind=edge1,separated=true", ring, 2, 0, 0},
		{"kind=edge1,separated=true,draw=joint", ring, 2, 0, 0},
		{"kind=random,separated=true,off_corners=true", b.All().AndNot(corners(b)), 2, 0, 0},
		{"kind=edge1,separated=true,off_corners=true", ring.AndNot(corners(b)), 2, 0, 0},
		{"kind=edge2", rings, 1, 0, 0},
		{"kind=edge2,separated=true,corners=true", rings, 3, 0, 0},
		{"kind=packed", b.All(), 1, 2, 10},
		{"kind=packed,separated=true", b.All(), 2, 2, 10},
		{"kind=packed,separated=true,corners=true", b.All(), 3, 2, 10},
		{"kind=packed,height=2,width=8", b.All(), 1, 2, 8},
		{"kind=packed,height=2,width=8,draw=joint", b.All(), 1, 2, 8},
		{"kind=packed,height=4,width=5,apart=rectangle", b.All(), 1, 4, 5},
		{"kind=packed,height=2,width=5", b.All(), 1, 2, 8}, // grown
		{"kind=packed,height=3,width=5", b.All(), 1, 3, 6}, // 15 squares, but no room
		{"kind=packed,height=10,width=10", b.All(), 1, 10, 10},
	} {
		placer, err := group(t, classic, c.text).placer(classic)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		chance := arena.NewStream(1, 2)
		fleet := make([]battleship.Placement, f.Ships())
		least, lying := 9, 0
		for range 500 {
			placer.Place(&chance, fleet)
			var taken, pack battleship.Set
			for i, p := range fleet {
				line := b.Covers(f, p)
				if p.Ship != i || line.Empty() || line.Meets(taken) || !line.Within(c.area) {
					t.Fatalf("%s: %v", c.text, fleet)
				}
				if c.high == 0 || i == 4 {
					switch {
					case b.Spread(line).Meets(taken):
						least = min(least, 1)
					case halo(b, line, true).Meets(taken):
						least = min(least, 2)
					default:
						least = min(least, 3)
					}
				}
				taken = taken.Or(line)
				if i < 4 {
					pack = pack.Or(line)
				}
			}
			if c.high > 0 {
				short, long, across := box(b, pack)
				if short > c.high || long > c.wide {
					t.Fatalf("%s: pack of %d x %d squares", c.text, short, long)
				}
				if across {
					lying++
				}
			}
		}
		if least != c.distance {
			t.Errorf("%s: ships come as near as %d, want %d", c.text, least, c.distance)
		}
		if c.high > 0 && c.high < c.wide && (lying < 200 || lying > 300) {
			t.Errorf("%s: the pack lies %d times of 500", c.text, lying)
		}
	}
}

// TestDrawing compares the frequencies of all placements on a small board with
// their exact probabilities.
func TestDrawing(t *testing.T) {
	small := placeRules(t, param.Value{Name: "width", Text: "5"}, param.Value{Name: "height", Text: "4"},
		param.Value{Name: "carrier.length", Text: "4"}, param.Value{Name: "battleship.ships", Text: "0"}, param.Value{Name: "cruiser.ships", Text: "0"},
		param.Value{Name: "submarine.length", Text: "3"})
	b, f := small.Board(), small.Fleet()
	for _, text := range []string{"draw=sequential", "draw=joint", "draw=sequential,separated=true,off_corners=false"} {
		placer, err := group(t, small, text).placer(small)
		if err != nil {
			t.Fatal(err)
		}
		// Exact probabilities, of fleets that are completed.
		want := map[string]float64{}
		total := 0.0
		var walk func(i int, taken battleship.Set, name string, p float64)
		walk = func(i int, taken battleship.Set, name string, p float64) {
			if i == f.Ships() {
				want[name] += p
				total += p
				return
			}
			var free []spot
			for _, s := range placer.ships[i] {
				if !s.line.Meets(taken) {
					free = append(free, s)
				}
			}
			for _, s := range free {
				q := p
				if strings.HasPrefix(text, "draw=sequential") {
					q = p / float64(len(free))
				}
				walk(i+1, taken.Or(s.taken), name+fmt.Sprint(s.start, s.vertical, " "), q)
			}
		}
		walk(0, battleship.Set{}, "", 1)
		const draws = 60000
		got := map[string]float64{}
		chance := arena.NewStream(3, 4)
		fleet := make([]battleship.Placement, f.Ships())
		for range draws {
			placer.Place(&chance, fleet)
			name := ""
			for _, p := range fleet {
				if b.Covers(f, p).Empty() {
					t.Fatal(fleet)
				}
				name += fmt.Sprint(p.Start, p.Vertical, " ")
			}
			got[name]++
		}
		chi2 := 0.0
		for name, p := range want {
			expected := draws * p / total
			chi2 += (got[name] - expected) * (got[name] - expected) / expected
		}
		freedom := float64(len(want) - 1)
		if math.Abs(chi2-freedom) > 4*math.Sqrt(2*freedom) || len(got) > len(want) {
			t.Errorf("%s: chi-square %.1f with %d placements", text, chi2, len(want))
		}
	}
}

func TestNoRoom(t *testing.T) {
	small := placeRules(t, param.Value{Name: "width", Text: "5"}, param.Value{Name: "height", Text: "4"})
	for _, c := range []struct{ text, want string }{
		{"kind=edge1", "place: expected a placement that the fleet fits into, found none of kind edge1 (separated false) in 100000 attempts"},
		{"kind=random,separated=true", "place: expected a placement that the fleet fits into, found none of kind random (separated true) in 100000 attempts"},
	} {
		if _, err := group(t, small, c.text).placer(small); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.text, err, c.want)
		}
	}
}

// TestAttempts states how often the tightest placement of the paper has to
// begin anew.
func TestAttempts(t *testing.T) {
	classic := placeRules(t)
	placer, err := group(t, classic, "kind=packed,height=2,width=8").placer(classic)
	if err != nil {
		t.Fatal(err)
	}
	chance := arena.NewStream(1, 2)
	fleet := make([]battleship.Placement, 5)
	attempts := 0
	for done := 0; done < 2000; attempts++ {
		if placer.draw(placer, &chance, fleet) {
			done++
		}
	}
	if mean := float64(attempts) / 2000; mean < 2.4 || mean > 2.8 {
		t.Errorf("%.2f attempts on average", mean)
	}
}

func BenchmarkPlace(b *testing.B) {
	classic := placeRules(b)
	for _, text := range []string{"kind=random", "kind=random,separated=true", "kind=edge1,separated=true", "kind=edge2", "kind=packed"} {
		b.Run(text, func(b *testing.B) {
			placer, err := group(b, classic, text).placer(classic)
			if err != nil {
				b.Fatal(err)
			}
			chance := arena.NewStream(1, 2)
			fleet := make([]battleship.Placement, classic.Fleet().Ships())
			b.ReportAllocs()
			for b.Loop() {
				placer.Place(&chance, fleet)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "fleets/s")
		})
	}
}
