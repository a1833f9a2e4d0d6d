package tuner

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
)

// Trial is one parameter set under judgement.
type Trial struct {
	Number   int
	Draw     int          // which of the sampler's proposals it was
	Batch    int          // the ask batch that it came with
	Params   param.Values // tuned and active, canonical
	Proposed param.Values // the whole space
	Entrant  arena.Entrant
	Evidence []entry.Evidence // by opponent, on blocks of phase tune; none of a duel
	Estimate Estimate
	State    entry.TrialState
	Reason   string    // why it was stopped, for people
	End      entry.End // how it was stopped
	Rung     int       // rungs passed

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

// Candidate makes a trial's entrant of the fixed and the tuned values.
func (s *Setup) Candidate(number int, tuned param.Values) (arena.Entrant, error) {
	given := append(append(param.Values(nil), s.Tune.Fix...), tuned...)
	return s.Ruleset.NewEntrant(fmt.Sprintf("trial %d", number), s.Tune.Strategy, given)
}

// Series is a candidate's series against one opponent: the candidate first, the
// opponent in all other seats.
func (s *Setup) Series(candidate, opponent arena.Entrant, seed uint64, phase arena.Phase, from, to int64) arena.Series {
	out := arena.Series{Ruleset: s.Ruleset, Seed: seed, Phase: phase, From: from, To: to}
	out.Entrants = append(out.Entrants, candidate)
	for len(out.Entrants) < s.Ruleset.Seats {
		out.Entrants = append(out.Entrants, opponent)
	}
	return out
}

// play adds the blocks from..to against every opponent to the evidence so far.
func (st *Study) play(ctx context.Context, e arena.Entrant, so []entry.Evidence, seed uint64, phase arena.Phase, from, to int64) ([]entry.Evidence, error) {
	opponents := st.Setup.Opponents()
	out := make([]entry.Evidence, max(1, len(opponents)))
	for i := range out {
		var opponent *arena.Entrant // itself, for a metric objective without a baseline
		if len(opponents) > 0 {
			opponent = &opponents[i]
		}
		part, err := st.stretch(ctx, e, opponent, seed, phase, from, to, nil)
		if err != nil {
			return nil, err
		}
		out[i] = part
		if len(so) > i {
			out[i] = so[i].Plus(part)
		}
	}
	return out, nil
}
