package contest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
	"sakusen/tuner/studyfile/yamlfile"
)

// tweak is a test of two stages that passes both.
const tweak = `version: 1
name: tweak
game: battleship
test: {new: MP70, base: RNB}
stages:
  - {bounds: [0, 20]}
  - {bounds: [0, 40], max_games: 4000}
`

func readPatch(t testing.TB, text string) *contest.Patch {
	t.Helper()
	f, err := contest.ReadPatch("tweak.yaml", []byte(text), strategies.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func played(t testing.TB, f *contest.Patch, host arena.Host) *contest.PatchReport {
	t.Helper()
	if err := f.Play(t.Context(), contest.PatchOptions{Host: host}); err != nil {
		t.Fatal(err)
	}
	r, err := f.Report()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A test passes when all its stages do, fails in the first that fails, and is undecided where
// one runs out of games; the commit's text has its numbers.
func TestPatch(t *testing.T) {
	pool := arena.NewPool(2)
	r := played(t, readPatch(t, tweak), pool)
	if r.Verdict != contest.PatchPasses || len(r.Stages) != 2 || r.Stages[0].Match.Digest == r.Stages[1].Match.Digest {
		t.Fatalf("%+v", r)
	}
	s := r.Stages[1]
	for _, want := range []string{"Elo   | ", "SPRT  | battleship\n", fmt.Sprintf("LLR   | %.2f (-2.94, 2.94) [0.00, 40.00] normalized\n", s.Match.SPRT.LLR),
		fmt.Sprintf("Games | N: %d W: %d L: %d D: 0\n", s.Match.Games, s.Match.Entrants[0].Wins, s.Match.Entrants[0].Losses), "Penta | ["} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("%q is missing in\n%s", want, r.Text)
		}
	}
	if last := s.Path[len(s.Path)-1]; last.Games != s.Match.Games || last.LLR != s.Match.SPRT.LLR {
		t.Errorf("the path ends at %+v, the test at %d games and %g", last, s.Match.Games, s.Match.SPRT.LLR)
	}
	weaker := played(t, readPatch(t, strings.Replace(tweak, "new: MP70, base: RNB", "new: RNB, base: MP70", 1)), pool)
	if weaker.Verdict != contest.PatchFails || len(weaker.Stages) != 1 {
		t.Errorf("a weaker one: %q after %d stages", weaker.Verdict, len(weaker.Stages))
	}
	equal := played(t, readPatch(t, strings.Replace(strings.Replace(tweak, "new: MP70", "new: 'mp(start_squares=71)'", 1), "base: RNB", "base: MP70", 1)+"model: logistic\n"), pool)
	if equal.Verdict == contest.PatchPasses && equal.Games < 100 {
		t.Errorf("nearly the same: %q after %d games", equal.Verdict, equal.Games)
	}
}

// pieces is a host that plays series in pieces of any size, and stops after so many blocks.
type pieces struct {
	arena.Host
	size int64
}

func (h pieces) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	tally := arena.NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	for from := s.From; from < s.To; from += h.size {
		part := s
		part.From, part.To = from, min(s.To, from+h.size)
		got, err := h.Host.Play(ctx, part, observe)
		if err != nil {
			return tally, err
		}
		if err := tally.Merge(got); err != nil {
			return tally, err
		}
	}
	return tally, nil
}

// What a test finds does not hang on how its blocks are handed out.
func TestPatchInPieces(t *testing.T) {
	text := strings.Replace(tweak, "new: MP70", "new: 'mp(start_squares=90)'", 1)
	whole := played(t, readPatch(t, text), arena.NewPool(2))
	cut := played(t, readPatch(t, text), pieces{arena.NewPool(1), 5})
	a, _ := json.Marshal(whole)
	b, _ := json.Marshal(cut)
	if string(a) != string(b) {
		t.Errorf("in pieces:\n%s\nwhole:\n%s", b, a)
	}
}

// Mistakes in a file are told with their places.
func TestPatchMistakes(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"version: 1", "version: 2", "1:10: version"},
		{"name: tweak", "name: A B", "2:7: name"},
		{"game: battleship", "game: draughts", "3:7: game: expected a game"},
		{"game: battleship", "game: daifugo", "game"},
		{"test: {new: MP70, base: RNB}", "test: {new: MP70}", "test.base"},
		{"test: {new: MP70, base: RNB}", "", "test: expected"},
		{"test: {new: MP70, base: RNB}", "test: MP70", "test: expected a mapping"},
		{"new: MP70", "new: MP7000", "4:13: test.new"},
		{"base: RNB", "base: MP70", "4:25: test.base: expected another entrant"},
		{"bounds: [0, 20]", "bounds: [20, 0]", "stages[0].bounds"},
		{"bounds: [0, 20]", "bounds: [0]", "two numbers"},
		{"bounds: [0, 20]", "bounds: [0, .nan]", "stages[0].bounds[1]"},
		{"bounds: [0, 20]", "bounds: gain", "stages[0].bounds: expected a list"},
		{"bounds: [0, 20]", "limit: x", "stages[0].bounds: expected [ELO0, ELO1]"},
		{"max_games: 4000", "max_games: 1", "stages[1].max_games"},
		{"{bounds: [0, 20]}", "{bounds: [0, 20], limit: nodes:7}", "stages[0].limit: expected none, as "},
		{"stages:", "stages: []\nrest:", "1 to 8 stages"},
		{"game: battleship", "game: chess\nrules: [{name: limit, value: nodes:x}]", "rules.limit"},
		{"{bounds: [0, 20]}", "{bounds: [0, 20], limit: ''}", "stages[0].limit: expected a limit, or no key limit, got \"\""},
		{"game: battleship", "alpha: 0.7", "alpha"},
	} {
		_, err := contest.ReadPatch("t.yaml", []byte(strings.Replace(tweak, c.from, c.to, 1)), strategies.Catalogue())
		if _, ok := errors.AsType[*yamlfile.Error](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.to, err, c.want)
		}
	}
}

// What a command line or a form asks for comes back from the file that is made of it, whatever
// its texts hold.
func TestPatchAsked(t *testing.T) {
	seed := param.Seed(math.MaxUint64)
	a := contest.PatchAsked{Game: "battleship", New: "'MP70'", Base: `R"N\B` + "\n{x}: #", Limits: []string{"a", "b: c"}, Bounds: []string{"no-loss", "1.5,2.25"},
		Rules: param.Values{{Name: "a", Text: "b}, {"}}, MaxGames: 10, Model: "logistic", Alpha: 0.01, Beta: 0.02, Seed: &seed}
	text, err := a.File()
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Name   string
		Test   struct{ New, Base string }
		Rules  []struct{ Name, Value string }
		Stages []struct {
			Limit     string
			Bounds    []float64
			Max_games int64
		}
		Seed string
	}
	if err := yaml.Unmarshal([]byte(text), &read); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if read.Test.New != a.New || read.Test.Base != a.Base || read.Rules[0].Value != "b}, {" || read.Stages[1].Limit != "b: c" || read.Seed != "18446744073709551615" ||
		!slices.Equal(read.Stages[0].Bounds, []float64{-5, 0}) || !slices.Equal(read.Stages[1].Bounds, []float64{1.5, 2.25}) || read.Stages[1].Max_games != 10 {
		t.Errorf("%+v\n%s", read, text)
	}
	foreign := contest.PatchAsked{New: "Ü", Base: "Ä(x=1)"}
	if text, err := foreign.File(); err != nil || !strings.Contains(text, `name: "new-vs-base"`) {
		t.Errorf("%v\n%s", err, text)
	}
	for _, wrong := range [][]string{{"win"}, {"1"}, {"1,x"}, {"gain", "gain", "gain"}} {
		a.Bounds = wrong
		if _, err := a.File(); err == nil {
			t.Errorf("bounds %q: no error", wrong)
		}
	}
}

// Workers are told apart: one that plays otherwise than the rest stands out.
func TestPatchWorkers(t *testing.T) {
	of := func(late int64, scores ...int64) stats.Record {
		r := stats.Record{Scores: scores, Late: late}
		for _, n := range scores {
			r.Blocks, r.Games = r.Blocks+n, r.Games+2*n
		}
		return r
	}
	all := contest.PatchWorkers(map[string]stats.Record{"": of(0, 100, 200, 400, 200, 100), "sound": of(3, 98, 203, 410, 190, 99), "liar": of(0, 0, 0, 100, 200, 400), "idle": of(0, 0, 0, 0, 0, 0)})
	if len(all) != 3 || all[2].Late != 3 || all[0].Worker != "" || all[1].Worker != "liar" || all[0].Games != 2000 || all[2].Penta != [5]int64{98, 203, 410, 190, 99} {
		t.Fatalf("%+v", all)
	}
	if all[1].Residual.Value > 1e-6 || all[1].Elo.Value < all[0].Elo.Value {
		t.Errorf("the liar: %+v", all[1])
	}
}
