package daifugo

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// ranksetMade returns a player with the given values.
func ranksetMade(t *testing.T, o *daifugo.Options, values param.Values) daifugo.Player {
	t.Helper()
	s := RankSet()
	p, err := s.Player(o, values)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ranksetPosition(rng *rand.Rand, r daifugo.Rules) daifugo.Position {
	hands := make([]daifugo.Hand, r.Seats)
	for i := range hands {
		hands[i] = daifugo.Hand(1 + rng.IntN(1<<r.Cards-1))
	}
	p, err := daifugo.Deal(r, hands)
	if err != nil {
		panic(err)
	}
	return p
}

// With nodes enough, every move is one of S(P), whatever the preferences.
func TestPlaysInS(t *testing.T) {
	o := &daifugo.Options{Players: 3, Cards: 4, Deal: daifugo.Uneven}
	for _, tie := range ties() {
		for _, then := range thens() {
			pl := ranksetMade(t, o, param.Values{{Name: "nodes", Text: "1000000"}, {Name: "tie", Text: tie}, {Name: "then", Text: then}})
			rng := rand.New(rand.NewPCG(1, 1))
			for range 20 {
				p := ranksetPosition(rng, o.Rules())
				chance := arena.NewStream(1, rng.Uint64())
				m, nodes := pl.Choose(&p, &chance)
				if best := analyse(p, 0).Best; !slices.Contains(best, m) {
					t.Fatalf("%s, %s: %v after %d nodes, S(P) is %v in %+v", tie, then, m, nodes, best, p.Setup())
				}
			}
		}
	}
}

// A guess has ranks for everybody, keeps those that are given, and goes no
// further than what is open.
func TestGuess(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	r := daifugo.Rules{Seats: 4, Cards: 5, Ranks: 3}
	for range 300 {
		g := guess{kind: guessHands, high: rng.IntN(200), lead: rng.IntN(200), spread: rng.IntN(200)}
		p := ranksetPosition(rng, r)
		for range rng.IntN(12) {
			if moves := p.Moves(nil); len(moves) > 0 {
				p.Play(moves[rng.IntN(len(moves))])
			}
		}
		v, most := g.value(&p), everything(&p)
		for seat := range r.Seats {
			if s := v.at(seat, r.Ranks); s == 0 || s&^most.at(seat, r.Ranks) != 0 {
				t.Fatalf("seat %d is guessed %v of %v in %+v", seat, s.ranks(), most.at(seat, r.Ranks).ranks(), p.Setup())
			}
		}
	}
}

// Who has the fewest cards to shed is guessed first.
func TestGuessOrder(t *testing.T) {
	s := daifugo.Setup{Hands: [][]int{{1, 2, 3, 4}, {2}, {1, 3}}, Ranks: 3}
	p, err := s.Position()
	if err != nil {
		t.Fatal(err)
	}
	g := guess{kind: guessHands, spread: 25}
	if got := g.value(&p).Sets(p.Rules()); !slices.Equal(got[0], []int{3}) || !slices.Equal(got[1], []int{1}) || !slices.Equal(got[2], []int{2}) {
		t.Errorf("guessed %v, want [[3] [1] [2]]", got)
	}
}
