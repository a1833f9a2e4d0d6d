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
		New: func(f *param.Fields, r *bandRules) arena.Maker[*band] {
			c := &band{}
			c.Declare(f, r)
			return func() (*band, error) { return c.Player(r) }
		}})}
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

// A list of numbers has no middle to which what is out of order could be moved: beside another
// number that is tuned it is refused, and beside one that stands still its values on the wrong
// side are.
func TestOrderOfChoices(t *testing.T) {
	for _, c := range []struct{ tune, want string }{
		{"params: [{name: low, choices: [1, 5]}, {name: high}]", "x.yaml:4:54: tune.params[0].choices: expected a range, as low and high are tuned in order, got choices"},
		{"params: [{name: low}, {name: high, choices: [3, 9]}]", "x.yaml:4:68: tune.params[1].choices: expected a range, as high and low are tuned in order, got choices"},
		{"params: [{name: high, choices: [3, 9]}]", "x.yaml:4:56: tune.params[0].choices[0]: expected at least low=4, got 3"},
		{"params: [{name: low, choices: [5, 7]}]", "x.yaml:4:58: tune.params[0].choices[1]: expected at most high=6, got 7"},
		{"fix: [{name: low, value: 3}], params: [{name: high, choices: [3, 9]}]", ""},
		{"params: [{name: low, low: 2, high: 2}, {name: high, choices: [3, 9]}]", ""},
	} {
		text := "version: 1\nname: x\ngame: bands\ntune: {strategy: band, " + c.tune + "}\nbaseline: band\n"
		switch _, err := studyfile.Read("x.yaml", []byte(text), bands(), sampler.Kinds{}); {
		case c.want == "" && err != nil, c.want != "" && (err == nil || err.Error() != c.want):
			t.Errorf("%s: %v, want %q", c.tune, err, c.want)
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
