package service

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Cell is what an entrant did against another one.
type Cell struct {
	Share string // of the points
	Half  string // half-width of its 95 % interval; empty where it is not known
	Games int64
	Film  string // address of the page that shows their first game; empty where there is none
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
	if c.Games = games; half > 0 && t.Table[i][j].Defined {
		c.Share, c.Half = numeral.Short(t.Table[i][j].Value, half), numeral.Short(half, half)
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

// watched puts the address of their first game into each cell, the row's entrant in the
// first seat where two play.
func (c *Crosstable) watched(t *TournamentReport, ranked []int, rules param.Values) {
	for _, p := range t.Pairings {
		at := map[int]int{} // rotation by index of the entrant
		q := url.Values{"game": {t.Game}, "seed": {p.Seed}}
		for _, v := range rules {
			q.Set("rule."+v.Name, v.Text)
		}
		for seat, name := range p.Entrants {
			i := slices.IndexFunc(t.Entrants, func(e TournamentEntrant) bool { return e.Name == name })
			if i < 0 {
				return
			}
			q.Add("entrant", entrantText(t.Entrants[i].Strategy, t.Entrants[i].Params))
			at[i] = (len(p.Entrants) - seat) % len(p.Entrants)
		}
		for row, i := range ranked {
			for column, j := range ranked {
				rotation, here := at[i]
				_, there := at[j]
				if cell := &c.Entrants[row].Against[column]; here && there && i != j && cell.Film == "" {
					q.Set("rotation", strconv.Itoa(rotation))
					cell.Film = "/watch/film?" + q.Encode()
				}
			}
		}
	}
}

// spread is an interval for pages, rounded by its width.
func spread(i stats.Interval, number func(x, half float64) string) string {
	if !i.Defined() {
		return "-"
	}
	half := i.Half()
	return number(i.Lo.Value, half) + " to " + number(i.Hi.Value, half)
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
		elo := [3]float64{stats.Elo(low, 2), stats.Elo(share, 2), stats.Elo(high, 2)}
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

// Shade is a colour of the crosstable and what it stands for.
type Shade struct{ Shade, Text string }

// Scale are the colours, from few points to many.
func (*Crosstable) Scale() []Shade {
	return []Shade{{"x0", "below 0.35"}, {"x1", "0.35 to 0.5"}, {"x2", "may be 0.5"}, {"x3", "0.5 to 0.65"}, {"x4", "above 0.65"}}
}
