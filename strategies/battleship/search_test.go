package battleship

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
)

// slow is a target that also looks at all pairs of squares.
type slow struct {
	t        *testing.T
	search   *search
	counter  *count.Counter
	compared int
	turned   int // choices that MP would not make
}

func (s *slow) Best(v *battleship.View, hunt *hunt) battleship.Set {
	got := s.search.Best(v, hunt)
	// All fleets that miss two squares, for every pair.
	var want battleship.Set
	var least, most count.Number
	s.counter.Count(v.Knowledge)
	greatest, _ := s.counter.Best()
	at := map[battleship.Square]count.Number{}
	for square := range v.Unknown().All() {
		at[square] = s.counter.At(square)
	}
	for first := range v.Unknown().All() {
		left := s.counter.Placements(v.Knowledge, battleship.SetOf(first))
		for second := range v.Unknown().All() {
			if n := s.counter.Placements(v.Knowledge, battleship.SetOf(first, second)); n.Cmp(left) < 0 {
				left = n
			}
		}
		better := left.Cmp(least)
		if better == 0 {
			better = most.Cmp(at[first])
		}
		switch {
		case want.Empty() || better < 0:
			want, least, most = battleship.SetOf(first), left, at[first]
		case better == 0:
			want.Add(first)
		}
	}
	if got != want {
		s.t.Fatalf("%v begin the best pairs, not %v", want, got)
	}
	if s.compared++; !want.Meets(greatest) {
		s.turned++
	}
	return got
}

// TestSearchSlowly compares LA2 that follows every square with all pairs.
func TestSearchSlowly(t *testing.T) {
	target := &slow{t: t}
	play(t, param.Values{{Name: "start_squares", Text: "30"}}, 150, func(r *battleship.Rules) huntTarget {
		target.search = &search{counter: count.New(r.Board()), shots: 2, kept: maxKept}
		target.counter = count.New(r.Board())
		return target
	})
	if target.compared < 300 || target.turned == 0 {
		t.Errorf("%d choices compared, %d of them other than MP's", target.compared, target.turned)
	}
}

// deeper compares searches that must agree.
type deeper struct {
	t        *testing.T
	searches []*search
	compared int
}

func (d *deeper) Best(v *battleship.View, hunt *hunt) battleship.Set {
	d.counts(v, hunt)
	var all [3]battleship.Set
	for i, s := range d.searches {
		all[i] = s.Best(v, hunt)
	}
	// One shot ahead is MP.
	if all[0] != all[1] {
		d.t.Fatalf("one shot ahead %v, the greatest counts %v", all[0], all[1])
	}
	d.compared++
	return all[2]
}

// counts checks that three misses never leave more placements than two.
func (d *deeper) counts(v *battleship.View, hunt *hunt) {
	two, three := d.searches[2], *d.searches[2]
	three.shots = 3
	a := two.fewest(v, hunt, battleship.Set{}, 0)
	b := three.fewest(v, hunt, battleship.Set{}, 0)
	if b.Cmp(a) > 0 {
		d.t.Fatalf("three misses leave %v placements, two %v", b, a)
	}
}

func TestDepths(t *testing.T) {
	target := &deeper{t: t}
	play(t, param.Values{{Name: "start_squares", Text: "40"}}, 20, func(r *battleship.Rules) huntTarget {
		for range 3 {
			target.searches = append(target.searches, &search{counter: count.New(r.Board()), shots: 1, kept: maxKept})
		}
		target.searches[1].kept = 1
		target.searches[2].shots = 2
		return target
	})
	if target.compared == 0 {
		t.Error("nothing compared")
	}
}

// play plays games of an attack with a target against itself.
func play(t *testing.T, given param.Values, games int64, target func(*battleship.Rules) huntTarget) {
	t.Helper()
	// Under the fitted conventions MP and LA hardly ever differ from so few squares on.
	rules, errs := battleship.NewRules(param.Values{{Name: "conventions", Text: "plain"}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	p, err := attacking(rules, given, target(rules))
	if err != nil {
		t.Fatal(err)
	}
	game := battleship.Game()
	referee, err := game.Referee(rules)
	if err != nil {
		t.Fatal(err)
	}
	for block := range games {
		out := arena.NewOutcome(2, len(game.Components))
		if err := referee.Play(&arena.Fixture{Seed: 6, Block: block}, []battleship.Player{p, p}, out); err != nil {
			t.Fatal(err)
		}
	}
}

// attacking makes a player of an attack with a target.
func attacking(rules *battleship.Rules, given param.Values, target huntTarget) (battleship.Player, error) {
	s := arena.Strategy[battleship.Rules, battleship.Player]{New: func(f *param.Fields, r *battleship.Rules) arena.Maker[battleship.Player] {
		return attack(f, r, func() huntTarget { return target })
	}}
	return s.Player(rules, given)
}
