package main

import (
	"fmt"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/match"
	"sakusen/tuner/rating"
	"sakusen/tuner/tournament"
)

// tournamentReport is the JSON of the command tournament.
type tournamentReport struct {
	Name     string              `json:"name"`
	Game     string              `json:"game"`
	Format   string              `json:"format"`
	Blocks   int64               `json:"blocks"` // of each pairing
	Games    int64               `json:"games"`  // played in all
	Seed     string              `json:"seed"`
	Entrants []tournamentEntrant `json:"entrants"`
	Table    [][]rating.Number   `json:"crosstable"` // score of the row against the column
	Pairings []tournamentPairing `json:"pairings"`
	Notes    []string            `json:"notes,omitempty"`
	metrics  []string
}

// tournamentEntrant is an entrant's result against the others.
type tournamentEntrant struct {
	Name     string            `json:"name"`
	Strategy string            `json:"strategy"`
	Params   map[string]string `json:"params"`
	Elo      rating.Number     `json:"elo"`
	EloCI95  rating.Interval   `json:"elo_ci95"` // of the difference from the first
	Score    rating.Number     `json:"score"`
	Games    int64             `json:"games"`
	Wins     int64             `json:"wins"`
	Draws    int64             `json:"draws"`
	Losses   int64             `json:"losses"`
}

// tournamentPairing is a series.
type tournamentPairing struct {
	Entrants []string          `json:"entrants"` // as they sit in rotation 0
	Seed     string            `json:"seed"`     // with which match plays the same games
	Digest   string            `json:"digest"`
	Orders   []tournamentOrder `json:"orders"`
}

// tournamentOrder is one ordering of a pairing: a row of a paper's table.
type tournamentOrder struct {
	Label string           `json:"label"`
	Games int64            `json:"games"`
	Seats []tournamentSeat `json:"seats"`
}

// tournamentSeat is an entrant's games in one seat of one ordering.
type tournamentSeat struct {
	Entrant string                 `json:"entrant"`
	Score   rating.Number          `json:"score"`
	CI95    rating.Interval        `json:"ci95"`
	Metrics map[string]match.Value `json:"metrics"`
}

func newTournamentReport(r *tournament.Result) (*tournamentReport, error) {
	f := r.File
	ratings, err := r.Ratings()
	if err != nil {
		return nil, err
	}
	t := &tournamentReport{
		Name: f.Name, Game: f.Ruleset.Game.Name, Format: f.Format, Blocks: r.Blocks, Games: r.Games(),
		Seed: param.Seed(f.Seed).String(), Table: r.Crosstable(),
	}
	t.metrics = metricNames(f)
	for i, total := range r.Totals() {
		e := f.Entrants[i]
		t.Entrants = append(t.Entrants, tournamentEntrant{
			Name: e.Name, Strategy: e.Strategy, Params: e.Params.Map(), Elo: ratings.Elo[i], EloCI95: ratings.CI[i],
			Score: total.Score, Games: total.Games, Wins: total.Wins, Draws: total.Draws, Losses: total.Losses,
		})
		if total.Faults > 0 {
			t.Notes = append(t.Notes, fmt.Sprintf("%s made an illegal move in %d games", e.Name, total.Faults))
		}
	}
	if ratings.Reason != "" {
		t.Notes = append(t.Notes, t.unrated())
	}
	for _, p := range r.Played {
		part := tournamentPairing{Seed: param.Seed(p.Seed).String(), Digest: p.Digest}
		for _, e := range p.Pairing {
			part.Entrants = append(part.Entrants, f.Entrants[e].Name)
		}
		for _, o := range r.Orders(p) {
			part.Orders = append(part.Orders, t.order(r, o))
		}
		t.Pairings = append(t.Pairings, part)
	}
	return t, nil
}

// metricNames are the metrics of a tournament's game, in its order.
func metricNames(f *tournament.File) []string {
	var names []string
	for _, m := range f.Ruleset.Game.Metrics {
		names = append(names, m.Name)
	}
	return names
}

// order is one ordering, seat by seat.
func (t *tournamentReport) order(r *tournament.Result, o tournament.Order) tournamentOrder {
	out := tournamentOrder{Label: o.Label, Games: o.Games}
	for seat, e := range o.Seats {
		score := r.Measure(tournament.Metric{Of: "score", Seat: seat, Scale: 1}, o.Label)
		s := tournamentSeat{Entrant: r.File.Entrants[e].Name, Score: score.Mean, CI95: score.CI95, Metrics: map[string]match.Value{}}
		for _, m := range t.metrics {
			v := r.Measure(tournament.Metric{Of: m, Seat: seat, Scale: 1}, o.Label)
			s.Metrics[m] = match.Value{Mean: v.Mean, CI95: v.CI95}
		}
		out.Seats = append(out.Seats, s)
	}
	return out
}

// unrated names the entrants without a rating, and says why they have none.
func (t *tournamentReport) unrated() string {
	var left []string
	for _, e := range t.Entrants {
		if !e.Elo.Defined {
			left = append(left, e.Name)
		}
	}
	return fmt.Sprintf("no rating for %s: no chain of wins links them with %s both ways", strings.Join(left, ", "), t.Entrants[0].Name)
}
