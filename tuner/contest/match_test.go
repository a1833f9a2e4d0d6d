package contest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
)

// battleship returns a match of two entrants.
func battleship(t testing.TB, blocks int64, entrants ...string) *contest.Match {
	t.Helper()
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	m, err := contest.NewMatch(game, nil, entrants, 1, blocks)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// reported plays a match and is its report as JSON.
func reported(t testing.TB, m *contest.Match, workers int) string {
	t.Helper()
	if err := m.Play(context.Background(), arena.NewPool(workers)); err != nil {
		t.Fatal(err)
	}
	r, err := m.Report()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A report is the same with any number of workers, of a fixed number of blocks
// and of a test, which looks at the same blocks however they are played.
func TestWorkers(t *testing.T) {
	tested := func() *contest.Match {
		m := battleship(t, 400, "RNB", "R")
		m.Test = &stats.Test{
			Hypotheses: stats.Hypotheses{Model: stats.Logistic, Elo0: 0, Elo1: 50},
			Alpha:      0.05, Beta: 0.05, MinBlocks: stats.FewBlocks, MaxBlocks: 400,
		}
		if err := m.CheckTest(); err != nil {
			t.Fatal(err)
		}
		return m
	}
	if one, many := reported(t, battleship(t, 40, "RNB", "R"), 1), reported(t, battleship(t, 40, "RNB", "R"), 3); one != many {
		t.Errorf("one worker reports\n%s\nthree\n%s", one, many)
	}
	if one, many := reported(t, tested(), 1), reported(t, tested(), 3); one != many {
		t.Errorf("a test with one worker reports\n%s\nwith three\n%s", one, many)
	}
}

// The number of seats is that of the entrants, unless the rules say another.
func TestSeats(t *testing.T) {
	game, err := strategies.Catalogue().Game("daifugo")
	if err != nil {
		t.Fatal(err)
	}
	if game.SeatsOption == "" {
		t.Fatal("expected a game whose rules leave the number of seats open")
	}
	if got, _ := contest.WithSeats(game, nil, 4).Get(game.SeatsOption); got != "4" {
		t.Errorf("seats %q", got)
	}
	given := param.Values{{Name: game.SeatsOption, Text: "3"}}
	if got, _ := contest.WithSeats(game, given, 4).Get(game.SeatsOption); got != "3" {
		t.Errorf("seats %q", got)
	}
}

func ExampleMatch() {
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		panic(err)
	}
	m, err := contest.NewMatch(game, nil, []string{"RNB", "R"}, 1, 100)
	if err != nil {
		panic(err)
	}
	if err := m.Play(context.Background(), arena.NewPool(1)); err != nil {
		panic(err)
	}
	report, err := m.Report()
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Game, report.Blocks, report.Entrants[0].Name, report.Entrants[0].Score.Value > 0.5)
	// Output: battleship 100 RNB true
}

// While a match is played it says what is known so far, and an interrupted one reports
// what was played, without the estimate that a test's end would allow.
func TestRunning(t *testing.T) {
	for _, test := range []*stats.Test{nil, {
		Hypotheses: stats.Hypotheses{Model: stats.Logistic, Elo0: 395, Elo1: 405},
		Alpha:      0.05, Beta: 0.05, MinBlocks: stats.FewBlocks, MaxBlocks: 100000,
	}} {
		m := battleship(t, 100000, "RNB", "R")
		m.Test = test
		ctx, cancel := context.WithCancel(t.Context())
		said := ""
		m.Progress = func(to, _ int64, running func() string) {
			if to >= 64 {
				said = running()
				cancel()
			}
		}
		if err := m.Play(ctx, arena.NewPool(1)); err == nil {
			t.Fatal("the match was not interrupted")
		}
		m.Interrupted = true
		r, err := m.Report()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"score 0.", ", Elo ", " +- "} {
			if !strings.Contains(said, want) {
				t.Errorf("running: %q has no %q", said, want)
			}
		}
		if r.Blocks < 64 || r.Blocks >= 100000 || !r.Interrupted {
			t.Errorf("report: %+v", r)
		}
		if test == nil {
			continue
		}
		if !strings.Contains(said, "LLR ") || len("12345/100000 blocks, "+said) > 80 {
			t.Errorf("running: %q", said)
		}
		if r.SPRT.Verdict != stats.Continue || r.SPRT.Unbiased.Score.Defined {
			t.Errorf("the test of an interrupted match: %+v", r.SPRT)
		}
	}
}
