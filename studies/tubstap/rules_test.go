package tubstap_test

import (
	"context"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/studies/tubstap"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/service"
)

// seen notes the games that an experiment asks to be played, and plays them.
type seen struct {
	arena.Host
	series []arena.Series
}

func (s *seen) Play(ctx context.Context, series arena.Series, each func(*arena.Run) error) (arena.Tally, error) {
	s.series = append(s.series, series)
	return s.Host.Play(ctx, series, each)
}

// named returns an experiment on TUBSTAP.
func named(t *testing.T, name string) *experiment.Experiment {
	t.Helper()
	game, err := strategies.Catalogue().Game("tubstap")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tubstap.Experiments(game) {
		if e.Name == name {
			return &e
		}
	}
	t.Fatalf("no experiment %s", name)
	return nil
}

// A figure is played on the map that is asked for, with the seed that is asked for.
func TestFigureOnAnotherMap(t *testing.T) {
	e := named(t, "tubstap-figure5")
	rules, err := service.ExperimentRules(strategies.Catalogue(), e, param.Values{{Name: "map", Text: "own02"}})
	if err != nil {
		t.Fatal(err)
	}
	host, seed := &seen{Host: arena.NewPool(1)}, uint64(5)
	r, err := e.Report(context.Background(), experiment.Options{Host: host, Games: 1, Simulations: 10, Seed: &seed, Rules: rules})
	if err != nil || len(r.Rows) != 9 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, s := range host.series {
		if at, _ := s.Ruleset.Rules.Get("map"); at != "own02" || s.Seed != seed {
			t.Errorf("map %s, seed %d", at, s.Seed)
		}
	}
	for _, wrong := range []struct{ experiment, rule, want string }{
		{"tubstap-figure5", "mop", "did you mean map?"},
		{"tubstap-threshold-rule", "map", "measures its own rules"},
	} {
		_, err := service.ExperimentRules(strategies.Catalogue(), named(t, wrong.experiment), param.Values{{Name: wrong.rule, Text: "own02"}})
		if err == nil || !strings.Contains(err.Error(), wrong.want) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// By the clock each side searches within its time, and every pace has a row for
// maps with planes and one for maps without.
func TestClock(t *testing.T) {
	suite.All(t)
	host := &seen{Host: arena.NewPool(2)}
	r, err := named(t, "tubstap-clock").Report(context.Background(), experiment.Options{Host: host, Games: 1, Simulations: 20})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 16 || len(host.series) != 128 {
		t.Fatalf("%d rows of %d series", len(r.Rows), len(host.series))
	}
	timed := 0
	for _, s := range host.series {
		other, _ := s.Entrants[1].Params.Get("seconds_a_turn")
		if own, _ := s.Entrants[0].Params.Get("muct.seconds_a_turn"); s.Entrants[0].Strategy != "single" && own != other {
			t.Errorf("switch searches for %s seconds, its opponent for %s", own, other)
		}
		if other == "9.7" {
			timed++
		}
	}
	if timed != 96 {
		t.Errorf("%d series by the clock, want 96", timed)
	}
}
