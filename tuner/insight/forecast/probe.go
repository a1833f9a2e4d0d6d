package forecast

import (
	"context"
	"math"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// Known is what is known of a study's games before it begins.
type Known struct {
	// PerSecond is how many games a second are played, 0 where that is not known.
	PerSecond float64 `json:"games_per_second"`
	// SD is the standard deviation of a block's score, 0 where that is not known.
	SD float64 `json:"block_sd"`
	// MetricSD is that of the metric to be proved, in its unit; 0 where it is not
	// known, and where a score is proved.
	MetricSD float64 `json:"metric_sd,omitempty"`
	// Games were played to find out.
	Games int64 `json:"games"`
}

// Patience is how long a probe plays, a usual choice.
const Patience = 300 * time.Millisecond

// probeBlocks are the most blocks of a probe: enough to know a spread within 5 %.
const probeBlocks = 256

// Probe plays a few games of the tuned strategy against the baseline, for about the
// given time, and tells how fast they went and how they spread. Nothing is stored.
// Games that take longer are given ten times as long; where even then none ends,
// nothing is known.
func Probe(ctx context.Context, s *tuner.Setup, host arena.Host, patience time.Duration) Known {
	candidate, opponent, ok := pair(s)
	if !ok {
		return Known{}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*patience)
	defer cancel()
	all := arena.NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	var k Known
	began := time.Now()
	for from, n := int64(0), int64(1); from < probeBlocks && time.Since(began) < patience; n *= 2 {
		to := min(from+n, probeBlocks)
		at := time.Now()
		tally, err := host.Play(ctx, s.Series(candidate, opponent, s.Sampler.Seed, arena.Tune, from, to), nil)
		if tally.Blocks > 0 {
			// The last stage counts: the first one makes the players.
			if took := time.Since(at).Seconds(); took > 0 {
				k.PerSecond = float64(tally.Games) / took
			}
			k.Games += tally.Games
		}
		if tally.Blocks == 0 || all.Merge(tally) != nil || err != nil {
			break
		}
		from = to
	}
	if all.Blocks < 8 || candidate.Canonical() == opponent.Canonical() {
		return k
	}
	e := entry.NewEvidence(all)
	root := math.Sqrt(float64(all.Blocks))
	if sd := e.Score(s.Ruleset.Seats).Error * root; sd > 0 && sd <= 0.5 {
		k.SD = sd
	}
	if goal := s.Proved(); goal.Of == "metric" && !goal.Relative && len(s.Opponents()) < 2 {
		m, err := s.Ruleset.Metric(goal.Metric)
		if sd := e.Metric(s.Ruleset, m).Error * root; err == nil && sd > 0 && !math.IsInf(sd, 0) {
			k.MetricSD = sd
		}
	}
	return k
}

// pair is a candidate and whom it meets: the strategy with its defaults or, where
// that is the baseline, with values from inside of the ranges.
func pair(s *tuner.Setup) (candidate, opponent arena.Entrant, ok bool) {
	candidate, err := s.Candidate(-1, nil)
	for _, share := range []float64{0.5, 0.3} {
		if err == nil && candidate.Canonical() != s.BaselineEntrant.Canonical() {
			break
		}
		candidate, err = s.Candidate(-1, s.Tune.Params.Activate(s.Tune.Fix, inside(s.Tune.Params, share)))
	}
	if err != nil {
		return candidate, opponent, false
	}
	opponent = candidate
	if all := s.Opponents(); len(all) > 0 {
		opponent = all[0]
	}
	return candidate, opponent, true
}

// inside is the point of a space at a share of every range.
func inside(space tuner.Space, share float64) param.Values {
	var out param.Values
	for i := range space {
		d := &space[i]
		text := ""
		if n := d.Points(); n > 0 {
			text = d.Point(int(share * float64(n)))
		} else if low, high := d.Domain.Low, d.Domain.High; d.Domain.Log && low > 0 {
			text = d.Text(low * math.Pow(high/low, share))
		} else {
			text = d.Text(low + share*(high-low))
		}
		out = append(out, param.Value{Name: d.Name, Text: text})
	}
	return out
}
