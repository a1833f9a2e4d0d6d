package rankset

import (
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
	"sakusen/strategies/daifugo/ranking"
)

// Kinds of guess.
const (
	guessOpen  = "open"
	guessHands = "hands"
)

// guess is the value that the search assumes for a position beyond the threshold. The
// cautious guess is that everybody can still get every open rank. It is the default,
// because a wrong guess drops good moves for certain: against three players of greedyout,
// on 400 blocks with 1 000 nodes a move, it finishes 2.47th on average (2.5 is par), and
// with a guess from the hands 2.59th.
//
// The guess from the hands says who goes out when: every unfinished seat gets the number of
// tricks that it still needs, by weights, and the seats with the fewest go out first. It
// uses integers only, so that every machine guesses the same.
type guess struct {
	kind               string
	high, lead, spread int
}

func (g *guess) declare(f *param.Fields) {
	f.Choice(&g.kind, "kind", guessOpen, []string{guessOpen, guessHands}, "what the search assumes of positions that it does not search: everybody can still get every open rank, or an order estimated from the hands")
	f.When("kind", guessHands, func(f *param.Fields) {
		f.Int(&g.high, "high", 60, param.Range(0, 200), "how many cards left to play are made good by one card that nobody else can beat, percent of a card")
		f.Int(&g.lead, "lead", 50, param.Range(0, 200), "how many cards left to play are made good by being the next to lead, percent of a card")
		f.Int(&g.spread, "spread", 25, param.Range(0, 200), "difference below which two players are taken for equal, percent of a card")
	})
}

// rule is the guess as the search takes it.
func (g *guess) rule() ranking.Guess {
	if g.kind == guessOpen {
		return ranking.Everything
	}
	return g.value
}

// value is the guess from the hands.
func (g *guess) value(p *daifugo.Position) ranking.Value {
	r := p.Rules()
	v := ranking.Ranked(p)
	if p.Over() {
		return v
	}
	var need [daifugo.MaxSeats]int
	for i := range r.Seats {
		if p.Rank(i) == 0 {
			need[i] = g.need(p, i)
		}
	}
	for i := range r.Seats {
		if p.Rank(i) != 0 {
			continue
		}
		ahead, level := 0, 0
		for j := range r.Seats {
			if j == i || p.Rank(j) != 0 {
				continue
			}
			switch d := need[j] - need[i]; {
			case d < -g.spread:
				ahead++
			case d <= g.spread:
				level++
			}
		}
		best := min(p.Out()+1+ahead, r.Ranks)
		worst := min(best+level, r.Ranks)
		for k := best; k <= worst; k++ {
			v = v.With(i, k, r.Ranks)
		}
	}
	return v
}

// need is the cards to be shed, in percent of a card, less what high cards and
// the lead are worth. A card counts as high by the share of the others' cards
// that are below it.
func (g *guess) need(p *daifugo.Position, seat int) int {
	hand := p.Hand(seat)
	n := 100 * hand.Len()
	others, below := 0, 0
	for j := range p.Rules().Seats {
		other := p.Hand(j)
		if j == seat || other == 0 {
			continue
		}
		others += other.Len()
		for h := hand; h != 0; h &= h - 1 {
			below += other.Len() - other.Above(h.Lowest()-1).Len()
		}
	}
	if others > 0 {
		n -= g.high * below / others
	}
	if leads(p, seat) {
		n -= g.lead
	}
	return n
}

// leads tells whether the seat would lead if nobody played any more.
func leads(p *daifugo.Position, seat int) bool {
	next := p.Turn()
	if p.MayPass() {
		next = p.Last()
	}
	for p.Hand(next) == 0 {
		next = (next + 1) % p.Rules().Seats
	}
	return next == seat
}
