package contest_test

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
)

func play(t testing.TB, f *contest.Tournament, o contest.TournamentOptions) *contest.TournamentResult {
	t.Helper()
	if o.Host == nil {
		o.Host = arena.NewPool(2)
	}
	r, err := f.Play(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const three = `version: 1
name: three
game: battleship
entrants: [R, RNB, CB]
selfplay: true
blocks: 300
single_sided: shots_to_win
metrics:
  - {name: winrf, of: score, seat: 1}
  - {name: winrs, of: score, seat: 2}
  - {name: hits, of: hit_ratio, seat: 2}
  - {name: average, of: score, seat: 1, scale: 100, average: true}
`

// metric finds a column of a file.
func metric(t testing.TB, f *contest.Tournament, name string) contest.Metric {
	t.Helper()
	for _, m := range f.Metrics {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no metric %s", name)
	return contest.Metric{}
}

func TestPlay(t *testing.T) {
	f := read(t, three)
	r := play(t, f, contest.TournamentOptions{})
	if r.Games() != 3*300+3*600 {
		t.Errorf("%d games, want 300 of each mirror and 600 of each other pairing", r.Games())
	}
	first, second := metric(t, f, "winrf"), metric(t, f, "winrs")
	for _, label := range []string{"R - R", "R - RNB", "RNB - R", "CB - RNB"} {
		a, b := r.Measure(first, label), r.Measure(second, label)
		if math.Abs(a.Mean.Value+b.Mean.Value-1) > 1e-12 || math.Abs(a.SE.Value-b.SE.Value) > 1e-12 {
			t.Errorf("%s: the seats win %v and %v", label, a, b)
		}
	}
	// The average is over all opponents, itself among them.
	mean := 0.0
	for _, opponent := range []string{"R", "RNB", "CB"} {
		mean += 100 * r.Measure(first, "CB - "+opponent).Mean.Value / 3
	}
	if got := r.Measure(metric(t, f, "average"), "CB").Mean.Value; math.Abs(got-mean) > 1e-9 {
		t.Errorf("CB's average is %v, want %v", got, mean)
	}
	table := r.Crosstable()
	for i := range table {
		for j := range table {
			if i == j && table[i][j].Defined {
				t.Errorf("crosstable has %v on the diagonal", table[i][j])
			}
			if i != j && table[i][j].Value+table[j][i].Value != 1 {
				t.Errorf("crosstable: %v and %v", table[i][j], table[j][i])
			}
		}
	}
	totals := r.Totals()
	for i, total := range totals {
		if total.Games != 1200 || total.Wins+total.Draws+total.Losses != 1200 || total.Faults.Sum() != 0 {
			t.Errorf("%s: %+v", f.Entrants[i].Name, total)
		}
	}
	if !(totals[0].Score.Value < totals[1].Score.Value && totals[1].Score.Value < totals[2].Score.Value) {
		t.Errorf("the scores of R, RNB and CB are not in order: %+v", totals)
	}
	if m := r.Measure(first, "MP70 - R"); m.Mean.Defined {
		t.Errorf("a pairing that was not played measures %v", m)
	}
}

// The same games with any number of workers, in any order of the entrants.
func TestPlayWorkers(t *testing.T) {
	one := play(t, read(t, three), contest.TournamentOptions{Host: arena.NewPool(1), Blocks: 40})
	many := play(t, read(t, three), contest.TournamentOptions{Host: arena.NewPool(5), Blocks: 40})
	for i, p := range one.Played {
		if a, b := one.SingleSided(contest.Metric{Of: "score", Scale: 1}, p.Label), many.SingleSided(contest.Metric{Of: "score", Scale: 1}, p.Label); a != b {
			t.Errorf("%s: the sides say %v and %v", p.Label, a, b)
		}
		if q := many.Played[i]; p.Digest != q.Digest || p.Seed != q.Seed || p.Tally.Digest != q.Tally.Digest {
			t.Errorf("%s: digest %s with one worker, %s with five", p.Label, p.Digest, q.Digest)
		}
	}
	turned := play(t, read(t, "version: 1\nname: x\ngame: battleship\nentrants: [CB, R]\nseed: 1\n"), contest.TournamentOptions{Blocks: 1})
	for _, p := range one.Played {
		if p.Label == "R - CB" && p.Seed != turned.Played[0].Seed {
			t.Errorf("seeds %d and %d of one pairing", p.Seed, turned.Played[0].Seed)
		}
	}
}

// Of two entrants the rating is the Elo of their score, with the interval that
// blocks give.
func TestRatingsOfTwo(t *testing.T) {
	r := play(t, read(t, "version: 1\nname: x\ngame: battleship\nentrants: [RNB, CB]\n"), contest.TournamentOptions{Blocks: 2000})
	ratings, err := r.Ratings()
	if err != nil {
		t.Fatal(err)
	}
	e := stats.Rotated(2, r.Played[0].Tally.Entrants[1].Scores).Estimate()
	if got := ratings.Elo[1].Value; math.Abs(got-e.Elo.Value) > 1e-6 {
		t.Errorf("rating %v, want %v", got, e.Elo.Value)
	}
	half := (ratings.CI[1].Hi.Value - ratings.CI[1].Lo.Value) / 2
	if math.Abs(half/e.EloErr.Value-1) > 0.02 {
		t.Errorf("half-width %v, want %v", half, e.EloErr.Value)
	}
	if ratings.Elo[0].Value != 0 || ratings.CI[0].Lo.Defined {
		t.Errorf("the first is rated %v %v", ratings.Elo[0], ratings.CI[0])
	}
}

// Games of more than two seats: everybody sits among equals of each other.
func TestFourSeats(t *testing.T) {
	f := read(t, `version: 1
name: x
game: daifugo
rules: [{name: players, value: 4}]
entrants: [random, lowest-first, greedy-out]
selfplay: true
`)
	r := play(t, f, contest.TournamentOptions{Blocks: 60})
	if len(r.Played) != 9 || r.Games() != 3*60+6*4*60 {
		t.Fatalf("%d pairings, %d games", len(r.Played), r.Games())
	}
	ratings, err := r.Ratings()
	if err != nil || !ratings.Elo[2].Defined || !ratings.CI[2].Lo.Defined {
		t.Errorf("ratings %+v, %v", ratings, err)
	}
	for _, p := range r.Played {
		for _, o := range r.Orders(p) {
			sum := 0.0
			for seat := range o.Seats {
				sum += r.Measure(contest.Metric{Of: "score", Seat: seat, Scale: 1}, o.Label).Mean.Value
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%s: the scores add up to %v", o.Label, sum)
			}
		}
	}
}

// kept is a cache of blocks in memory.
type kept map[uint64][]*arena.Run

func (k kept) Load(_ context.Context, key tuner.BlockKey, from, to int64) iter.Seq2[*arena.Run, error] {
	return func(yield func(*arena.Run, error) bool) {
		for _, r := range slices.Clone(k[key.Seed]) {
			if r.From >= from && r.From+int64(r.Blocks) <= to && !yield(r, nil) {
				return
			}
		}
	}
}

func (k kept) Save(_ context.Context, key tuner.BlockKey, run *arena.Run) error {
	k[key.Seed] = append(k[key.Seed], run)
	return nil
}

// An interrupted tournament goes on where it stopped and ends the same.
func TestResume(t *testing.T) {
	want := play(t, read(t, three), contest.TournamentOptions{Blocks: 50})
	blocks := kept{}
	host := &tuner.CachedHost{Host: arena.NewPool(1), Blocks: blocks}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := read(t, three).Play(ctx, contest.TournamentOptions{Host: host, Blocks: 50, Progress: func(blocks, of, _ int64, _ string) {
		if blocks > of/2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	before := 0
	for _, runs := range blocks {
		for _, r := range runs {
			before += r.Blocks
		}
	}
	if before == 0 || before >= 300 {
		t.Errorf("%d of 300 blocks are kept", before)
	}
	got := play(t, read(t, three), contest.TournamentOptions{Host: host, Blocks: 50})
	for i, p := range want.Played {
		if q := got.Played[i]; p.Digest != q.Digest || p.Tally.Digest != q.Tally.Digest {
			t.Errorf("%s: another digest after the interruption", p.Label)
		}
	}
}

// The pairings are played in turns: long before the end all have been played
// about equally often, and each ends as if it had been played alone.
func TestPairingsTakeTurns(t *testing.T) {
	const blocks = 300
	turns, begun := 0, 0
	r := play(t, read(t, three), contest.TournamentOptions{Blocks: blocks, Each: func(r *contest.TournamentResult) {
		least, most := int64(blocks), int64(0)
		for _, p := range r.Played {
			least, most = min(least, p.Tally.Blocks), max(most, p.Tally.Blocks)
		}
		if turns++; most-least > 128 {
			t.Errorf("one pairing has %d blocks, another %d", least, most)
		}
		if least < blocks/2 && len(r.Played) == len(r.File.Pairings) {
			begun++
		}
	}})
	if turns != 3*len(r.Played) || begun == 0 {
		t.Errorf("%d results so far, %d of them with all pairings", turns, begun)
	}
	for _, p := range r.Played {
		alone := *r.File
		alone.Pairings = []contest.Pairing{p.Pairing}
		one := play(t, &alone, contest.TournamentOptions{Blocks: blocks}).Played[0]
		if one.Digest != p.Digest || one.Tally.Digest != p.Tally.Digest || one.Tally.Blocks != blocks || p.Tally.Blocks != blocks {
			t.Errorf("%s: played in turns it has %d blocks and digest %.12s, alone %d and %.12s", p.Label, p.Tally.Blocks, p.Digest, one.Tally.Blocks, one.Digest)
		}
	}
}

// A third of the way every entrant has met every other one, so that the running table
// has no empty cell and an order that means something.
func TestRunningTableIsComplete(t *testing.T) {
	const blocks = 576
	seen := false
	play(t, read(t, three), contest.TournamentOptions{Blocks: blocks, Each: func(r *contest.TournamentResult) {
		played, of := int64(0), int64(0)
		for _, p := range r.Played {
			played += p.Tally.Blocks
		}
		if of = int64(blocks * len(r.File.Pairings)); seen || 3*played < of {
			return
		}
		seen = true
		if played > of*2/3 {
			t.Fatalf("the first table comes after %d of %d blocks", played, of)
		}
		for i, row := range r.Crosstable() {
			for j, cell := range row {
				if i != j && !cell.Defined {
					t.Errorf("after %d of %d blocks: %s has not met %s", played, of, r.File.Entrants[i].Name, r.File.Entrants[j].Name)
				}
			}
		}
	}})
	if !seen {
		t.Error("there is no table so far")
	}
}
