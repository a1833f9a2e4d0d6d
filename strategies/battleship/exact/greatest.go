package exact

import (
	"sakusen/engines/battleship"
	"sakusen/strategies/battleship/count"
	"sakusen/strategies/battleship/decisions"
)

// Greatest chooses the first square with the greatest hit probability. It is
// used by one goroutine.
type Greatest struct {
	Counter *count.Counter
	Forms   int // closed forms that a count may take
}

// Choose implements decisions.Chooser. Unless the position was estimated, the
// counter holds what it found.
func (g *Greatest) Choose(k *battleship.Knowledge) decisions.Decision {
	if g.Dear(k) {
		return decisions.Decision{At: Estimate(k)}
	}
	g.Counter.Count(k)
	best, _ := g.Counter.Best()
	return decisions.Decision{At: best.First(), Work: Work(g.Counter.Total())}
}

// Dear reports whether a count of k would take too many closed forms.
func (g *Greatest) Dear(k *battleship.Knowledge) bool {
	return k.Afloat()+k.Loose() > 4 && g.Counter.Cost(k) > float64(g.Forms)
}

// explained is how often as much a placement counts for every open hit that it
// explains, a power of two.
const explained = 5

// Estimate is a likely square, without a count: each ship afloat is looked at
// alone. The first of equals in board order.
func Estimate(k *battleship.Knowledge) battleship.Square {
	board, fleet := k.Board(), k.Fleet()
	unshot, open := k.Unshot(), k.Open()
	var weight [battleship.MaxSquares]uint64
	for i := range fleet.Ships() {
		if !k.IsAfloat(i) {
			continue
		}
		length := fleet.Length(i)
		for _, vertical := range [2]bool{false, true} {
			if vertical && length == 1 {
				break
			}
			for start := range board.Fits(unshot.Or(open), length, vertical).All() {
				line := board.Line(start, length, vertical)
				w := uint64(1) << min(explained*line.And(open).Len(), 48)
				for s := range line.And(unshot).All() {
					weight[s] += w
				}
			}
		}
	}
	best := unshot.First()
	for s := range unshot.All() {
		if weight[s] > weight[best] {
			best = s
		}
	}
	return best
}
