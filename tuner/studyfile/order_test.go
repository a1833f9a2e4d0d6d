package studyfile_test

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

type bandRules struct{}

// band is a strategy whose high must not be below its low.
type band struct{ low, high int }

func (b *band) Declare(f *param.Fields, _ *bandRules) {
	f.Int(&b.low, "low", 4, param.Range(0, 10), "lower end")
	f.Int(&b.high, "high", 6, param.Grid(0, 10, 3), "upper end", param.AtLeast("low"))
}

func (b *band) Player(*bandRules) (*band, error) { return b, nil }

type bandReferee struct{}

func (bandReferee) Play(fx *arena.Fixture, _ []*band, out *arena.Outcome) error {
	coin := fx.Chance(0)
	out.Transcript.Add(coin.Uint64())
	out.Win(coin.IntN(2))
	return nil
}

func bands() arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[bandRules, *band]{
		Name: "bands", Doc: "A game of chance.", Source: "ours",
		Seats:   func(*bandRules) int { return 2 },
		Referee: func(*bandRules) (arena.Referee[*band], error) { return bandReferee{}, nil },
	}, arena.Strategy[bandRules, *band]{Name: "band", Doc: "A band.", Source: "ours",
		New: func() arena.Config[bandRules, *band] { return &band{} }})}
}

// A tuned number stays on its side of one that is fixed, left at its default or tuned with
// one value.
func TestOrderWithWhatDoesNotMove(t *testing.T) {
	games := bands()
	for _, c := range []struct {
		tune      string
		low, high float64
	}{
		{"params: [{name: high}]", 6, 10}, // 4 by default: the grid's next point is 6
		{"fix: [{name: low, value: 1}], params: [{name: high}]", 3, 10},
		{"fix: [{name: low, value: 0}], params: [{name: high}]", 0, 10},
		{"params: [{name: low}]", 0, 6},
		{"fix: [{name: high, value: 9}], params: [{name: low}]", 0, 9},
		{"params: [{name: low}, {name: high}]", 0, 10},
		{"params: [{name: low}, {name: high, low: 3, high: 3}]", 0, 3},
		{"params: [{name: low, low: 5, high: 5}, {name: high}]", 6, 10},
	} {
		text := "version: 1\nname: x\ngame: bands\ntune: {strategy: band, " + c.tune + "}\nbaseline: band\n"
		setup, err := studyfile.Read("x.yaml", []byte(text), games, sampler.Kinds{})
		if err != nil {
			t.Errorf("%s: %v", c.tune, err)
			continue
		}
		for _, d := range setup.Tune.Params {
			if d.Points() == 1 {
				continue
			}
			if d.Domain.Low != c.low || d.Domain.High != c.high {
				t.Errorf("%s: %s in %s, want %v..%v", c.tune, d.Name, d.Domain, c.low, c.high)
			}
		}
	}
}

// Every sampler proposes, and the study plays, what is in order.
func TestOrderWithEverySampler(t *testing.T) {
	for _, name := range (sampler.Kinds{}).Names() {
		text := "version: 1\nname: x\ngame: bands\ntune: {strategy: band}\nbaseline: band\n" +
			"sampler: {name: " + name + "}\nbudget: {trials: 40, games: 3000}\n"
		setup, err := studyfile.Read("x.yaml", []byte(text), bands(), sampler.Kinds{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		proposer, err := sampler.Kinds{}.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
		if err != nil {
			t.Fatal(err)
		}
		record := store.NewMemory()
		study, err := study.Open(context.Background(), setup, study.Options{Host: arena.NewPool(1), Proposer: proposer, Record: record})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := study.Run(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		trials := 0
		for _, e := range record.Log() {
			var ask entry.Ask
			if e.Kind != entry.KindAsk || json.Unmarshal(e.Payload, &ask) != nil {
				continue
			}
			for _, a := range ask.Trials {
				low, _ := a.Params.Get("low")
				high, _ := a.Params.Get("high")
				x, _ := strconv.Atoi(low)
				y, _ := strconv.Atoi(high)
				if trials++; y < x {
					t.Errorf("%s: trial %d has %s", name, a.Number, a.Params)
				}
			}
		}
		if trials == 0 {
			t.Errorf("%s: nothing was asked", name)
		}
	}
}
