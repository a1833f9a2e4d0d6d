package view

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/contest"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Tournament returns the result of a tournament: "tournament", what was played; "standings"
// with the crosstable, the best first; "seats", every ordering of the seats; and the
// "neighbours" in the ranking, compared by the games that they played each other.
func Tournament(t *contest.TournamentReport) []Section {
	c := crosstable{t, t.Ranked()}
	title := fmt.Sprintf("%s: %s, %s, %d pairings of %d blocks, %d games, seed %s", t.Name, t.Game, strings.ReplaceAll(t.Format, "_", " "), len(t.Pairings), t.Blocks, t.Games, t.Seed)
	return []Section{{Key: "tournament", Title: title}, c.standings(), c.seats(), c.neighbours()}
}

// crosstable is a tournament with the order of its entrants.
type crosstable struct {
	*contest.TournamentReport
	ranked []int
}

// standings returns the entrants in their places, each with its points against every other.
func (c crosstable) standings() Section {
	s := Section{Key: "crosstable", names: 1, Columns: []Column{{}, {Name: "entrant"}, {"Elo", Ends}, {Name: "score"}}}
	for place := range c.ranked {
		s.Columns = append(s.Columns, Column{fmt.Sprint(place + 1), PageHalf})
	}
	s.Columns = append(s.Columns, columns("games", "wins", "draws", "losses")...)
	for place, i := range c.ranked {
		e := &c.Entrants[i]
		l := Line{Label: fmt.Sprint(place + 1), Cells: []Cell{{Value: e.Name, Note: entrantText(e)}, measuredElo(e.Elo, e.EloCI95), {Value: e.Score.Fixed(4)}}}
		for _, j := range c.ranked {
			l.Cells = append(l.Cells, c.cell(i, j))
		}
		l.Cells = append(l.Cells, cells(e.Games, e.Wins, e.Draws, e.Losses)...)
		s.Lines = append(s.Lines, l)
	}
	return s
}

// against is the number of a crosstable's cells before those of the entrants' meetings.
const against = 3

// cell returns the share of the points that an entrant took from another one. It has a class
// of colour, x0 far below one half to x4 far above, and x2 where it may be one half.
func (c crosstable) cell(i, j int) Cell {
	table := c.Table[i][j]
	out := Cell{Value: table.Fixed(3)}
	share, half, games := c.between(c.Entrants[i].Name, c.Entrants[j].Name)
	if half > 0 && table.Defined {
		out = measured(table, stats.Around(table.Value, half), 3)
		out.Note = fmt.Sprintf("%s +- %s of the points in %d games", out.Value, out.Interval.Half, games)
	}
	if i == j || math.IsNaN(share) {
		return out
	}
	switch {
	case !(math.Abs(share-0.5) > half): // it may be one half, as far as the games tell
		out.Class = "x2"
	case share < 0.5:
		out.Class = map[bool]string{true: "x0", false: "x1"}[share < 0.35]
	default:
		out.Class = map[bool]string{true: "x4", false: "x3"}[share > 0.65]
	}
	return out
}

// shades returns the classes of colour of the crosstable with the shares that they stand for,
// from few points to many.
func shades() []Line {
	var out []Line
	for i, text := range []string{"below 0.35", "0.35 to 0.5", "may be 0.5", "0.5 to 0.65", "above 0.65"} {
		out = append(out, Line{Cell: Cell{Value: text, Class: fmt.Sprintf("x%d", i)}})
	}
	return out
}

// between returns the share of the first entrant's points against the second in their
// pairings, over all orders of their seats. The orders of a block share its chance, so the
// errors of orders are averaged, as if they were wholly dependent, which is the largest that
// the error can be. half is NaN where it is not known.
func (c crosstable) between(a, b string) (share, half float64, games int64) {
	sum, halves, n := 0.0, 0.0, 0
	for _, p := range c.Pairings {
		for _, o := range p.Orders {
			if len(o.Seats) != 2 || o.Seats[0].Entrant == o.Seats[1].Entrant {
				continue
			}
			for i, s := range o.Seats {
				if s.Entrant == a && o.Seats[1-i].Entrant == b && s.Score.Defined {
					sum, halves, n, games = sum+s.Score.Value, halves+s.CI95.Half(), n+1, games+o.Games
				}
			}
		}
	}
	if n == 0 {
		return math.NaN(), math.NaN(), 0
	}
	return sum / float64(n), halves / float64(n), games
}

// seats returns the games of each seat of each ordering of each pairing.
func (c crosstable) seats() Section {
	metrics := c.metrics()
	s := Section{Key: "seats", Columns: []Column{{Name: "seats"}, {Name: "games"}, {Name: "seat"}, {"score", Ends}}}
	for _, m := range metrics {
		s.Columns = append(s.Columns, Column{m, Half})
	}
	for _, p := range c.Pairings {
		for _, o := range p.Orders {
			for seat, one := range o.Seats {
				l := Line{Label: o.Label, Cells: append(cells(o.Games, seat+1), measured(one.Score, one.CI95, 4))}
				for _, m := range metrics {
					l.Cells = append(l.Cells, value(one.Metrics[m]))
				}
				s.Lines = append(s.Lines, l)
			}
		}
	}
	return s
}

// metrics returns the metrics of the seats.
func (c crosstable) metrics() []string {
	if len(c.MetricList) > 0 || len(c.Pairings) == 0 {
		return c.MetricList
	}
	return slices.Sorted(maps.Keys(c.Pairings[0].Orders[0].Seats[0].Metrics))
}

// neighbours returns the differences of entrants in neighbouring places.
func (c crosstable) neighbours() Section {
	s := Section{Key: "neighbours", Title: "Neighbours in the ranking, by the games between them", brackets: true}
	for k := 0; k+1 < len(c.ranked); k++ {
		a, b := c.Entrants[c.ranked[k]].Name, c.Entrants[c.ranked[k+1]].Name
		share, half, _ := c.between(a, b)
		if math.IsNaN(share) || math.IsNaN(half) {
			continue
		}
		low, high := max(0, share-half), min(1, share+half)
		elo := stats.Elo(share, 2)
		l := Line{Label: a + " and " + b, Cell: Cell{Value: fmt.Sprintf("took %s of the points", numeral.Text(math.Round(share*1000)/1000))}}
		if i := between(stats.Elo(low, 2), stats.Elo(high, 2)); i != nil && share > 0 && share < 1 {
			l.Value, l.Interval = signed(elo, (stats.Elo(high, 2)-stats.Elo(low, 2))/2)+" Elo", i
		}
		if low <= 0.5 && high >= 0.5 {
			l.Note = "not sure"
		}
		s.Lines = append(s.Lines, l)
	}
	if s.Lines == nil {
		s.Title = ""
	}
	return s
}

// entrantText returns an entrant as it is written, such as mp(start_squares=70).
func entrantText(e *contest.TournamentEntrant) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(e.Params)) {
		parts = append(parts, name+"="+e.Params[name])
	}
	if len(parts) == 0 {
		return e.Strategy
	}
	return e.Strategy + "(" + strings.Join(parts, ",") + ")"
}

// Podium reports who leads a tournament and what the second did against the first; empty
// where there are not two entrants. whole says that the tournament has ended.
func Podium(t *contest.TournamentReport, whole bool) string {
	c := crosstable{t, t.Ranked()}
	if len(c.ranked) < 2 {
		return ""
	}
	first, second := c.Entrants[c.ranked[0]].Name, c.Entrants[c.ranked[1]].Name
	verb := "leads"
	if whole {
		verb = "is first"
	}
	text := first + " " + verb + ", " + second + " is second"
	if s := c.neighbours(); len(s.Lines) > 0 && s.Lines[0].Label == first+" and "+second {
		l := s.Lines[0]
		text += ": " + l.Value
		if l.Interval != nil {
			text += " (" + l.Interval.Low + " to " + l.Interval.High + ") above it in their own games"
		}
		if l.Note != "" {
			text += ", which is " + l.Note
		}
	}
	if len(t.Pairings) > 0 && len(t.Pairings[0].Entrants) > 2 {
		a, b := &c.Entrants[c.ranked[0]], &c.Entrants[c.ranked[1]]
		if low, high := lowest(a), highest(b); low <= high {
			text += ", which is not sure"
		}
	}
	return text + "."
}

// lowest and highest return the ends of an entrant's interval in Elo.
func lowest(e *contest.TournamentEntrant) float64 {
	if e.EloCI95.Defined() {
		return e.EloCI95.Lo.Value
	}
	return e.Elo.Value
}
func highest(e *contest.TournamentEntrant) float64 {
	if e.EloCI95.Defined() {
		return e.EloCI95.Hi.Value
	}
	return e.Elo.Value
}

// Watched puts the addresses of the page that shows their first game into the cells of the
// crosstable, the row's entrant in the first seat where two play.
func Watched(sections []Section, t *contest.TournamentReport, rules param.Values) {
	ranked := t.Ranked()
	lines := Find(sections, "crosstable").Lines
	for _, p := range t.Pairings {
		at := map[int]int{} // rotation by index of the entrant
		q := url.Values{"game": {t.Game}, "seed": {p.Seed}}
		for _, v := range rules {
			q.Set("rule."+v.Name, v.Text)
		}
		for seat, name := range p.Entrants {
			i := slices.IndexFunc(t.Entrants, func(e contest.TournamentEntrant) bool { return e.Name == name })
			if i < 0 {
				return
			}
			q.Add("entrant", entrantText(&t.Entrants[i]))
			at[i] = (len(p.Entrants) - seat) % len(p.Entrants)
		}
		for row, i := range ranked {
			for column, j := range ranked {
				rotation, here := at[i]
				_, there := at[j]
				if cell := &lines[row].Cells[against+column]; here && there && i != j && cell.Link == "" {
					q.Set("rotation", strconv.Itoa(rotation))
					cell.Link = "/watch/film?" + q.Encode()
				}
			}
		}
	}
}
