package main

import (
	"encoding/json"
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/tuner/rating"
)

// matchReport is the JSON of the command match.
type matchReport struct {
	Game     string                `json:"game"`
	Blocks   int64                 `json:"blocks"`
	Games    int64                 `json:"games"` // played; a mirror block is one
	Seed     string                `json:"seed"`
	Entrants []entrantReport       `json:"entrants"`
	BySeat   []map[string]seatPart `json:"by_seat"` // by seat, then by name
	Penta    *[5]int64             `json:"penta"`   // of the first entrant
	SPRT     *sprtReport           `json:"sprt,omitempty"`
	Digest   string                `json:"digest"`
	// Notes say what a reader should know: that the games say nothing about
	// strength, that they repeat.
	Notes []string `json:"notes,omitempty"`

	metrics []arena.Metric
}

// entrantReport is one entrant's result; undefined numbers are null.
type entrantReport struct {
	Name     string                `json:"name"`
	Strategy string                `json:"strategy"`
	Params   map[string]string     `json:"params"`
	Score    rating.Number         `json:"score"`
	CI95     span                  `json:"ci95"`
	Elo      rating.Number         `json:"elo"`
	EloCI95  span                  `json:"elo_ci95"`
	Wins     int64                 `json:"wins"`
	Draws    int64                 `json:"draws"`
	Losses   int64                 `json:"losses"`
	Metrics  map[string]metricPart `json:"metrics"`
}

// seatPart is an entrant's result in one seat.
type seatPart struct {
	Games   int64                 `json:"games"`
	Score   rating.Number         `json:"score"`
	Metrics map[string]metricPart `json:"metrics"`
}

// metricPart is a metric's mean per game, or its ratio over all games.
type metricPart struct {
	Mean rating.Number `json:"mean"`
	CI95 span          `json:"ci95"`
}

// sprtReport is how a sequential test ended.
type sprtReport struct {
	Elo0    float64        `json:"elo0"`
	Elo1    float64        `json:"elo1"`
	Model   rating.Model   `json:"model"`
	LLR     float64        `json:"llr"`
	Lower   float64        `json:"lower"`
	Upper   float64        `json:"upper"`
	Verdict rating.Verdict `json:"verdict"`
	Reason  string         `json:"reason"`
	// Unbiased allows for the early stop, which the entrants' numbers do not.
	Unbiased unbiasedPart `json:"unbiased"`
}

// unbiasedPart is the median-unbiased estimate of the first entrant.
type unbiasedPart struct {
	Score   rating.Number `json:"score"`
	CI95    span          `json:"ci95"`
	Elo     rating.Number `json:"elo"`
	EloCI95 span          `json:"elo_ci95"`
}

// span is an interval in JSON: [lo, hi], or null.
type span rating.Interval

// MarshalJSON writes the interval.
func (s span) MarshalJSON() ([]byte, error) {
	if !s.Lo.Defined || !s.Hi.Defined {
		return []byte("null"), nil
	}
	return json.Marshal([2]rating.Number{s.Lo, s.Hi})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *span) UnmarshalJSON(text []byte) error {
	var ends *[2]rating.Number
	*s = span{}
	if err := json.Unmarshal(text, &ends); err != nil || ends == nil {
		return err
	}
	s.Lo, s.Hi = ends[0], ends[1]
	return nil
}

// report turns the tally into numbers for people and scripts.
func (m *match) report() (*matchReport, error) {
	rs := m.series.Ruleset
	r := &matchReport{
		Game: rs.Game.Name, Blocks: m.tally.Blocks, Games: m.tally.Games,
		Seed:   strconv.FormatUint(m.series.Seed, 10),
		Digest: m.digestText(), metrics: rs.Game.Metrics, Notes: m.notes(),
	}
	for i := range m.series.Entrants {
		r.Entrants = append(r.Entrants, m.entrant(i))
	}
	for seat := range rs.Seats {
		parts := map[string]seatPart{}
		for i, e := range m.series.Entrants {
			parts[e.Name] = m.seat(i, seat)
		}
		r.BySeat = append(r.BySeat, parts)
	}
	if rs.Seats == 2 && !rs.Game.Unscored {
		r.Penta = (*[5]int64)(m.tally.Entrants[0].Scores)
	}
	if m.test == nil {
		return r, nil
	}
	r.SPRT = &sprtReport{
		Elo0: m.test.Elo0, Elo1: m.test.Elo1, Model: m.test.Model,
		LLR: m.look.LLR, Lower: m.look.Lower, Upper: m.look.Upper,
		Verdict: m.look.Verdict, Reason: m.look.Reason,
	}
	if m.silent() != "" {
		return r, nil
	}
	u, err := m.test.Unbiased(m.blocks(0), lookEvery)
	if err != nil {
		return nil, fmt.Errorf("estimate after the test: %w", err)
	}
	r.SPRT.Unbiased = unbiasedPart{u.Score, span(u.ScoreCI), u.Elo, span(u.EloCI)}
	return r, nil
}

// entrant is the i-th entrant's part.
func (m *match) entrant(i int) entrantReport {
	e, t := m.series.Entrants[i], &m.tally.Entrants[i]
	r := entrantReport{
		Name: e.Name, Strategy: e.Strategy, Params: e.Params.Map(),
		Metrics: m.metrics(m.tally.Blocks, m.tally.Seats, t.Sums, t.Cross),
	}
	if m.series.Ruleset.Game.Unscored {
		return r
	}
	r.Wins, r.Draws, r.Losses = t.Wins, t.Draws, t.Losses
	est := m.blocks(i).Estimate()
	r.Score = est.Score
	if m.silent() != "" || m.blocks(i).Silent() != "" {
		return r
	}
	r.CI95 = span(est.CI95)
	if m.tally.Seats == 2 || m.candidate() == i {
		r.Elo, r.EloCI95 = est.Elo, span(est.EloCI)
	}
	return r
}

// seat is the i-th entrant's part in one seat: one game a block.
func (m *match) seat(i, seat int) seatPart {
	t := &m.tally.Entrants[i].Seats[seat]
	p := seatPart{Games: t.Games, Metrics: m.metrics(t.Games, 1, t.Sums, t.Cross)}
	if !m.series.Ruleset.Game.Unscored && t.Games > 0 {
		p.Score = rating.Known(float64(t.Score) / float64(t.Games*arena.Scale(m.tally.Seats)))
	}
	return p
}

// metrics are the game's metrics from the sums over n units of so many games.
func (m *match) metrics(n int64, games int, sums []int64, cross [][]arena.Wide) map[string]metricPart {
	parts := map[string]metricPart{}
	rs := m.series.Ruleset
	for _, metric := range rs.Game.Metrics {
		of := rs.Component(metric.Of)
		s := rating.Sums{N: n, X: float64(sums[of]), XX: cross[of][of].Float(), Per: float64(games)}
		var mean rating.MeanInterval
		if metric.Per == "" {
			scale := metric.Factor()
			s.X, s.XX = scale*s.X, scale*scale*s.XX
			mean = s.Mean()
		} else {
			per := rs.Component(metric.Per)
			s.Y, s.YY = float64(sums[per]), cross[per][per].Float()
			s.XY = cross[max(of, per)][min(of, per)].Float()
			mean = s.Ratio(metric.Factor())
		}
		parts[metric.Name] = metricPart{mean.Mean, span(mean.CI95)}
	}
	return parts
}

// notes are what a reader of the numbers should know.
func (m *match) notes() []string {
	var notes []string
	if m.series.Ruleset.Game.Unscored {
		notes = append(notes, m.series.Ruleset.Game.Name+" has no winner: only its metrics count")
	} else if silent := m.silent(); silent != "" {
		notes = append(notes, "no information about strength: "+silent)
	} else if silent := m.blocks(0).Silent(); silent != "" {
		notes = append(notes, "no information about strength: "+silent)
	}
	for i, e := range m.series.Entrants {
		if f := m.tally.Entrants[i].Faults; f > 0 {
			notes = append(notes, fmt.Sprintf("%s made an illegal move in %d games", e.Name, f))
		}
	}
	return notes
}
