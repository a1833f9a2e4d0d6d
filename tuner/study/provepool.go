package study

import (
	"context"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// provePool plays the winner against each member of the pool on the validation's blocks
// and, if the spec asks for it, makes the outcome part of the verdict. If there are too few
// different blocks to say anything, it says nothing.
func (st *Study) provePool(ctx context.Context, winner *tuner.Trial, opened entry.Attempt, v *entry.Validation) error {
	s := st.Setup
	if s.Validation.PoolBlocks == 0 || v.Evidence.Blocks == 0 {
		return nil
	}
	test, err := stats.Group{
		Elo0: -s.Validation.PoolMargin, Elo1: 0, Seats: s.Ruleset.Seats, Alpha: opened.Alpha,
		Beta: s.Validation.Beta / float64(len(s.PoolEntrants)), MaxBlocks: s.Validation.PoolBlocks, Once: true,
	}.Prepare()
	if err != nil {
		return err
	}
	for i := range s.PoolEntrants {
		met, err := st.against(ctx, winner.Entrant, s.PoolEntrants[i], opened.Seed, s.Validation.PoolBlocks)
		if err != nil {
			return err
		}
		m := entry.Member{Entrant: s.PoolEntrants[i].Canonical(), Evidence: met}
		if winner.Entrant.Canonical() == m.Entrant {
			m.Standing, m.Reason = entry.NotWorse, "the winner itself"
		} else if why := repeated(st, met); why != "" {
			m.Standing, m.Reason = entry.Untold, why
		} else {
			blocks := blocksOf(s, met)
			look, err := test.Judge(blocks)
			if err != nil {
				return err
			}
			switch {
			case look.Below >= look.Fail && blocks.Silent() == "":
				m.Standing = entry.Better
			case look.Verdict == stats.H1:
				m.Standing = entry.NotWorse
			default:
				m.Standing = entry.Untold
			}
			e := blocks.Estimate()
			m.Reason = e.Reason
			m.Score, m.Elo = e.Score.Pointer(), e.Elo.Pointer()
			m.ScoreCI, m.EloCI = e.CI95.Ends(), e.EloCI.Ends()
		}
		v.Pool = append(v.Pool, m)
	}
	if s.Validation.Pool == tuner.NoneWorse {
		st.noneWorse(v)
	}
	return nil
}

// noneWorse makes the pool part of a verdict.
func (st *Study) noneWorse(v *entry.Validation) {
	var better, untold []string
	for _, m := range v.Pool {
		switch m.Standing {
		case entry.Better:
			better = append(better, m.Entrant)
		case entry.Untold:
			untold = append(untold, m.Entrant)
		}
	}
	switch {
	case len(better) > 0 && v.Verdict != "fail":
		v.Verdict = "fail"
		v.Reason += "; of the pool, better than the winner: " + strings.Join(better, ", ")
	case len(untold) > 0 && v.Verdict == "pass":
		v.Verdict = "inconclusive"
		v.Reason += fmt.Sprintf("; of the pool, it cannot be told within %g Elo whether the winner is worse than %s", st.Setup.Validation.PoolMargin, strings.Join(untold, ", "))
	}
	if v.Verdict != "pass" {
		v.Given = nil
	}
}

// against plays blocks of the validation against one opponent.
func (st *Study) against(ctx context.Context, e, opponent arena.Entrant, seed uint64, blocks int64) (entry.Evidence, error) {
	series := st.Setup.Series(e, opponent, seed, arena.Validation, 0, blocks)
	seen, err := st.sightings(ctx, series, nil)
	if err != nil {
		return entry.Evidence{}, err
	}
	tally, err := st.host.Play(ctx, series, func(r *arena.Run) error {
		st.meter.add(r)
		if seen != nil {
			seen.Add(r)
		}
		return nil
	})
	if err != nil {
		return entry.Evidence{}, err
	}
	out := entry.NewEvidence(tally)
	if seen != nil {
		out.SetDistinct(seen.Blocks())
	}
	return out, nil
}
