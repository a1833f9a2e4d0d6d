package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// proof proves a winner against the baseline, on seeds that no search has met.
type proof struct {
	core     *core
	plan     plan
	replayer tuner.Replayer  // nil where nothing is played again
	replayed *entry.Replayed // what was played again before the last verdict
}

// plan is a way to decide whether a winner is better: by its score or by a metric. newProof
// chooses it once.
type plan interface {
	decide(ctx context.Context, winner *tuner.Trial, opened entry.Attempt) (entry.Validation, error)
	// further plays on after a pass, up to a number of blocks, and tells how large the gain is.
	further(ctx context.Context, winner *tuner.Trial, decided *entry.Validation, to int64) (entry.Estimate, error)
}

func newProof(c *core, w tuner.Replayer) *proof {
	p := &proof{core: c, replayer: w, plan: &scorePlan{c}}
	if c.setup.Proved().Of == "metric" {
		p.plan = &metricPlan{c}
	}
	if c.games.recorded != "" {
		p.replayer = nil // what it would play again is no longer the same game
	}
	return p
}

// prove plays the winner against the baseline under the spec's bounds, on
// seeds that nothing has met.
func (p *proof) prove(ctx context.Context, winner *tuner.Trial) (*entry.Validation, error) {
	p.core.meter.proves(winner, p.core.total(), p.core.log.ahead(entry.KindValidation))
	opened, err := step(ctx, p.core.log, entry.KindAttempt, func() (entry.Attempt, error) { return p.open(ctx, winner) }, nil)
	if err != nil {
		return nil, err
	}
	if err := p.core.log.stopped(); err != nil {
		return nil, err
	}
	if p.core.log.peek() == entry.KindReplayed {
		if err := p.replay(ctx, nil); err != nil {
			return nil, err
		}
	}
	v, err := step(ctx, p.core.log, entry.KindValidation, func() (entry.Validation, error) {
		v, err := p.plan.decide(ctx, winner, opened)
		if err == nil {
			err = (&poolProof{p.core}).prove(ctx, winner, opened, &v)
		}
		if v.Evidence.Blocks > 0 {
			v.Played = entry.NewPlayed(arena.Validation, opened.Seed, 0, v.Evidence.Blocks)
		}
		if err == nil && p.replayed == nil {
			err = p.replayered(ctx, &v)
		}
		return v, err
	}, nil)
	return &v, err
}

// open counts the attempt and gives it its share of alpha.
func (p *proof) open(ctx context.Context, winner *tuner.Trial) (entry.Attempt, error) {
	s := p.core.setup
	q, err := s.Question(ctx)
	if err != nil {
		return entry.Attempt{}, err
	}
	q.Winner = winner.Entrant(p.core.setup).Canonical()
	number, err := p.core.log.record.Attempt(ctx, q)
	if err != nil {
		return entry.Attempt{}, err
	}
	alpha, err := s.Validation.Level(number)
	return entry.Attempt{Trial: winner.Number, Attempt: number, Alpha: alpha, Seed: s.ValidationSeed(number)}, err
}

// replayered has blocks played again before the verdict v is written, which is an entry of
// its own. A block that is another game then is the study's last entry: running it again
// does not help.
func (p *proof) replayered(ctx context.Context, v *entry.Validation) error {
	if p.replayer == nil { // of which no two games are alike
		return nil
	}
	p.core.meter.phase("replay", 0)
	err := p.replay(ctx, func() (entry.Replayed, error) {
		log, err := p.core.log.record.Entries(ctx)
		if err != nil {
			return entry.Replayed{}, err
		}
		log = append(slices.Clip(log), entry.New(entry.KindValidation, v)) // a copy
		told, err := p.replayer.Again(ctx, func(yield func(entry.Entry) bool) {
			for i, e := range log {
				if log[i] = (entry.Entry{}); !yield(e) { // what was read is let go
					return
				}
			}
		})
		if err != nil {
			return entry.Replayed{}, err
		}
		return *told, nil
	})
	if other, ok := errors.AsType[*tuner.DifferentError](err); ok {
		for _, name := range p.core.setup.Strategies() {
			if other.Outside == "" && p.core.setup.Ruleset.Game.Outside(name) {
				other.Outside = name
			}
		}
		e := entry.New(entry.KindDifferent, other.Different)
		if bad := p.core.log.record.Append(ctx, e, nil); bad != nil {
			return errors.Join(err, fmt.Errorf("study log: %s: %w", e.Kind, bad))
		}
	}
	return err
}

// replay notes what was played again, which the log has or compute finds out.
func (p *proof) replay(ctx context.Context, compute func() (entry.Replayed, error)) error {
	told, err := step(ctx, p.core.log, entry.KindReplayed, compute, nil)
	if err == nil {
		p.replayed = &told
	}
	return err
}

// repeatsAll reports whether all blocks are the same games, and are enough to say so: nothing
// is left to chance.
func repeatsAll(e entry.Evidence) bool { return e.Blocks >= stats.FewBlocks && e.Distinct == 1 }

// overlap is the share of the validation's starts that the search may have seen before the
// validation counts as no proof.
const overlap = 0.02

// repeated returns why the blocks prove nothing: all are the same, or they repeat each other
// so often that the search must have seen the same starts. It is empty if they do prove
// something. A game that declares its starts never deals one start to both search and
// validation.
func (c *core) repeated(e entry.Evidence) string {
	if repeatsAll(e) {
		return fmt.Sprintf("no information: all %d blocks are the same games: nothing is left to chance", e.Blocks)
	}
	if e.Distinct == 0 || e.Blocks < stats.FewBlocks || c.setup.RulesetOf(arena.Validation).Starts > 0 {
		return ""
	}
	starts := supply(e.Blocks, e.Distinct)
	searched := float64(c.judge.met() + c.search.begun.blocks)
	if seen := -math.Expm1(-searched / starts); seen > overlap {
		return fmt.Sprintf("no proof: only %d of %d blocks are different games, as of about %.0f starts, and the search has seen %.0f %% of them. A proof needs starts that the search has not seen: let the game declare how many it has (Definition.Starts), or have at least %.0f",
			e.Distinct, e.Blocks, starts, 100*seen, math.Ceil(searched/-math.Log1p(-overlap)))
	}
	return ""
}

// supply estimates how many different games exist, given that d of n were different: the N
// for which n random draws from N give d different ones on average; +Inf if all were
// different.
func supply(n, d int64) float64 {
	if d >= n {
		return math.Inf(1)
	}
	// d = N (1 - e^(-n/N)) rises with N.
	lo, hi := float64(d), float64(n)*float64(n)
	for range 100 {
		mid := math.Sqrt(lo * hi)
		if mid*-math.Expm1(-float64(n)/mid) < float64(d) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Sqrt(lo * hi)
}

// withinLimits fails a winner that exceeds a limit on the validation blocks.
func withinLimits(s *tuner.Setup, v *entry.Validation, est tuner.Estimate) {
	if est.Feasible {
		return
	}
	for i := range s.Objective.Limits {
		l := &s.Objective.Limits[i]
		if broken := l.Exceeded(est.Limits[i].Value, est.Ratios[i].Value, tuner.LogText); broken != "" {
			v.Verdict = "fail"
			v.Reason = broken + " on the validation blocks"
		}
	}
}
