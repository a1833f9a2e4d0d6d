package tuner

import (
	"bytes"
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// ForgedError says that a stored result does not follow from the study's log.
type ForgedError struct {
	Study string
	What  string // the difference, such as "verdict: stored pass, the log says fail"
}

func (e *ForgedError) Error() string {
	return fmt.Sprintf("study %s: the stored result does not follow from its log: %s", e.Study, e.What)
}

// Agrees compares a stored result with the log that it was made of, without
// knowing the game: its digest, and its verdict, which is the last validation's.
// An error is a [*ForgedError].
func (r *Result) Agrees(log []entry.Entry) error {
	forged := func(format string, args ...any) error {
		return &ForgedError{Study: r.Study, What: fmt.Sprintf(format, args...)}
	}
	if digest := entry.Digest(log); digest != r.Digest {
		return forged("digest: stored %s, the log has %s", r.Digest, digest)
	}
	v, err := entry.Last[entry.Validation](log, entry.KindValidation)
	if err != nil {
		return forged("%v", err)
	}
	if v == nil || r.Validation == nil {
		if v != nil || r.Validation != nil {
			return forged("one of the two has a validation, the other has none")
		}
		return nil
	}
	s := r.Validation
	for _, c := range []struct {
		name        string
		stored, log any
	}{
		{"verdict", s.Verdict, v.Verdict}, {"reason", s.Reason, v.Reason}, {"attempt", s.Attempt, v.Attempt}, {"alpha", s.Alpha, v.Alpha},
		{"blocks", s.Blocks, v.Evidence.Blocks}, {"score", s.Score, v.Score}, {"score_ci95", s.ScoreCI, v.ScoreCI},
		{"elo", s.Elo, v.Elo}, {"ci95", s.CI95, v.EloCI}, {"metric", s.Metric, v.Metric}, {"test", s.Test, v.Test},
	} {
		if stored, logged := entry.Text(c.stored), entry.Text(c.log); !bytes.Equal(stored, logged) {
			return forged("%s: stored %s, the log says %s", c.name, stored, logged)
		}
	}
	return nil
}

// Verify is [Result.Agrees], and works the verdict out again: the attempt's share
// of alpha and its seed from its number, and the verdict with its estimates from
// the games that the log holds. Verdicts of metrics and of pools need games that the log
// has no sums of, and are compared alone.
func Verify(s *Setup, log []entry.Entry, r *Result) error {
	if err := r.Agrees(log); err != nil {
		return err
	}
	forged := func(format string, args ...any) error {
		return &ForgedError{Study: s.Name, What: fmt.Sprintf(format, args...)}
	}
	v, err := entry.Last[entry.Validation](log, entry.KindValidation)
	if err != nil || v == nil {
		return err
	}
	opened, err := entry.Last[entry.Attempt](log, entry.KindAttempt)
	if err != nil || opened == nil {
		return forged("the log has a verdict without an attempt")
	}
	alpha := opened.Alpha
	if s.Validation.Attempts != AttemptsFDR { // this log does not say which other attempts passed
		if alpha, err = s.Level(Attempts{Number: opened.Attempt}); err != nil {
			return forged("attempt %d: %v", opened.Attempt, err)
		}
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
	return nil
}

// concludeAgain is the verdict by the evidence of the log alone.
func concludeAgain(s *Setup, v *entry.Validation) (*entry.Validation, error) {
	plan := stats.Group{
		Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1], Seats: s.Ruleset.Seats,
		Alpha: v.Alpha, Beta: s.Validation.Beta, MaxBlocks: s.Validation.MaxBlocks,
		Once: s.Validation.Plan == PlanFixed,
	}
	test, err := plan.Prepare()
	if err != nil {
		return nil, err
	}
	if want := int64(s.Ruleset.Seats)*arena.Scale(s.Ruleset.Seats) + 1; int64(len(v.Evidence.Scores)) != want {
		return nil, fmt.Errorf("expected %d counts of scores, got %d", want, len(v.Evidence.Scores))
	}
	if v.Pairs != nil && s.Validation.Pairs != AllPairs {
		return nil, errors.New("all pairs of games are compared, which the study does not ask for")
	}
	blocks := blocksOf(s, v.Evidence)
	blocks.Placed = v.Pairs
	look, err := test.Judge(blocks)
	if err != nil {
		return nil, err
	}
	again := &entry.Validation{
		Trial: v.Trial, Attempt: v.Attempt, Alpha: v.Alpha, Evidence: v.Evidence, Verdict: "inconclusive", About: v.About,
		Played: v.Played, Pairs: v.Pairs, GameVariance: v.GameVariance,
	}
	return again, (&Study{Setup: s}).conclude(again, test, look, blocks)
}
