package match

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/stats"
)

// Report turns the tally into numbers for people and scripts.
func (m *Match) Report() (*Report, error) {
	rs := m.Series.Ruleset
	r := &Report{
		Game: rs.Game.Name, Blocks: m.Tally.Blocks, Distinct: m.distinct(), Games: m.Tally.Games,
		Posted: m.posted, AllPairs: m.allPairs(), Seed: param.Seed(m.Series.Seed).String(),
		Interrupted: m.Interrupted, Digest: m.Digest(), MetricList: rs.Game.Metrics, Notes: m.notes(),
	}
	for i := range m.Series.Entrants {
		r.Entrants = append(r.Entrants, m.entrant(i))
	}
	for seat := range rs.Seats {
		parts := map[string]Seat{}
		for i, e := range m.Series.Entrants {
			parts[e.Name] = m.seat(i, seat)
		}
		r.BySeat = append(r.BySeat, parts)
	}
	if rs.Seats == 2 && !rs.Game.Unscored {
		r.Penta = (*[5]int64)(m.Tally.Entrants[0].Scores)
	}
	if m.Test == nil {
		return r, nil
	}
	r.SPRT = &SPRT{
		Elo0: m.Test.Elo0, Elo1: m.Test.Elo1, Model: m.Test.Model,
		LLR: m.Look.LLR, Lower: m.Look.Lower, Upper: m.Look.Upper,
		Verdict: m.Look.Verdict, Reason: m.Look.Reason,
	}
	if m.Interrupted {
		r.SPRT.Verdict, r.SPRT.Reason = stats.Continue, "interrupted before it was decided"
	}
	if m.silent() != "" || m.Interrupted {
		return r, nil
	}
	blocks := m.judged()
	r.SPRT.AllPairs = blocks.Placed != nil
	u, err := m.Test.Unbiased(blocks, lookEvery)
	if err != nil {
		return nil, fmt.Errorf("estimate after the test: %w", err)
	}
	r.SPRT.Unbiased = Unbiased{u.Score, u.ScoreCI, u.Elo, u.EloCI}
	return r, nil
}

// entrant is the i-th entrant's part.
func (m *Match) entrant(i int) Entrant {
	e, t := m.Series.Entrants[i], &m.Tally.Entrants[i]
	r := Entrant{
		Name: e.Name, Strategy: e.Strategy, Params: e.Params.Map(),
		Values: param.Natives(e.Params, m.space(e.Strategy)), Entrant: e.Canonical(),
		Metrics: m.metrics(m.Tally.Blocks, m.Tally.Seats, t.Sums, t.Cross),
	}
	if m.Series.Ruleset.Game.Unscored {
		return r
	}
	r.Wins, r.Draws, r.Losses = t.Wins, t.Draws, t.Losses
	est := m.blocks(i).Estimate()
	r.Score = est.Score
	if m.silent() != "" || m.blocks(i).Silent() != "" {
		return r
	}
	r.CI95 = est.CI95
	if m.Tally.Seats == 2 || m.candidate() == i {
		r.Elo, r.EloCI95 = est.Elo, est.EloCI
	}
	return r
}

// space is what can be set of a strategy; nil where that is not known, as of a program
// that has gone.
func (m *Match) space(strategy string) []param.Param {
	space, err := m.Series.Ruleset.Space(strategy)
	if err != nil {
		return nil
	}
	return space
}

// seat is the i-th entrant's part in one seat: one game a block.
func (m *Match) seat(i, seat int) Seat {
	t := &m.Tally.Entrants[i].Seats[seat]
	p := Seat{Games: t.Games, Metrics: m.metrics(t.Games, 1, t.Sums, t.Cross)}
	if !m.Series.Ruleset.Game.Unscored && t.Games > 0 {
		p.Score = stats.Known(float64(t.Score) / float64(t.Games*arena.Scale(m.Tally.Seats)))
	}
	return p
}

// metrics are the game's metrics from the sums over n units of so many games.
func (m *Match) metrics(n int64, games int, sums []int64, cross [][]arena.Wide) map[string]Value {
	parts := map[string]Value{}
	rs := m.Series.Ruleset
	for _, metric := range rs.Game.Metrics {
		of := rs.Component(metric.Of)
		s := stats.Sums{N: n, X: float64(sums[of]), XX: cross[of][of].Float(), Per: float64(games), Distinct: m.repeated()}
		var mean stats.MeanInterval
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
		parts[metric.Name] = Value{mean.Mean, mean.CI95}
	}
	return parts
}

// notes are what a reader of the numbers should know.
func (m *Match) notes() []string {
	var notes []string
	if m.Series.Ruleset.Game.Unscored {
		notes = append(notes, m.Series.Ruleset.Game.Name+" has no winner: only its metrics count")
	} else if silent := m.silent(); silent != "" {
		notes = append(notes, "no information about strength: "+silent)
	} else if silent := m.blocks(0).Silent(); silent != "" {
		notes = append(notes, "no information about strength: "+silent)
	}
	if d := m.repeated(); d > 1 {
		notes = append(notes, fmt.Sprintf("only %d of %d blocks are different games: repeated games are no further evidence, and the intervals go by the different ones", d, m.Tally.Blocks))
	}
	if m.posted > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d blocks were not played here or by the daemon: clients have posted them (match --record)", m.posted, m.Tally.Blocks))
	}
	for i, e := range m.Series.Entrants {
		if f := m.Tally.Entrants[i].Faults; f > 0 {
			notes = append(notes, fmt.Sprintf("%s broke the rules, or its program failed, in %d games", e.Name, f))
		}
	}
	return notes
}
