package laboratory

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// unseenRules are a landscape by which no constant of the search was chosen.
type unseenRules struct {
	form       string
	dimensions int
	seed       int
}

// unseen is such a landscape: numbers in 0..1, and the Elo that one point has over another.
type unseen struct {
	base   []float64 // the default parameters, which are the baseline
	height func(x []float64) float64
	scale  float64                      // Elo of a unit of height
	skew   func(a, b []float64) float64 // what a has over b beside their heights, nil for nothing
	draws  float64                      // share of draws among equals
	top    float64                      // the largest Elo over the baseline that was found
}

var unseenMade sync.Map // by rules: looking for a top takes a while

// land is the landscape of the rules.
func (r unseenRules) land() *unseen {
	if u, ok := unseenMade.Load(r); ok {
		return u.(*unseen)
	}
	u := newUnseen(r)
	unseenMade.Store(r, u)
	return u
}

// elo is what a point has over another.
func (u *unseen) elo(a, b []float64) float64 {
	e := (u.height(a) - u.height(b)) * u.scale
	if u.skew != nil {
		e += u.skew(a, b)
	}
	return e
}

// find is the largest Elo over the baseline: climbs by random steps from forty places, some of
// which are the form's own guess.
func (u *unseen) find(rng *rand.Rand, guess []float64) float64 {
	best := math.Inf(-1)
	for range 40 {
		x := make([]float64, len(guess))
		for i := range x {
			x[i] = rng.Float64()
		}
		if rng.IntN(4) == 0 {
			copy(x, guess)
		}
		high := u.elo(x, u.base)
		for step := 0.3; step > 0.001; step *= 0.8 {
			for range 10 * len(x) {
				y := append([]float64(nil), x...)
				if rng.IntN(2) == 0 {
					y[rng.IntN(len(y))] += step * rng.NormFloat64()
				} else {
					for i := range y {
						y[i] += step * rng.NormFloat64() / math.Sqrt(float64(len(y)))
					}
				}
				for i := range y {
					y[i] = math.Min(1, math.Max(0, y[i]))
				}
				if e := u.elo(y, u.base); e > high {
					x, high = y, e
				}
			}
		}
		best = math.Max(best, high)
	}
	return best
}

// unseenPoint is a player.
type unseenPoint struct{ x []float64 }

// Declare implements arena.Config.
func (p *unseenPoint) Declare(f *param.Fields, r *unseenRules) {
	p.x = make([]float64, r.dimensions)
	for i, at := range r.land().base {
		f.Float(&p.x[i], "x"+itoa(i+1), at, param.Range(0, 1), "a number")
	}
}

// Player implements arena.Config.
func (p *unseenPoint) Player(*unseenRules) (*unseenPoint, error) { return p, nil }

type unseenReferee struct{ land *unseen }

// Play implements arena.Referee: each pair of players has chance of its own.
func (r unseenReferee) Play(fx *arena.Fixture, players []*unseenPoint, out *arena.Outcome) error {
	win := 1 / (1 + math.Pow(10, -r.land.elo(players[0].x, players[1].x)/400))
	chance := fx.Stream(0, 0)
	hash := chance.Uint64()
	for _, p := range players {
		for _, x := range p.x {
			hash = hash*0x9E3779B97F4A7C15 + math.Float64bits(x)
			hash ^= hash >> 31
		}
	}
	chance = arena.NewStream(hash, 5)
	u, drawn := chance.Float64(), r.land.draws*math.Min(win, 1-win)
	out.Counts(0)[0]++
	out.Transcript.Add(math.Float64bits(u))
	switch {
	case u < win-drawn:
		out.Win(0)
	case u < win+drawn:
		out.Share(func(int) bool { return true })
	default:
		out.Win(1)
	}
	return nil
}

func unseenCatalogue() arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[unseenRules, *unseenPoint]{
		Name: "unseen", Doc: "Points of a landscape by which no constant was chosen.", Source: "ours",
		Declare: func(r *unseenRules, f *param.Fields) {
			f.Choice(&r.form, "form", "corner", unseenForms, "kind of landscape")
			f.Int(&r.dimensions, "d", 2, param.Range(1, 64), "numbers")
			f.Int(&r.seed, "seed", 1, param.Range(0, 1_000_000), "which landscape of the kind")
		},
		Seats:      func(*unseenRules) int { return 2 },
		Components: []string{"games"},
		Metrics:    []arena.Metric{{Name: "games", Doc: "games", Of: "games"}},
		Referee:    func(r *unseenRules) (arena.Referee[*unseenPoint], error) { return unseenReferee{r.land()}, nil },
	}, arena.Strategy[unseenRules, *unseenPoint]{
		Name: "at", Doc: "A point.", Source: "ours",
		New: func() arena.Config[unseenRules, *unseenPoint] { return &unseenPoint{} },
	})}
}

// ground is the landscape as a ground of the suite.
func (r unseenRules) ground() *Ground {
	u := r.land()
	return &Ground{
		Name: fmt.Sprintf("%s, %d", r.form, r.dimensions), Parameters: r.dimensions, Top: u.top, Catalogue: unseenCatalogue(),
		Head: fmt.Sprintf("game: unseen\nrules: [{name: form, value: %s}, {name: d, value: %d}, {name: seed, value: %d}]\nbaseline: at\n", r.form, r.dimensions, r.seed),
		Tune: "tune: {strategy: at}\n",
		Elo: func(best param.Values) (float64, error) {
			x := make([]float64, r.dimensions)
			for i := range x {
				text, _ := best.Get("x" + itoa(i+1))
				if _, err := fmt.Sscan(text, &x[i]); err != nil {
					return 0, err
				}
			}
			return u.elo(x, u.base), nil
		},
	}
}
