package lifeboats_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/suite"
	strategies "sakusen/strategies/lifeboats"
)

// row is a line of positions.jsonl.
type row struct {
	Phase   string
	Player  int
	Weights map[string]float64
	Boats   []lifeboats.Boat
	Boat    int
	Expect  map[string]float64
}

func (r *row) weights() strategies.Weights {
	var w strategies.Weights
	for name, x := range r.Weights {
		list := map[byte][]float64{'A': w.Steps[:], 'L': w.Leaks[:], 'C': w.Parties[:], 'R': w.Rank[:]}[name[0]]
		switch name {
		case "D":
			w.Home = x
		case "X":
			w.X = x
		default:
			i, _ := strconv.Atoi(name[1:])
			list[i] = x
		}
	}
	w.Full = "aboard"
	return w
}

func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func TestWorthPositions(t *testing.T) {
	file, err := os.Open("testdata/positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := 0
	for lines := bufio.NewScanner(file); lines.Scan(); rows++ {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		phase := map[string]lifeboats.Phase{"leak": lifeboats.Leak, "expel": lifeboats.Expel, "advance": lifeboats.Advance}[r.Phase]
		p, err := lifeboats.NewPosition(r.Boats, phase, r.Boat)
		if err != nil {
			t.Fatalf("row %d: %v", rows+1, err)
		}
		w := r.weights()
		var fast, slow lifeboats.Values
		strategies.New(&w, p.Players).Evaluate(p, r.Player, &fast)
		naive{w, p.Players}.Evaluate(p, r.Player, &slow)
		if p.Options().Len() != len(r.Expect) {
			t.Errorf("row %d: %d options, expected %d", rows+1, p.Options().Len(), len(r.Expect))
		}
		for name, want := range r.Expect {
			o, _ := strconv.Atoi(name)
			if !p.Options().Has(o) || math.Abs(fast[o]-want) > 1e-9*math.Abs(want) {
				t.Errorf("row %d, %s, option %d: %v, expected %v", rows+1, r.Phase, o, fast[o], want)
			}
			if math.Abs(slow[o]-want) > 1e-9*math.Abs(want) {
				t.Errorf("row %d, %s, option %d: naive %v, expected %v", rows+1, r.Phase, o, slow[o], want)
			}
		}
	}
	if rows != 36 {
		t.Errorf("%d rows", rows)
	}
}

// draw makes weights at random; some exponents are whole, some 0.
func draw(s *arena.Stream) strategies.Weights {
	var w strategies.Weights
	for _, list := range [][]float64{w.Steps[1:], w.Leaks[1:], w.Parties[2:], w.Rank[1:]} {
		for i := range list {
			list[i] = 2*s.Float64() - 1
		}
	}
	w.Home = 3 * s.Float64()
	w.X = [...]float64{0, 1, 2, 3, 16, 17, 40, 0.01, -1, 100}[s.IntN(10)]
	if s.Bool() {
		w.X = 20 * s.Float64() * s.Float64()
	}
	if s.Bool() {
		w.Steps[1], w.Steps[2], w.Steps[3] = w.Steps[1]+2, w.Steps[2]+2, w.Steps[3]+2
	}
	w.Full = [...]string{"aboard", "optimistic", "expected"}[s.IntN(3)]
	return w
}

// walk plays random votes to the end of a game and shows every vote's position.
func walk(players int, s *arena.Stream, visit func(*lifeboats.Position)) {
	p := lifeboats.Deal(players, s)
	vote := func(phase lifeboats.Phase) int {
		p.Phase = phase
		visit(&p)
		return p.Options().Nth(s.IntN(p.Options().Len()))
	}
	for !p.Over() {
		b := vote(lifeboats.Leak)
		if p.Expels(b) {
			p.Boat = b
			p.Remove(b, vote(lifeboats.Expel))
		}
		p.Flood(b)
		if !p.Over() {
			p.Move(vote(lifeboats.Advance))
		}
	}
}

// The fast evaluation is the naive one, in every position of many games with
// every number of players.
func TestEvaluateAgreesWithNaive(t *testing.T) {
	s := arena.NewStream(1, 1)
	games := 2000
	if suite.Few() {
		games = 200
	}
	compared := 0
	for g := range games {
		players := lifeboats.MinPlayers + g%4
		w := draw(&s)
		fast, slow := strategies.New(&w, players), naive{w, players}
		walk(players, &s, func(p *lifeboats.Position) {
			var a, b lifeboats.Values
			seat := s.IntN(players)
			fast.Evaluate(p, seat, &a)
			slow.Evaluate(p, seat, &b)
			if got, want := fast.Favour(p, seat), lifeboats.Best(&b, p.Options()); got != want {
				t.Fatalf("game %d, X %g, %s, seat %d: favours %b, naive %b of %v", g, w.X, w.Full, seat, got, want, b)
			}
			for set := p.Options(); set != 0; set = set.Rest() {
				o := set.First()
				compared++
				if !near(a[o], b[o]) {
					t.Fatalf("game %d, X %g, %s, seat %d, option %d: %v, naive %v\n%s", g, w.X, w.Full, seat, o, a[o], b[o], p)
				}
			}
			if e := fast.Lead(p, seat); !near(e, slow.lead(p, seat)) {
				t.Fatalf("lead %v, naive %v", e, slow.lead(p, seat))
			}
		})
	}
	t.Logf("%d options", compared)
}

// All weights times a positive factor: the same votes.
func TestScalingChangesNoVote(t *testing.T) {
	s := arena.NewStream(2, 2)
	for g := range 400 {
		w := draw(&s)
		scaled := w.Scaled(math.Exp(6*s.Float64() - 2))
		w, scaled = w.Normal(), scaled.Normal()
		a, b := strategies.New(&w, 5), strategies.New(&scaled, 5)
		walk(5, &s, func(p *lifeboats.Position) {
			var x, y lifeboats.Values
			for seat := range 5 {
				a.Evaluate(p, seat, &x)
				b.Evaluate(p, seat, &y)
				if u, v := lifeboats.Best(&x, p.Options()), lifeboats.Best(&y, p.Options()); u != v {
					t.Fatalf("game %d: %b and %b of %v and %v", g, u, v, x, y)
				}
			}
		})
	}
}

func TestAdvantages(t *testing.T) {
	s := arena.NewStream(3, 3)
	w := draw(&s)
	p := lifeboats.Deal(5, &s)
	p.Move(2)
	v := strategies.New(&w, 5).Advantages(&p)
	for q := range 5 {
		want := 0.0
		for b := range p.Boats {
			want += naive{w, 5}.boat(&p, b) * p.Crew[b][q]
		}
		if !near(v[q], want) {
			t.Errorf("player %d: %v, expected %v", q, v[q], want)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	s := arena.NewStream(4, 4)
	var positions []lifeboats.Position
	for len(positions) < 1000 {
		walk(5, &s, func(p *lifeboats.Position) { positions = append(positions, *p) })
	}
	for _, c := range []struct {
		name string
		x    float64
	}{{"X=2", 2}, {"X=2.37", 2.37}, {"X=10", 10}} {
		w := strategies.Default()
		w.X = c.x
		var e lifeboats.Values
		model := strategies.New(&w, 5)
		for _, m := range []struct {
			name     string
			evaluate func(*lifeboats.Position, int)
		}{
			{"favour", func(p *lifeboats.Position, seat int) { model.Favour(p, seat) }},
			{"incremental", func(p *lifeboats.Position, seat int) { model.Evaluate(p, seat, &e) }},
			{"naive", func(p *lifeboats.Position, seat int) { naive{w, 5}.Evaluate(p, seat, &e) }},
		} {
			b.Run(strings.Join([]string{c.name, m.name}, "/"), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					m.evaluate(&positions[i%len(positions)], i%5)
					i++
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "votes/s")
			})
		}
	}
}
