package battleship

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// neighbourChoices returns what the chase may shoot at, found square by square: ends of
// lines of open hits, else the neighbours with the longest arm.
func neighbourChoices(v *battleship.View, pick string) battleship.Set {
	b, open, walls := v.Board(), v.Open(), v.Walls()
	var ends, best battleship.Set
	longest := 1
	for s := range b.All().AndNot(v.Shots()).All() {
		for d := range battleship.Direction(4) {
			// s would be reached from an open hit going in direction d.
			hit, ok := b.Step(s, 3-d)
			if !ok || !open.Has(hit) {
				continue
			}
			before, ok := b.Step(hit, 3-d)
			if ok && open.Has(before) && v.Unknown().Has(s) {
				ends.Add(s)
			}
			arm := 0
			for at, ok := s, true; ok && !walls.Has(at); at, ok = b.Step(at, d) {
				arm++
			}
			run := arm
			for at, ok := hit, true; ok && !walls.Has(at); at, ok = b.Step(at, 3-d) {
				run++
			}
			if run < v.Shortest() {
				continue
			}
			if arm = min(arm, v.Longest()-1); pick == "random" {
				arm = 1
			}
			if arm > longest {
				longest, best = arm, battleship.Set{}
			}
			if arm == longest {
				best.Add(s)
			}
		}
	}
	if !ends.Empty() {
		return ends
	}
	return best
}

// TestChaseSlowly plays games of RNB and compares every shot of the chase with
// the squares it may choose from.
func TestChaseSlowly(t *testing.T) {
	for _, given := range []param.Values{
		nil,
		{{Name: "width", Text: "12"}, {Name: "height", Text: "11"}, {Name: "destroyer.ships", Text: "3"}},
		{{Name: "destroyer.ships", Text: "0"}, {Name: "carrier.ships", Text: "2"}},
		{{Name: "destroyer.length", Text: "1"}, {Name: "destroyer.ships", Text: "3"}, {Name: "width", Text: "6"}},
	} {
		for _, pick := range []string{"longest_arm", "random"} {
			slowly(t, given, chase{Pick: pick})
		}
	}
}

func slowly(t *testing.T, given param.Values, chase chase) {
	rules, errs := battleship.NewRules(given)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	placer, err := (&placement{Kind: "random"}).placer(rules)
	if err != nil {
		t.Fatal(err)
	}
	fleet := make([]battleship.Placement, rules.Fleet().Ships())
	chased, missed := 0, 0
	for game := range uint64(200) {
		chance := arena.NewStream(game, 1)
		placer.Place(&chance, fleet)
		v := &battleship.View{Knowledge: battleship.NewKnowledge(rules.Board(), rules.Fleet()), Chance: arena.NewStream(game, 2)}
		for !v.Over() {
			at := draw(v.Unknown(), &v.Chance)
			if hits := afloat(v, fleet); pending(v.Knowledge) {
				want := neighbourChoices(v, chase.Pick)
				var ok bool
				if at, ok = chase.shoot(v); !ok || !want.Has(at) {
					t.Fatalf("game %d: the chase shoots at %d (%v), not at one of %v", game, at, ok, want)
				}
				if !hits {
					t.Fatalf("game %d: the chase is after a sunk ship", game)
				}
				chased++
			} else if hits {
				missed++
			}
			v.Record(at, neighbourAnswer(v, fleet, at))
		}
	}
	if chased == 0 || missed > 0 {
		t.Errorf("%d shots of the chase, %d times a ship was hit and not chased", chased, missed)
	}
}

// afloat reports whether a ship afloat is hit.
func afloat(v *battleship.View, fleet []battleship.Placement) bool {
	for _, p := range fleet {
		line := v.Board().Covers(v.Fleet(), p)
		if line.Meets(v.Shots()) && !line.Within(v.Shots()) {
			return true
		}
	}
	return false
}

func neighbourAnswer(v *battleship.View, fleet []battleship.Placement, at battleship.Square) battleship.Answer {
	for i, p := range fleet {
		if line := v.Board().Covers(v.Fleet(), p); line.Has(at) {
			if line.Within(v.Shots().Or(battleship.SetOf(at))) {
				return battleship.Sunk(i)
			}
			return battleship.Hit
		}
	}
	return battleship.Miss
}
