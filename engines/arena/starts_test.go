package arena

import "testing"

// Every start belongs to one part, whatever the seed, and a part is dealt out
// whole before any of it comes again.
func TestStartsAreDisjoint(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 7, 20, 50, 200, 1000, 4097} {
		owner := map[int64]Phase{}
		for _, p := range []Phase{Tune, Final, Validation} {
			from, to := part(n, p)
			for seed := range uint64(3) {
				seen := map[int64]bool{}
				for block := range to - from {
					fx := Fixture{Seed: seed * 77, Phase: p, Block: block, Starts: n}
					at := fx.Start()
					if at < 0 || at >= n {
						t.Fatalf("%d starts, %s: start %d", n, p, at)
					}
					if seen[at] {
						t.Fatalf("%d starts, %s, seed %d: start %d comes twice in %d blocks", n, p, seed, at, to-from)
					}
					seen[at] = true
					if o, ok := owner[at]; ok && o != p {
						t.Fatalf("%d starts: start %d is dealt in %s and in %s", n, at, o, p)
					}
					owner[at] = p
				}
			}
		}
		if int64(len(owner)) != n {
			t.Errorf("%d starts: %d of them are dealt", n, len(owner))
		}
	}
}

// A match meets every start before it meets one again, in another order for
// another seed and another round.
func TestStartsOfAMatch(t *testing.T) {
	const n = 100
	order := func(seed uint64, round int64) [n]int64 {
		var out [n]int64
		seen := map[int64]bool{}
		for b := range int64(n) {
			out[b] = (&Fixture{Seed: seed, Block: round*n + b, Starts: n}).Start()
			seen[out[b]] = true
		}
		if len(seen) != n {
			t.Errorf("seed %d, round %d: %d of %d starts", seed, round, len(seen), n)
		}
		return out
	}
	if a := order(1, 0); a == order(2, 0) || a == order(1, 1) {
		t.Error("two seeds or two rounds have the same order")
	}
	if got := (&Fixture{}).Start(); got != -1 {
		t.Errorf("a game without an end of starts: start %d", got)
	}
}

func TestSeen(t *testing.T) {
	run := NewRun(2, 0, 2, 5, 4)
	for b, digest := range []uint64{10, 11, 10, 12} {
		for rotation := range uint64(2) {
			run.Digests = append(run.Digests, digest+100*rotation)
			run.Values = append(run.Values, int64(b), 0, 2-int64(b), 0)
		}
		run.Blocks++
	}
	var seen Seen
	fresh := seen.New(run)
	if fresh.Blocks != 3 || seen.Blocks() != 3 || len(fresh.Values) != 3*8 || fresh.Game(2, 0, 0)[0] != 3 {
		t.Errorf("%d blocks, %v", fresh.Blocks, fresh.Values)
	}
	if again := seen.New(run); again.Blocks != 0 {
		t.Errorf("%d blocks are new the second time", again.Blocks)
	}
	var other Seen
	if whole := other.New(run.Slice(5, 7)); whole.Blocks != 2 {
		t.Errorf("%d of two different blocks", whole.Blocks)
	}
}
