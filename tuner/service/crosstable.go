package service

import (
	"maps"
	"slices"
	"strings"

	"sakusen/tuner/numeral"
)

// Crosstable is a tournament's result for people.
type Crosstable struct {
	Name, Doc, Game, Format string
	Whole                   bool // not only what is played so far
	Blocks                  int64
	Games                   int64
	Seed                    string
	Pairings                int // played
	Entrants                []Standing
	Metrics                 []string
	Orders                  []OrderLine
	More                    int // lines that Orders leaves out
	Notes                   []string
	Differences             []Difference // of neighbours
}

// Standing is an entrant's place in a tournament, the first the best.
type Standing struct {
	Place               int
	Name, Entrant       string // the strategy with its parameters
	Elo, EloCI95, Score string
	Games               int64
	Wins, Draws, Losses int64
	// Against are the shares of wins against all, in the order of the places.
	Against []Cell
}

// OrderLine is an entrant's games in one seat of one ordering of a pairing.
type OrderLine struct {
	Label       string
	Seat        int // from 1
	Entrant     string
	Games       int64
	Score, CI95 string
	Metrics     []string // in the order of the crosstable's
}

// mostOrders bounds the lines of a page: large tournaments can have tens of thousands.
const mostOrders = 400

// crosstable is the report for people.
func (t *TournamentReport) crosstable() *Crosstable {
	out := &Crosstable{
		Name: t.Name, Game: t.Game, Format: strings.ReplaceAll(t.Format, "_", " "), Blocks: t.Blocks, Games: t.Games,
		Seed: t.Seed, Pairings: len(t.Pairings), Metrics: t.Columns(), Notes: t.Notes,
	}
	ranked := t.Ranked()
	out.Differences = t.differences(ranked)
	for place, i := range ranked {
		e := t.Entrants[i]
		elo, elos := "-", spread(e.EloCI95, numeral.Signed)
		switch {
		case i == 0:
			elo, elos = "0", "reference"
		case e.Elo.Defined:
			elo = numeral.Signed(e.Elo.Value, e.EloCI95.Half())
		}
		s := Standing{
			Place: place + 1, Name: e.Name, Entrant: entrantText(e.Strategy, e.Params), Elo: elo, EloCI95: elos,
			Score: e.Score.Fixed(3), Games: e.Games, Wins: e.Wins, Draws: e.Draws, Losses: e.Losses,
		}
		for _, j := range ranked {
			s.Against = append(s.Against, t.cell(i, j))
		}
		out.Entrants = append(out.Entrants, s)
	}
	for _, p := range t.Pairings {
		for _, o := range p.Orders {
			for seat, s := range o.Seats {
				if len(out.Orders) == mostOrders {
					out.More++
					continue
				}
				line := OrderLine{Label: o.Label, Seat: seat + 1, Entrant: s.Entrant, Games: o.Games, Score: s.Score.Fixed(3), CI95: spread(s.CI95, numeral.Short)}
				if s.Score.Defined && s.CI95.Half() > 0 {
					line.Score = numeral.Short(s.Score.Value, s.CI95.Half())
				}
				for _, m := range out.Metrics {
					line.Metrics = append(line.Metrics, strings.ReplaceAll(s.Metrics[m].Text(), " +- ", " ± "))
				}
				out.Orders = append(out.Orders, line)
			}
		}
	}
	return out
}

// Columns are the metrics of the seats.
func (t *TournamentReport) Columns() []string {
	if len(t.MetricList) > 0 || len(t.Pairings) == 0 {
		return t.MetricList
	}
	return slices.Sorted(maps.Keys(t.Pairings[0].Orders[0].Seats[0].Metrics))
}

// entrantText is an entrant as it is written, such as mp(start_squares=70).
func entrantText(strategy string, params map[string]string) string {
	if len(params) == 0 {
		return strategy
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		parts = append(parts, name+"="+params[name])
	}
	return strategy + "(" + strings.Join(parts, ",") + ")"
}

// Podium says who leads, and what the second did against him; empty where there are
// not two.
func (c *Crosstable) Podium() string {
	if len(c.Entrants) < 2 || len(c.Entrants[0].Against) < 2 {
		return ""
	}
	first, second := c.Entrants[0], c.Entrants[1]
	verb := "leads"
	if c.Whole {
		verb = "is first"
	}
	text := first.Name + " " + verb + ", " + second.Name + " is second"
	if len(c.Differences) > 0 && c.Differences[0].First == first.Name {
		d := c.Differences[0]
		text += ": " + d.Text
		if strings.Contains(d.Text, "Elo") {
			text += " above it in their own games"
		}
		if !d.Sure {
			text += ", which is not sure"
		}
	}
	return text + "."
}
