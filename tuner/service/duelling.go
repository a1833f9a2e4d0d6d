package service

import (
	"fmt"
	"math"

	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// Cell is what an entrant did against another one.
type Cell struct {
	Share string // of the points
	Half  string // half-width of its 95 % interval; empty where it is not known
	Games int64
	Shade string // a class: x0 far below one half to x4 far above; x2 where it may be one half
}

// Hint is the cell in words.
func (c Cell) Hint() string {
	if c.Half == "" {
		return ""
	}
	return fmt.Sprintf("%s ± %s of the points in %s games", c.Share, c.Half, numeral.Count(c.Games))
}

// between is the share of the first entrant's points against the second in their pairings,
// over all orders of their seats. The orders of a block share its chance, so the errors of
// orders are averaged, as if they were wholly dependent, which is the largest that the
// error can be. half is NaN where it is not known.
func (t *TournamentReport) between(a, b string) (share, half float64, games int64) {
	sum, halves, n := 0.0, 0.0, 0
	for _, p := range t.Pairings {
		for _, o := range p.Orders {
			if len(o.Seats) != 2 || o.Seats[0].Entrant == o.Seats[1].Entrant {
				continue
			}
			for i, s := range o.Seats {
				if s.Entrant != a || o.Seats[1-i].Entrant != b || !s.Score.Defined {
					continue
				}
				h := math.NaN()
				if s.CI95.Defined() {
					h = s.CI95.Half()
				}
				sum, halves, n, games = sum+s.Score.Value, halves+h, n+1, games+o.Games
			}
		}
	}
	if n == 0 {
		return math.NaN(), math.NaN(), 0
	}
	return sum / float64(n), halves / float64(n), games
}

// cell is a cell of the crosstable.
func (t *TournamentReport) cell(i, j int) Cell {
	c := Cell{Share: t.Table[i][j].Fixed(3)}
	share, half, games := t.between(t.Entrants[i].Name, t.Entrants[j].Name)
	if c.Games = games; !math.IsNaN(half) {
		c.Half = numeral.Text(math.Round(half*1000) / 1000)
	}
	if i == j || math.IsNaN(share) {
		return c
	}
	switch {
	case !(math.Abs(share-0.5) > half): // it may be one half, as far as the games tell
		c.Shade = "x2"
	case share < 0.35:
		c.Shade = "x0"
	case share < 0.5:
		c.Shade = "x1"
	case share <= 0.65:
		c.Shade = "x3"
	default:
		c.Shade = "x4"
	}
	return c
}

// Difference is an entrant beside the one in the next place.
type Difference struct {
	First, Second string
	Text          string // in Elo with its interval
	Sure          bool   // one is better, as far as the games tell
}

// differences are those of neighbours in the order of places, from their own games.
func (t *TournamentReport) differences(ranked []int) []Difference {
	var out []Difference
	for k := 0; k+1 < len(ranked); k++ {
		a, b := t.Entrants[ranked[k]].Name, t.Entrants[ranked[k+1]].Name
		share, half, _ := t.between(a, b)
		if math.IsNaN(share) || math.IsNaN(half) {
			continue
		}
		low, high := max(0, share-half), min(1, share+half)
		d := Difference{First: a, Second: b, Sure: low > 0.5 || high < 0.5}
		elo := [3]float64{rating.Elo(low, 2), rating.Elo(share, 2), rating.Elo(high, 2)}
		switch width := (elo[2] - elo[0]) / 2; {
		case !numeral.IsFinite(elo[1]) || !numeral.IsFinite(width):
			d.Text = fmt.Sprintf("took %s of the points", numeral.Text(math.Round(share*1000)/1000))
		default:
			d.Text = fmt.Sprintf("%s Elo (%s to %s)", numeral.Signed(elo[1], width), numeral.Signed(elo[0], width), numeral.Signed(elo[2], width))
		}
		out = append(out, d)
	}
	return out
}
