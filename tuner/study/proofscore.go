package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// scorePlan decides by the score against the baseline: by a group-sequential test, or at
// one look. The chances of error hold over all its looks.
type scorePlan struct{ core *core }

// groupTest returns the test of a study's validation at an attempt's share of alpha.
func groupTest(s *tuner.Setup, alpha float64) (*stats.GroupTest, error) {
	return stats.Group{
		Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1], Seats: s.Ruleset.Seats,
		Alpha: alpha, Beta: s.Validation.Beta, MaxBlocks: s.Validation.MaxBlocks,
		Once: s.Validation.Plan == tuner.PlanFixed,
	}.Prepare()
}

// decide decides whether the winner is better than the baseline, as the spec asks. The
// chances of error of its plan hold over all its looks.
func (p *scorePlan) decide(ctx context.Context, winner *tuner.Trial, opened entry.Attempt) (v entry.Validation, err error) {
	s := p.core.setup
	v = entry.Validation{Trial: winner.Number, Attempt: opened.Attempt, Alpha: opened.Alpha, Verdict: "inconclusive", About: about(s)}
	if winner.Entrant(s).Canonical() == s.BaselineEntrant.Canonical() {
		v.Reason = tuner.ItIsTheBaseline
		return v, nil
	}
	test, err := groupTest(s, opened.Alpha)
	if err != nil {
		return v, err
	}
	p.core.games.proof = newProofGames(s)
	defer func() { v.GameVariance, p.core.games.proof = p.core.games.proof.variance(), nil }()
	for _, to := range test.Looks() {
		if v.Evidence, err = p.playBaseline(ctx, winner.Entrant(s), v.Evidence, opened.Seed, to); err != nil {
			return v, err
		}
		played := v.Evidence
		played.Games += s.ReferenceGames(to)
		if why := p.core.repeated(v.Evidence); why != "" {
			v.Evidence, v.Reason = played, why
			v.Score = numeral.Finite(v.Evidence.Score(s.Ruleset.Seats).Value)
			return v, nil
		}
		blocks := p.core.games.proof.blocksOf(s, v.Evidence)
		look, err := test.Judge(blocks)
		if err != nil {
			return v, err
		}
		seen := v.Evidence.Score(s.Ruleset.Seats)
		if p := blocks.Placed; p != nil {
			seen.Value, seen.Error = p.Score, math.Sqrt(p.Variance/float64(to-1))
		}
		elo, ci := stats.EloAround(seen.Value, seen.Error, s.Ruleset.Seats)
		p.core.meter.look(tuner.ProofLook{
			Blocks: to, Most: test.MaxBlocks, Score: seen.Value, Error: seen.Error, Elo: elo, EloCI: &ci,
			Above: look.Above, Needs: look.Pass, Below: look.Below, Fails: look.Fail,
		})
		if look.Done() {
			v.Evidence, v.Pairs = played, blocks.Placed
			return v, conclude(s, &v, test, look, blocks)
		}
	}
	return v, fmt.Errorf("validation: its last look decides nothing")
}

// further computes the gain by the blocks from those of the verdict up to a number.
func (p *scorePlan) further(ctx context.Context, winner *tuner.Trial, v *entry.Validation, to int64) (e entry.Estimate, err error) {
	s := p.core.setup
	p.core.games.proof = newProofGames(s)
	defer func() { p.core.games.proof = nil }()
	all, err := p.playBaseline(ctx, winner.Entrant(s), v.Evidence, v.Played.Seed, to)
	if err != nil {
		return e, err
	}
	e.Evidence = all.Less(v.Evidence)
	e.Evidence.Games += s.ReferenceGames(to - v.Evidence.Blocks)
	blocks := p.core.games.proof.blocksOf(s, e.Evidence)
	e.Pairs = blocks.Placed
	estimate(s, v, &e)
	return e, nil
}

// estimate sets what the games of an estimate tell. After a test that could stop at several
// looks it is by these games alone: those before the stop say little more, given when it
// stopped. After a test of one look the games that passed it count too, so far as they are
// not what made it pass.
func estimate(s *tuner.Setup, v *entry.Validation, e *entry.Estimate) {
	blocks := e.Evidence.Sample(s.Ruleset.Seats)
	blocks.Placed = e.Pairs
	e.Measured = entry.Measured{}
	e.Measure(blocks)
	if v.Test == nil || v.Test.Plan != tuner.PlanFixed || e.Score == nil || v.Evidence.Distinct > 0 || e.Evidence.Distinct > 0 {
		return
	}
	of := func(m stats.Moments) (mean, se float64) { return m.Mean, math.Sqrt(m.Variance / float64(m.N-1)) }
	decided := v.Evidence.Sample(s.Ruleset.Seats)
	decided.Placed = v.Pairs
	var two stats.Selected
	two.X, two.XError = of(decided.Moments())
	two.Y, two.YError = of(blocks.Moments())
	two.Least = stats.Score(s.Validation.Elo[0], s.Ruleset.Seats) + v.Test.Needs*two.XError
	if mean, ci := two.Estimate(); ci.Defined() {
		e.Whole = true
		e.Measured.Set(mean, ci, s.Ruleset.Seats)
	}
}

// playBaseline adds validation blocks against the baseline alone.
func (p *scorePlan) playBaseline(ctx context.Context, e arena.Entrant, so entry.Evidence, seed uint64, to int64) (entry.Evidence, error) {
	var before *entry.Evidence
	var earlier []stretch
	if so.Blocks > 0 {
		before, earlier = &so, []stretch{{0, so.Blocks}}
	}
	return p.core.games.meet(ctx, e, &p.core.setup.BaselineEntrant, seed, arena.Validation, earlier, so.Blocks, to, before)
}

// conclude turns the look that decided into the verdict and the estimates.
func conclude(s *tuner.Setup, v *entry.Validation, test *stats.GroupTest, look stats.GroupLook, blocks stats.Blocks) error {
	v.Reason = look.Reason
	v.Test = &entry.TestResult{
		Plan: s.Validation.Plan, Looks: look.Look + 1, Most: test.MaxBlocks,
		Above: look.Above, Needs: look.Pass, Below: look.Below, Fails: look.Fail,
	}
	switch look.Verdict {
	case stats.H1:
		v.Verdict = "pass"
	case stats.H0:
		v.Verdict = "fail"
	default:
		v.Reason += "; " + test.Takes(blocks)
	}
	if why := entry.TimeDecides(s.RulesetOf(arena.Validation), v.Evidence.Faults.OnTime(), v.Evidence.Games); why != "" && v.Verdict == "pass" {
		v.Verdict, v.Reason = "inconclusive", why
	}
	withinLimits(s, v, s.Estimate([]entry.Evidence{v.Evidence}))
	u, err := test.Unbiased(blocks)
	if err != nil {
		return err
	}
	v.Score, v.Elo = u.Score.Pointer(), u.Elo.Pointer()
	v.ScoreCI, v.EloCI = u.ScoreCI.Ends(), u.EloCI.Ends()
	return nil
}

// about returns what a verdict is about.
func about(s *tuner.Setup) string {
	rs := s.RulesetOf(arena.Validation)
	switch n := rs.Starts; {
	case rs.Game.FreshChance:
		return "games whose chance is drawn anew for every block"
	case n > 0:
		return fmt.Sprintf("starts of the kind of the game's %d, by the %d that no search meets", n, rs.Supply(arena.Validation))
	}
	return "games of the kind that new seeds give"
}

// proofGames is what the games of a validation tell beside the scores of their blocks.
type proofGames struct {
	race           *entry.LengthCollector // nil unless all pairs are compared
	games          int64
	units, squares int64 // of the winner's score of a game, in 1/arena.Scale
	scale          int64
}

// newProofGames gathers them for the study's validation.
func newProofGames(s *tuner.Setup) *proofGames {
	p := &proofGames{scale: arena.Scale(s.Ruleset.Seats)}
	if s.Validation.Pairs == tuner.AllPairs {
		p.race = entry.NewLengthCollector(s.Ruleset)
	}
	return p
}

// add adds the games of a run; nil gathers nothing.
func (p *proofGames) add(r *arena.Run) {
	if p == nil {
		return
	}
	p.race.Add(r)
	for b := range r.Blocks {
		for rotation := range r.Rotations {
			x := r.Game(b, rotation, rotation)[0] // the first entrant sits in the seat of the rotation's number
			p.games++
			p.units += x
			p.squares += x * x
		}
	}
}

// variance returns that of the score of one game, nil where there is none.
func (p *proofGames) variance() *float64 {
	if p == nil || p.games < 2 {
		return nil
	}
	n, scale := float64(p.games), float64(p.scale)
	mean := float64(p.units) / n
	return numeral.Finite((float64(p.squares)/n - float64(mean*mean)) / (scale * scale))
}

// blocksOf returns evidence of the validation as the statistics take it: as played or, of a
// race, by all pairs, unless some of its blocks repeat others or some game was decided
// otherwise than by its lengths.
func (p *proofGames) blocksOf(s *tuner.Setup, e entry.Evidence) stats.Blocks {
	b := e.Sample(s.Ruleset.Seats)
	if p != nil && b.Distinct == 0 {
		b.Placed = stats.Place(p.race.Lengths())
	}
	return b
}

// Verify does what [tuner.Result.Agrees] does, and computes the verdict again: the
// attempt's share of alpha and its seed from its number, and the verdict with its estimates
// from the games that the log holds. Verdicts of metrics and of pools need games that the
// log has no sums of, and are compared alone.
func Verify(s *tuner.Setup, log []entry.Entry, r *tuner.Result) error {
	if err := r.Agrees(log); err != nil {
		return err
	}
	forged := func(format string, args ...any) error {
		return &tuner.ForgedError{Study: s.Name, What: fmt.Sprintf(format, args...)}
	}
	v, err := entry.Last[entry.Validation](log, entry.KindValidation)
	if err != nil || v == nil {
		return err
	}
	opened, err := entry.Last[entry.Attempt](log, entry.KindAttempt)
	if err != nil || opened == nil {
		return forged("the log has a verdict without an attempt")
	}
	alpha, err := s.Validation.Level(opened.Attempt)
	if err != nil {
		return forged("attempt %d: %v", opened.Attempt, err)
	}
	if opened.Alpha != alpha || v.Alpha != alpha || v.Attempt != opened.Attempt || opened.Seed != s.ValidationSeed(opened.Attempt) {
		return forged("attempt %d has alpha %g and seed %d, expected %g and %d", opened.Attempt, opened.Alpha, opened.Seed, alpha, s.ValidationSeed(opened.Attempt))
	}
	if v.Test == nil || len(v.Pool) > 0 || s.Proved().Of == "metric" {
		return nil
	}
	again, err := concludeAgain(s, v)
	if err != nil {
		return forged("validation: %v", err)
	}
	if again, logged := entry.Text(again), entry.Text(v); !bytes.Equal(again, logged) {
		return forged("validation: the log says %s, its games say %s", logged, again)
	}
	e, err := entry.Last[entry.Estimate](log, entry.KindEstimate)
	if err != nil || e == nil || r.Validation.Estimate == nil {
		return err
	}
	if r.Validation.Verdict != "pass" || e.Played == nil || e.Played.From < v.Evidence.Blocks || e.Played.Seed != opened.Seed {
		return forged("the estimate is of blocks that had a part in the verdict, or of none")
	}
	told := *e
	if estimate(s, v, &told); !bytes.Equal(entry.Text(told), entry.Text(e)) {
		return forged("estimate: the log says %s, its games say %s", entry.Text(e), entry.Text(told))
	}
	return nil
}

// concludeAgain returns the verdict by the evidence of the log alone.
func concludeAgain(s *tuner.Setup, v *entry.Validation) (*entry.Validation, error) {
	test, err := groupTest(s, v.Alpha)
	if err != nil {
		return nil, err
	}
	if want := int64(s.Ruleset.Seats)*arena.Scale(s.Ruleset.Seats) + 1; int64(len(v.Evidence.Scores)) != want {
		return nil, fmt.Errorf("expected %d counts of scores, got %d", want, len(v.Evidence.Scores))
	}
	if v.Pairs != nil && s.Validation.Pairs != tuner.AllPairs {
		return nil, errors.New("all pairs of games are compared, which the study does not ask for")
	}
	blocks := v.Evidence.Sample(s.Ruleset.Seats)
	blocks.Placed = v.Pairs
	look, err := test.Judge(blocks)
	if err != nil {
		return nil, err
	}
	again := &entry.Validation{
		Trial: v.Trial, Attempt: v.Attempt, Alpha: v.Alpha, Evidence: v.Evidence, Verdict: "inconclusive", About: v.About,
		Played: v.Played, Pairs: v.Pairs, GameVariance: v.GameVariance,
	}
	return again, conclude(s, again, test, look, blocks)
}
