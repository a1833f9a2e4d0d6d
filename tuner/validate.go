package tuner

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner/numeral"
	"sakusen/tuner/rating"
)

// attempt is the payload of the entry that opens a validation.
type attempt struct {
	Trial   int     `json:"trial"`
	Attempt int     `json:"attempt"`
	Alpha   float64 `json:"alpha"` // this attempt's share
	Seed    uint64  `json:"seed,string"`
}

// Validation is the verdict on the winner: its games against the frozen
// baseline on seeds that no search has seen.
type Validation struct {
	Trial    int      `json:"trial"`
	Attempt  int      `json:"attempt"`
	Alpha    float64  `json:"alpha"`
	Evidence Evidence `json:"evidence"`
	LLR      *float64 `json:"llr"`
	Verdict  string   `json:"verdict"` // pass, fail, inconclusive
	Reason   string   `json:"reason"`
	// Score and Elo are those of all validation blocks, whose number was fixed
	// before the first, with their 95 % intervals.
	Score   *float64    `json:"score"`
	ScoreCI *[2]float64 `json:"score_ci95"`
	Elo     *float64    `json:"elo"`
	EloCI   *[2]float64 `json:"elo_ci95"`
	// Metric is the verdict's quantity where the objective is a metric.
	Metric *MetricVerdict `json:"metric,omitempty"`
}

// looks is the number of times at which a validation may be decided.
const looks = 64

// validationSeed derives from (study seed, name, spec hash, attempt), so that no
// two validations share a block, and none shares one with a search.
func (s *Spec) validationSeed(attempt int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s\n%d\n", s.Sampler.Seed, s.Name, s.Hash(), attempt))
	return binary.BigEndian.Uint64(sum[:8])
}

// validate plays the winner against the baseline under the spec's bounds. The
// first look at which a sequential test on the blocks' scores crosses a bound
// decides, so its error rates are those of Wald's test; the blocks are played
// to their fixed number all the same, so that the printed estimate owes nothing
// to the moment at which it looked good.
func (st *Study) validate(ctx context.Context, winner *Trial) (*Validation, error) {
	s := st.Setup
	st.meter.phase("validation")
	opened, err := step(ctx, st.journal, KindAttempt, func() (attempt, error) { return st.open(ctx, winner) }, nil)
	if err != nil {
		return nil, err
	}
	v, err := step(ctx, st.journal, KindValidation, func() (Validation, error) {
		goal := s.proved()
		if goal.Of == "metric" {
			return st.compareMetric(ctx, goal, winner, opened)
		}
		return st.test(ctx, winner, opened)
	}, nil)
	return &v, err
}

// proved is the objective on which the verdict is: of several, the score, or the
// first where none is.
func (s *Spec) proved() *Objective {
	goals := s.Objective.Goals()
	return &goals[s.provedAt()]
}

// provedAt is its index.
func (s *Spec) provedAt() int {
	for i, g := range s.Objective.Goals() {
		if g.Of == "score" {
			return i
		}
	}
	return 0
}

// open counts the attempt and gives it its share of alpha.
func (st *Study) open(ctx context.Context, winner *Trial) (attempt, error) {
	s := st.Setup
	n, err := st.journal.record.Attempt(ctx, s.Game, s.Tune.Strategy, s.Baseline)
	if err != nil {
		return attempt{}, err
	}
	alpha, err := rating.AttemptAlpha(s.Validation.Alpha, n)
	return attempt{winner.Number, n, alpha, s.validationSeed(n)}, err
}

func (st *Study) test(ctx context.Context, winner *Trial, opened attempt) (Validation, error) {
	s := st.Setup
	v := Validation{Trial: winner.Number, Attempt: opened.Attempt, Alpha: opened.Alpha, Verdict: "inconclusive"}
	if winner.Entrant.Canonical() == s.BaselineEntrant.Canonical() {
		v.Reason = "no information: the winner is the baseline itself"
		return v, nil
	}
	test := rating.Test{
		Hypotheses: rating.Hypotheses{Model: rating.Logistic, Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1]},
		Alpha:      opened.Alpha, Beta: s.Validation.Beta,
		MinBlocks: min(rating.FewBlocks, s.Validation.MaxBlocks), MaxBlocks: s.Validation.MaxBlocks,
	}
	every := max(1, (s.Validation.MaxBlocks+looks-1)/looks)
	var decided *rating.Result
	for to := every; ; to += every {
		to = min(to, s.Validation.MaxBlocks)
		var err error
		if v.Evidence, err = st.playBaseline(ctx, winner.Entrant, v.Evidence, opened.Seed, to); err != nil {
			return v, err
		}
		if v.Evidence.same() {
			v.Evidence.Games += s.ReferenceGames(to)
			v.Reason = fmt.Sprintf("no information: all %d blocks are the same games: nothing is left to chance", to)
			v.Score = numeral.Finite(v.Evidence.score(s.Ruleset.Seats).Value)
			return v, nil
		}
		look, err := test.Judge(s.blocks(v.Evidence))
		if err != nil {
			return v, err
		}
		if decided == nil && look.Done() {
			decided = &look
		}
		if to == s.Validation.MaxBlocks {
			st.conclude(&v, *decided) // at the last block every test is decided
			v.Evidence.Games += s.ReferenceGames(to)
			return v, nil
		}
	}
}

// blocks is the evidence as the statistics take it.
func (s *Setup) blocks(e Evidence) rating.Blocks { return rating.Rotated(s.Ruleset.Seats, e.Scores) }

// conclude turns the look that decided into the verdict, and all blocks into
// the published interval.
func (st *Study) conclude(v *Validation, decided rating.Result) {
	v.LLR, v.Reason = numeral.Finite(decided.LLR), decided.Reason
	switch decided.Verdict {
	case rating.H1:
		v.Verdict = "pass"
	case rating.H0:
		v.Verdict = "fail"
	}
	st.withinLimits(v, st.Setup.estimate([]Evidence{v.Evidence}))
	e := st.Setup.blocks(v.Evidence).Estimate()
	v.Score, v.Elo = known(e.Score), known(e.Elo)
	v.ScoreCI, v.EloCI = e.CI95.Ends(), e.EloCI.Ends()
}

// withinLimits fails a winner that exceeds a limit on the validation blocks.
func (st *Study) withinLimits(v *Validation, est Estimate) {
	if est.Feasible {
		return
	}
	for i := range st.Setup.Objective.Limits {
		l := &st.Setup.Objective.Limits[i]
		if broken := l.broken(est.Limits[i].Value, est.Ratios[i].Value, logged); broken != "" {
			v.Verdict = "fail"
			v.Reason = broken + " on the validation blocks"
		}
	}
}

func known(n rating.Number) *float64 {
	if !n.Defined {
		return nil
	}
	return &n.Value
}

// playBaseline adds validation blocks against the baseline alone.
func (st *Study) playBaseline(ctx context.Context, e arena.Entrant, so Evidence, seed uint64, to int64) (Evidence, error) {
	part, err := st.stretch(ctx, e, &st.Setup.BaselineEntrant, seed, validationPhase, so.Blocks, to)
	if err != nil || so.Blocks == 0 {
		return part, err
	}
	return so.plus(part), nil
}
