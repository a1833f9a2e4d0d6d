package view

import (
	"fmt"

	"sakusen/engines/plain"
	"sakusen/tuner/contest"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Match returns the result of a match: "match", what was played; "entrants", their strength;
// "metrics"; "seats"; what a test decided ("test") and the "digest".
func Match(r *contest.Report) []Section {
	out := []Section{
		{Key: "match", Title: fmt.Sprintf("%s: %d blocks (%d distinct), %d games, seed %s", r.Game, r.Blocks, r.Distinct, r.Games, r.Seed)},
		{Key: "entrants", Columns: []Column{{Name: "entrant"}, {"score", Ends}, {"Elo", Ends}, {Name: "wins"}, {Name: "draws"}, {Name: "losses"}}},
	}
	for _, e := range r.Entrants {
		strength := []Cell{measured(e.Score, e.CI95, 4), measuredElo(e.Elo, e.EloCI95)}
		out[1].Lines = append(out[1].Lines, Line{Label: e.Name, Cells: append(strength, cells(e.Wins, e.Draws, e.Losses)...), Cell: Cell{Note: e.Entrant}})
	}
	if p := r.AllPairs; p != nil {
		out = append(out, strength("pairs", "all pairs of games, as neither player affects the other: "+r.Entrants[0].Name,
			p.Score, p.CI95, p.Elo, p.EloCI, fmt.Sprintf("; as narrow as with %.2f times the games", p.Saves.Value)))
	}
	out = append(out, matchMetrics(r), matchSeats(r))
	if s := r.SPRT; s != nil {
		by := map[bool]string{true: ", by all pairs of games"}[s.AllPairs]
		title := fmt.Sprintf("SPRT of %s, [%g, %g] %s Elo%s: %s: %s", r.Entrants[0].Name, s.Elo0, s.Elo1, s.Model, by, said(string(s.Verdict)), s.Reason)
		if u := &s.Unbiased; u.Elo.Defined {
			test := strength("test", title, u.Score, u.CI95, u.Elo, u.EloCI95, "")
			test.Lines[0].Value = "allowing for the early stop: " + test.Lines[0].Value
			out = append(out, test)
		} else {
			out = append(out, Section{Key: "test", Title: title})
		}
	}
	return append(out, Section{Key: "digest", Title: "digest " + r.Digest})
}

// strength returns a score and the Elo of it as a section with a title.
func strength(key, title string, score stats.Number, ci stats.Interval, elo stats.Number, eloCI stats.Interval, note string) Section {
	s, e := measured(score, ci, 4), measuredElo(elo, eloCI)
	text := "score " + s.Value + " " + ends(s) + ", Elo " + e.Value + " " + ends(e) + note
	return Section{Key: key, Title: title, brackets: true, Lines: []Line{{Cell: Cell{Value: text}}}}
}

// ends returns a cell's interval in brackets, "-" where there is none.
func ends(c Cell) string {
	if c.Interval == nil {
		return "-"
	}
	return c.Interval.brackets()
}

// value returns a metric's value with its interval.
func value(v contest.Value) Cell {
	switch {
	case !v.Mean.Defined:
		return Cell{Value: "-"}
	case !v.CI95.Defined():
		return Cell{Value: numeral.Text(v.Mean.Value)}
	}
	return Cell{Value: numeral.Rounded(v.Mean.Value, v.CI95.Half()), Interval: between(v.CI95.Lo.Value, v.CI95.Hi.Value)}
}

// matchMetrics returns each entrant's metrics.
func matchMetrics(r *contest.Report) Section {
	s := Section{Key: "metrics", Columns: columns("metric")}
	for _, e := range r.Entrants {
		s.Columns = append(s.Columns, Column{e.Name, Half})
	}
	for _, m := range r.MetricList {
		l := Line{Label: m.Name}
		for _, e := range r.Entrants {
			l.Cells = append(l.Cells, value(e.Metrics[m.Name]))
		}
		s.Lines = append(s.Lines, l)
	}
	return s
}

// matchSeats returns what each entrant did in each seat, nothing in a game of one.
func matchSeats(r *contest.Report) Section {
	s := Section{Key: "seats", Columns: columns("seat", "entrant", "games", "score")}
	for _, m := range r.MetricList {
		s.Columns = append(s.Columns, Column{m.Name, Half})
	}
	if len(r.BySeat) < 2 {
		return s
	}
	for seat, parts := range r.BySeat {
		for _, e := range r.Entrants {
			p := parts[e.Name]
			l := Line{Label: fmt.Sprint(seat + 1), Cells: cells(e.Name, p.Games, p.Score.Fixed(4))}
			for _, m := range r.MetricList {
				l.Cells = append(l.Cells, value(p.Metrics[m.Name]))
			}
			s.Lines = append(s.Lines, l)
		}
	}
	return s
}

// Rated is how two players of a file of games have met.
type Rated struct {
	Players    [2]string    `json:"players"`
	Games      int64        `json:"games"`
	WDL        [3]int64     `json:"wdl"` // of the first player
	Unfinished int64        `json:"unfinished"`
	Penta      *[5]int64    `json:"penta"` // null where not all games pair up
	Score      stats.Number `json:"score"`
	Elo        stats.Number `json:"elo"`
	EloCI      *[2]float64  `json:"elo_ci95"`
	NElo       stats.Number `json:"nelo"`
	LOS        stats.Number `json:"los"`
	Reason     string       `json:"reason,omitempty"`
}

// RatedOf returns meetings as they are reported.
func RatedOf(all []stats.Meeting) []Rated {
	out := []Rated{}
	for i := range all {
		m := &all[i]
		r := Rated{
			Players: m.Players, Games: m.Wins + m.Draws + m.Losses, WDL: [3]int64{m.Wins, m.Draws, m.Losses}, Unfinished: m.Unfinished,
			Score: m.Estimate.Score, Elo: m.Estimate.Elo, EloCI: m.Estimate.EloCI.Ends(), NElo: m.Estimate.NElo, LOS: m.Estimate.LOS, Reason: m.Estimate.Reason,
		}
		if m.Paired {
			r.Penta = &m.Penta
		}
		out = append(out, r)
	}
	return out
}

// Ratings returns the first meetings, one line each, and how many there are beside them.
func Ratings(all []Rated) Section {
	s := Section{Key: "meetings", brackets: true}
	for _, r := range all {
		by := "by games"
		if r.Penta != nil {
			by = fmt.Sprintf("by pairs %v", *r.Penta)
		}
		l := Line{Cell: Cell{Value: fmt.Sprintf("%s against %s: ", plain.Bounded(r.Players[0]), plain.Bounded(r.Players[1]))}}
		if r.EloCI != nil {
			l.Value += r.Elo.Fixed(0) + " Elo"
			l.Interval = &Interval{Low: fmt.Sprintf("%.0f", r.EloCI[0]), High: fmt.Sprintf("%.0f", r.EloCI[1]), Half: fmt.Sprintf("%.0f", numeral.Half(r.EloCI)), Level: "95"}
		} else {
			l.Value += "no Elo: " + r.Reason + " at 95 %"
		}
		l.Note = fmt.Sprintf("%d games%s, +%d =%d -%d, %s, superior with a chance of %s", r.Games, map[bool]string{true: fmt.Sprintf(" and %d without a result", r.Unfinished)}[r.Unfinished > 0], r.WDL[0], r.WDL[1], r.WDL[2], by, r.LOS.Fixed(3))
		s.Lines = append(s.Lines, l)
	}
	return s.First(MostLines)
}
