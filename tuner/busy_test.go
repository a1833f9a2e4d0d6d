package tuner_test

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// nap is a game that sleeps instead of playing: 20 ms in the middle, with a spread of .5
// (of the logarithm's deviation). So many desks can be had on few cores.
type napRules struct{}

type napper struct{ x, y float64 }

func (n *napper) Declare(f *param.Fields, _ *napRules) {
	f.Float(&n.x, "x", .3, param.Range(0, 1), "where it lies")
	f.Float(&n.y, "y", .3, param.Range(0, 1), "where it lies too")
}

func (n *napper) Player(*napRules) (*napper, error) { return n, nil }

func (n *napper) worth() float64 { return -(n.x-.7)*(n.x-.7) - (n.y-.6)*(n.y-.6) }

type napReferee struct{ slept *atomic.Int64 }

func (r napReferee) Play(fx *arena.Fixture, p []*napper, out *arena.Outcome) error {
	chance := fx.Chance(0)
	normal := math.Sqrt(-2*math.Log(1-chance.Float64())) * math.Cos(2*math.Pi*chance.Float64())
	length := time.Duration(float64(20*time.Millisecond) * math.Exp(.5*normal))
	began := time.Now()
	time.Sleep(length)
	r.slept.Add(int64(time.Since(began)))
	u := chance.Float64()
	out.Transcript.Add(math.Float64bits(u))
	if u < .5+.4*(p[0].worth()-p[1].worth()) {
		out.Win(0)
	} else {
		out.Win(1)
	}
	return nil
}

// BenchmarkBusy measures the share of the time in which desks that sleep instead of
// playing are busy, over whole studies.
func BenchmarkBusy(b *testing.B) {
	for _, mode := range []string{"baseline", "duels"} {
		for _, flight := range []int{1, 2} {
			for _, desks := range []int{8, 64} {
				b.Run(fmt.Sprintf("%s/flight=%d/desks=%d", mode, flight, desks), func(b *testing.B) {
					for b.Loop() {
						b.ReportMetric(busy(b, mode, flight, desks), "busy")
					}
				})
			}
		}
	}
}

// busy is the share of the time in which desks play, in a study of 20 000 games less what
// its final and its proof do not take.
func busy(b *testing.B, mode string, flight, desks int) float64 {
	var slept atomic.Int64
	nap := arena.Enter(arena.Definition[napRules, *napper]{
		Name: "nap", Doc: "Sleeps.", Source: "ours", Seats: func(*napRules) int { return 2 }, FreshChance: true,
		Declare: func(*napRules, *param.Fields) {},
		Referee: func(*napRules) (arena.Referee[*napper], error) { return napReferee{&slept}, nil },
	}, arena.Strategy[napRules, *napper]{Name: "napper", Doc: "Naps.", Source: "ours",
		New: func() arena.Config[napRules, *napper] { return &napper{} }})
	text := `version: 1
name: busy
game: nap
tune: {strategy: napper}
baseline: napper
sampler: {name: surface, seed: 5, batch: 16, flight: FLIGHT}
race: {rungs: [8]}
budget: {games: 16000}
validation: {gain_elo: [0, 20], max_blocks: 200}
`
	if mode == "duels" {
		text += "evaluate: {mode: duels}\n"
	}
	games := arena.Catalogue{nap}
	spec, err := studyfile.Read("busy.yaml", []byte(strings.Replace(text, "FLIGHT", fmt.Sprint(flight), 1)), games, sampler.Kinds{})
	if err != nil {
		b.Fatal(err)
	}
	p, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
	if err != nil {
		b.Fatal(err)
	}
	searched := time.Duration(0)
	var began time.Time
	var played int64
	st, err := tuner.Open(b.Context(), spec, tuner.Options{
		Host: arena.NewPool(desks), Proposer: p, Record: newMemory(),
		Hook: func(point string) {
			switch point {
			case "before ask":
				if began.IsZero() {
					began = time.Now()
				}
			case "before answer":
				searched, played = time.Since(began), slept.Load()
			}
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := st.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	return float64(played) / float64(searched) / float64(desks)
}
