package rollout_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"sakusen/engines/suite"
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/narrow"
	"sakusen/engines/tubstap/rollout"
	"sakusen/engines/tubstap/wide"
)

// maps returns the embedded ones and generated ones of many shapes.
func maps(t *testing.T) []*tubstap.Map {
	t.Helper()
	var list []*tubstap.Map
	for _, name := range tubstap.MapNames() {
		m, err := tubstap.EmbeddedMap(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	for seed := range 40 {
		d := tubstap.Design{
			Seed: seed, Width: 4 + seed%12, Height: 4 + seed/3%12, Units: 2 + seed%3, Planes: 10 * (seed % 7),
			Rough: seed % 50, TurnLimit: 10 + seed, Threshold: seed % 4,
		}
		m, err := d.Map()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// scatter plays random turns from the start, so that positions of all phases
// of a game are met, some in the middle of a turn.
func scatter(s *tubstap.State, rng *rand.Rand) {
	var list []tubstap.Action
	for n := rng.IntN(40); n > 0 && !s.Over(); n-- {
		if s.TurnDone() {
			s.EndTurn()
			continue
		}
		list = s.AppendAll(list[:0], s.FirstUnmoved())
		a := list[rng.IntN(len(list))]
		if rng.IntN(3) > 0 {
			a = list[0]
		}
		s.Do(a)
	}
	if s.TurnDone() && !s.Over() {
		s.EndTurn()
	}
}

// rounds is how many positions of each map are played out.
var rounds = flag.Int("rounds", 150, "positions of each map that are played out")

// TestBoardsAgree plays random positions out on the fast boards and on the plain one, which
// makes every list anew from the rules. If children, rewards and the generator's state after
// each playout are the same, the counts kept by the fast boards equal those recomputed, action
// by action. With -rounds 600 it makes more than four million draws, two to six for each
// action.
func TestBoardsAgree(t *testing.T) {
	rounds := *rounds
	if suite.Few() {
		rounds = 3
	}
	rng := rand.New(rand.NewPCG(11, 108))
	draws, compared := uint64(0), 0
	for _, m := range maps(t) {
		for round := range rounds {
			s := m.Start(tubstap.Rules{AntiAirInfantry: 105 + 10*(round&1)})
			scatter(s, rng)
			if s.Over() || s.TurnDone() {
				continue
			}
			config := rollout.Config{Attack: []int{80, 80, 100, 0, 50}[rng.IntN(5)], Corrected: rng.IntN(3) == 0, Equal: 1 + rng.IntN(2)}
			if config.Corrected {
				config.Candidates, config.Worth = rng.IntN(4), weights
			}
			boards := map[string]rollout.Board{}
			if narrow.Fits(s) {
				boards["narrow"] = narrow.New(s, config)
			}
			if wide.Fits(s) {
				boards["wide"] = wide.New(s, config)
			}
			seed := rng.Uint64()
			for name, b := range boards {
				plain := rollout.NewPlain(s, config)
				walk := rand.New(rand.NewPCG(seed, 0))
				if n := compare(t, plain, b, config, walk, seed); t.Failed() {
					t.Fatalf("%s on %s, %+v, %v", name, m.Name, config, s.Rows())
				} else {
					draws += n
				}
				compared++
			}
		}
	}
	t.Logf("%d positions, %d draws", compared, draws)
}

var weights = rollout.Weights{20, 21, 15, 10, 7, 2}

// compare walks both boards down the same path and plays out from its end.
func compare(t *testing.T, plain, fast rollout.Board, config rollout.Config, walk *rand.Rand, seed uint64) uint64 {
	t.Helper()
	depth := walk.IntN(5)
	for d := 0; ; d++ {
		if config.Corrected {
			over1, r1 := plain.Advance()
			over2, r2 := fast.Advance()
			if over1 != over2 || r1 != r2 || plain.RootMoves() != fast.RootMoves() {
				t.Errorf("advance: %v %d, want %v %d", over2, r2, over1, r1)
				return 0
			}
			if over1 {
				return 0
			}
		}
		a, e1 := plain.Expand(nil, d == 0)
		b, e2 := fast.Expand(nil, d == 0)
		if e1 != e2 || len(a) != len(b) {
			t.Errorf("depth %d: expansion %+v of %d, want %+v of %d", d, e2, len(b), e1, len(a))
			return 0
		}
		for i := range a {
			if plain.Action(a[i]) != fast.Action(b[i]) {
				t.Errorf("depth %d: child %d is %v, want %v", d, i, fast.Action(b[i]), plain.Action(a[i]))
				return 0
			}
		}
		if len(a) == 0 || d == depth {
			break
		}
		i := walk.IntN(len(a))
		if g, h := plain.Gain(a[i], &weights), fast.Gain(b[i], &weights); g != h {
			t.Errorf("depth %d: gain %d, want %d", d, h, g)
		}
		plain.Do(a[i])
		fast.Do(b[i])
	}
	c1, c2 := rollout.Chance{State: seed}, rollout.Chance{State: seed}
	var r1, r2, lead1, lead2 int
	var over1, over2 bool
	if turns := walk.IntN(8); config.Corrected && turns > 0 {
		lead1, r1, over1 = plain.Sketch(&c1, turns, &weights)
		lead2, r2, over2 = fast.Sketch(&c2, turns, &weights)
	} else {
		r1, r2 = plain.Playout(&c1), fast.Playout(&c2)
	}
	if r1 != r2 || lead1 != lead2 || over1 != over2 || c1 != c2 {
		t.Errorf("playout: %d and generator %d, want %d and %d", r2, c2.State, r1, c1.State)
	}
	const inverse = 0xF1DE83E19937733D // of Gamma, modulo 2^64
	return (c1.State - seed) * inverse
}

func TestPlayoutAllocatesNothing(t *testing.T) {
	m, err := tubstap.EmbeddedMap("paper12b")
	if err != nil {
		t.Fatal(err)
	}
	s := m.Start(tubstap.Rules{})
	for name, b := range map[string]rollout.Board{"narrow": narrow.New(s, rollout.Reference()), "wide": wide.New(s, rollout.Reference())} {
		c := rollout.Chance{State: 1}
		if n := testing.AllocsPerRun(100, func() { b.Reset(); b.Playout(&c) }); n != 0 {
			t.Errorf("%s: %v allocations in a playout", name, n)
		}
	}
}

func TestAttackBound(t *testing.T) {
	for _, percent := range []int{0, 1, 50, 80, 99, 100} {
		bound := rollout.AttackBound(percent)
		share := float64(100-percent) / 100
		if float64(bound)*0x1p-53 < share || bound > 0 && float64(bound-1)*0x1p-53 >= share {
			t.Errorf("%d per cent: bound %d", percent, bound)
		}
	}
}
