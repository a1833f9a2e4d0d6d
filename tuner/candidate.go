package tuner

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Trial is one parameter set under judgement.
type Trial struct {
	Number   int
	Draw     int          // which of the sampler's proposals it was
	Batch    int          // the ask batch that it came with
	Params   param.Values // tuned and active, canonical
	Proposed param.Values // the whole space
	Entrant  arena.Entrant
	Evidence []Evidence // by opponent, on blocks of phase tune; none of a duel
	Estimate Estimate
	State    TrialState
	Reason   string // why it was stopped
	Rung     int    // rungs passed

	delegate bool // stands for its pool
}

// Blocks is the number of blocks played against each opponent.
func (t *Trial) Blocks() int64 {
	if len(t.Evidence) == 0 {
		return 0
	}
	return t.Evidence[0].Blocks
}

// games is the number of games played so far.
func (t *Trial) games() int64 {
	n := int64(0)
	for _, e := range t.Evidence {
		n += e.Games
	}
	return n
}

// entrant makes a trial's entrant of the fixed and the tuned values.
func (s *Setup) entrant(number int, tuned param.Values) (arena.Entrant, error) {
	given := append(append(param.Values(nil), s.Tune.Fix...), tuned...)
	return s.Ruleset.NewEntrant(fmt.Sprintf("trial %d", number), s.Tune.Strategy, given)
}

// series is a candidate's series against one opponent: the candidate first, the
// opponent in all other seats.
func (s *Setup) series(candidate, opponent arena.Entrant, seed uint64, phase arena.Phase, from, to int64) arena.Series {
	out := arena.Series{Ruleset: s.Ruleset, Seed: seed, Phase: phase, From: from, To: to}
	out.Entrants = append(out.Entrants, candidate)
	for len(out.Entrants) < s.Ruleset.Seats {
		out.Entrants = append(out.Entrants, opponent)
	}
	return out
}

// play adds the blocks from..to against every opponent to the evidence so far.
func (st *Study) play(ctx context.Context, e arena.Entrant, so []Evidence, seed uint64, phase arena.Phase, from, to int64) ([]Evidence, error) {
	opponents := st.Setup.Opponents()
	out := make([]Evidence, max(1, len(opponents)))
	for i := range out {
		var opponent *arena.Entrant // itself, for a metric objective without a baseline
		if len(opponents) > 0 {
			opponent = &opponents[i]
		}
		part, err := st.stretch(ctx, e, opponent, seed, phase, from, to)
		if err != nil {
			return nil, err
		}
		out[i] = part
		if len(so) > i {
			out[i] = so[i].plus(part)
		}
	}
	return out, nil
}

// plus is the evidence of both: disjoint blocks against the same opponent.
func (e Evidence) plus(f Evidence) Evidence {
	out := Evidence{Blocks: e.Blocks + f.Blocks, Games: e.Games + f.Games, Digest: e.Digest + f.Digest, Base: e.Base.plus(f.Base)}
	out.first, out.varies = e.first, e.varies || f.varies || e.first != f.first
	out.Scores = make([]int64, len(e.Scores))
	for i := range e.Scores {
		out.Scores[i] = e.Scores[i] + f.Scores[i]
	}
	out.Sums = make([]int64, len(e.Sums))
	out.Cross = make([][]arena.Wide, len(e.Cross))
	for i := range e.Sums {
		out.Sums[i] = e.Sums[i] + f.Sums[i]
		out.Cross[i] = make([]arena.Wide, i+1)
		for j := range out.Cross[i] {
			out.Cross[i][j] = e.Cross[i][j].Plus(f.Cross[i][j])
		}
	}
	return out
}

// less is the evidence e without the blocks of f, which it contains.
func (e Evidence) less(f Evidence) Evidence {
	out := Evidence{Blocks: e.Blocks - f.Blocks, Games: e.Games - f.Games, Digest: e.Digest - f.Digest, Base: e.Base.less(f.Base)}
	out.Scores = make([]int64, len(e.Scores))
	for i := range e.Scores {
		out.Scores[i] = e.Scores[i] - f.Scores[i]
	}
	out.Sums = make([]int64, len(e.Sums))
	out.Cross = make([][]arena.Wide, len(e.Cross))
	for i := range e.Sums {
		out.Sums[i] = e.Sums[i] - f.Sums[i]
		out.Cross[i] = make([]arena.Wide, i+1)
		for j := range out.Cross[i] {
			out.Cross[i][j] = e.Cross[i][j].Minus(f.Cross[i][j])
		}
	}
	return out
}
