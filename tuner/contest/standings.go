package contest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// TournamentReport is the JSON of the command tournament.
type TournamentReport struct {
	Name     string              `json:"name"`
	Game     string              `json:"game"`
	Format   string              `json:"format"`
	Blocks   int64               `json:"blocks"` // of each pairing
	Games    int64               `json:"games"`  // played in all
	Seed     string              `json:"seed"`
	Entrants []TournamentEntrant `json:"entrants"`
	Table    [][]stats.Number    `json:"crosstable"` // score of the row against the column
	Pairings []TournamentPairing `json:"pairings"`
	Notes    []string            `json:"notes,omitempty"`
	// Replayed is what was played again and was the same; nil where the tournament has not
	// ended.
	Replayed   *entry.Replayed `json:"replayed,omitempty"`
	MetricList []string        `json:"-"` // in the order of the game; may be missing in a report that was read
}

// TournamentEntrant is an entrant's result against the others.
type TournamentEntrant struct {
	Name     string            `json:"name"`
	Strategy string            `json:"strategy"`
	Params   map[string]string `json:"params"`
	Elo      stats.Number      `json:"elo"`
	EloCI95  stats.Interval    `json:"elo_ci95"` // of the difference from the first
	Score    stats.Number      `json:"score"`
	Games    int64             `json:"games"`
	Wins     int64             `json:"wins"`
	Draws    int64             `json:"draws"`
	Losses   int64             `json:"losses"`
}

// TournamentPairing is a series.
type TournamentPairing struct {
	Entrants []string          `json:"entrants"` // as they sit in rotation 0
	Seed     string            `json:"seed"`     // with which match plays the same games
	Digest   string            `json:"digest"`
	Orders   []TournamentOrder `json:"orders"`
	// Distinct is the number of different blocks, by which errors go, where some came
	// again.
	Distinct int64 `json:"distinct_blocks,omitempty"`
}

// TournamentOrder is one ordering of a pairing: a row of a paper's table.
type TournamentOrder struct {
	Label string           `json:"label"`
	Games int64            `json:"games"`
	Seats []TournamentSeat `json:"seats"`
}

// TournamentSeat is an entrant's games in one seat of one ordering.
type TournamentSeat struct {
	Entrant string           `json:"entrant"`
	Score   stats.Number     `json:"score"`
	CI95    stats.Interval   `json:"ci95"`
	Metrics map[string]Value `json:"metrics"`
}

// Report returns the result in the form of its JSON.
func (r *TournamentResult) Report() (*TournamentReport, error) {
	f := r.File
	ratings, err := r.Ratings()
	if err != nil {
		return nil, err
	}
	t := &TournamentReport{
		Name: f.Name, Game: f.Ruleset.Game.Name, Format: f.Format, Blocks: r.Blocks, Games: r.Games(),
		Seed: param.Seed(f.Seed).String(), Table: r.Crosstable(),
	}
	t.MetricList = f.MetricNames()
	for i, total := range r.Totals() {
		e := f.Entrants[i]
		t.Entrants = append(t.Entrants, TournamentEntrant{
			Name: e.Name, Strategy: e.Strategy, Params: e.Params.Map(), Elo: ratings.Elo[i], EloCI95: ratings.CI[i],
			Score: total.Score, Games: total.Games, Wins: total.Wins, Draws: total.Draws, Losses: total.Losses,
		})
		if did := total.Faults.Did(plain); did != "" {
			t.Notes = append(t.Notes, e.Name+" "+did+" games")
		}
	}
	if ratings.Reason != "" {
		t.Notes = append(t.Notes, t.unrated())
	}
	for _, p := range r.Played {
		part := TournamentPairing{Seed: param.Seed(p.Seed).String(), Digest: p.Digest}
		for _, e := range p.Pairing {
			part.Entrants = append(part.Entrants, f.Entrants[e].Name)
		}
		if p.distinct() < p.Tally.Blocks && !p.mirror() {
			part.Distinct = p.distinct()
			t.Notes = append(t.Notes, fmt.Sprintf("of %s only %d of %d blocks are different games: the intervals count those", p.Label, p.distinct(), p.Tally.Blocks))
		}
		for _, o := range r.Orders(p) {
			part.Orders = append(part.Orders, t.order(r, o))
		}
		t.Pairings = append(t.Pairings, part)
	}
	return t, nil
}

// MetricNames returns the metrics of the tournament's game, in its order.
func (f *Tournament) MetricNames() []string {
	var names []string
	for _, m := range f.Ruleset.Game.Metrics {
		names = append(names, m.Name)
	}
	return names
}

// order returns one ordering, seat by seat.
func (t *TournamentReport) order(r *TournamentResult, o Order) TournamentOrder {
	out := TournamentOrder{Label: o.Label, Games: o.Games}
	for seat, e := range o.Seats {
		score := r.Measure(Metric{Of: "score", Seat: seat, Scale: 1}, o.Label)
		s := TournamentSeat{Entrant: r.File.Entrants[e].Name, Score: score.Mean, CI95: score.CI95, Metrics: map[string]Value{}}
		for _, m := range t.MetricList {
			v := r.Measure(Metric{Of: m, Seat: seat, Scale: 1}, o.Label)
			s.Metrics[m] = Value{Mean: v.Mean, CI95: v.CI95}
		}
		out.Seats = append(out.Seats, s)
	}
	return out
}

// unrated names the entrants without a rating, and says why they have none.
func (t *TournamentReport) unrated() string {
	var left []string
	for _, e := range t.Entrants {
		if !e.Elo.Defined {
			left = append(left, e.Name)
		}
	}
	return fmt.Sprintf("no rating for %s: no chain of wins links them with %s both ways", strings.Join(left, ", "), t.Entrants[0].Name)
}

// Ranked returns the entrants by rating, those without one behind by score.
func (t *TournamentReport) Ranked() []int {
	order := make([]int, len(t.Entrants))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &t.Entrants[i], &t.Entrants[j]
		return cmp.Or(cmp.Compare(b.Elo.Or(-1e18), a.Elo.Or(-1e18)), cmp.Compare(b.Score.Or(-1e18), a.Score.Or(-1e18)))
	})
	return order
}
