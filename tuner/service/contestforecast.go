package service

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner/contest"
	"sakusen/tuner/insight"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// Forecast returns how long a tournament takes, its games and which gap they show, in sentences. A few
// games are played where that is asked for.
func (t *Tournaments) Forecast(ctx context.Context, r TournamentRequest, play bool) ([]string, error) {
	f, err := t.read(r)
	if err != nil {
		return nil, err
	}
	f.Blocks = cmp.Or(r.Blocks, f.Blocks)
	seats, perSecond := f.Ruleset.Seats, 0.0
	if play {
		perSecond = speed(ctx, t.s, f.Ruleset, f.Entrants, func(ctx context.Context, host arena.Host, blocks int64) (all int64) {
			_, _ = f.Play(ctx, contest.TournamentOptions{Host: host, Blocks: blocks, Progress: func(_, _, games int64, _ string) { all += games }}) // until the time is over
			return all
		})
	}
	games := f.Blocks * int64(seats)
	all := games * int64(len(f.Pairings))
	out := []string{insight.Takes(all, all, perSecond), fmt.Sprintf("Games: %s in each pairing, %s in all; pairings: %d.", numeral.Count(games), numeral.Count(all), len(f.Pairings))}
	score := 1/float64(seats) + (stats.Deviate95+0.84)*stats.IndependentSD(seats)/math.Sqrt(float64(f.Blocks))
	if !f.Ruleset.Game.Unscored && seats > 1 && score < 0.99 {
		out = append(out, fmt.Sprintf("To show: a gap of %s Elo between the players of a pairing, in 8 of 10 cases. This supposes independent games without draws.", numeral.Count(int64(math.Ceil(stats.Elo(score, seats))))))
	}
	return out, nil
}

// Forecast returns how long a test takes and what it can show, in sentences. A few games are played
// where that is asked for.
func (t *Patches) Forecast(ctx context.Context, r PatchRequest, play bool) ([]string, error) {
	f, err := t.read(r)
	if err != nil {
		return nil, err
	}
	series, perSecond := f.Stages[0].Series(), 0.0
	if play {
		perSecond = speed(ctx, t.s, series.Ruleset, series.Entrants, func(ctx context.Context, host arena.Host, blocks int64) int64 {
			series.To = blocks
			tally, _ := host.Play(ctx, series, nil) // until the time is over
			return tally.Games
		})
	}
	least, most, out := int64(0), int64(0), []string{""}
	for i, s := range f.Stages {
		low, err := s.Plan(s.Bounds[0])
		middle, bad := s.Plan((s.Bounds[0] + s.Bounds[1]) / 2)
		high, worse := s.Plan(s.Bounds[1])
		if err = cmp.Or(err, bad, worse); err != nil {
			return nil, err
		}
		rough := func(blocks float64) string { return numeral.Count(int64(numeral.Rough(2 * blocks))) }
		out = append(out, fmt.Sprintf("Games of stage %d: on average about %s at one of the bounds and %s between them, at most %s. A gain of %s Elo passes in %.0f of 100 cases, one of %s Elo in %.0f.", i+1,
			rough(min(low.Blocks, high.Blocks)), rough(middle.Blocks), numeral.Count(s.MaxGames), numeral.Signed(s.Bounds[1], math.NaN()), 100*high.H1, numeral.Signed(s.Bounds[0], math.NaN()), 100*low.H1))
		if most += s.MaxGames; i == 0 {
			least = int64(2 * min(low.Blocks, high.Blocks))
		}
	}
	out[0] = insight.Takes(least, most, perSecond)
	return out, nil
}

// speed plays 1, 2, 4 and more blocks for about the time of a probe, and returns how many games a
// second the last of them were; play returns the games. Programs of others are not begun for that.
func speed(ctx context.Context, s *Service, rs *arena.Ruleset, entrants []arena.Entrant, play func(ctx context.Context, host arena.Host, blocks int64) (games int64)) float64 {
	key, names := rs.Hash(), []string(nil)
	for _, e := range entrants {
		key, names = key+"\n"+e.Canonical(), append(names, e.Strategy)
	}
	if why, err := rs.Recorded(names...); err != nil || why != "" {
		return 0
	}
	return s.probes.once(ctx, key, s.o.Pool, func(host arena.Host) (k insight.Known) {
		limited, cancel := context.WithTimeout(ctx, 10*insight.Patience)
		defer cancel()
		for began, n := time.Now(), int64(1); time.Since(began) < insight.Patience && limited.Err() == nil; n *= 2 {
			at := time.Now()
			if games := play(limited, host, n); games > 0 {
				k.PerSecond = float64(games) / time.Since(at).Seconds()
			}
		}
		return k
	}).PerSecond
}
