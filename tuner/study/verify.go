package study

import (
	"bytes"
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// Verify is [Result.Agrees], and works the verdict out again: the attempt's share
// of alpha and its seed from its number, and the verdict with its estimates from
// the games that the log holds. Verdicts of metrics and of pools need games that the log
// has no sums of, and are compared alone.
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
	alpha := opened.Alpha
	if s.Validation.Attempts != tuner.AttemptsFDR { // this log does not say which other attempts passed
		if alpha, err = s.Level(tuner.Attempts{Number: opened.Attempt}); err != nil {
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
func concludeAgain(s *tuner.Setup, v *entry.Validation) (*entry.Validation, error) {
	plan := stats.Group{
		Elo0: s.Validation.Elo[0], Elo1: s.Validation.Elo[1], Seats: s.Ruleset.Seats,
		Alpha: v.Alpha, Beta: s.Validation.Beta, MaxBlocks: s.Validation.MaxBlocks,
		Once: s.Validation.Plan == tuner.PlanFixed,
	}
	test, err := plan.Prepare()
	if err != nil {
		return nil, err
	}
	if want := int64(s.Ruleset.Seats)*arena.Scale(s.Ruleset.Seats) + 1; int64(len(v.Evidence.Scores)) != want {
		return nil, fmt.Errorf("expected %d counts of scores, got %d", want, len(v.Evidence.Scores))
	}
	if v.Pairs != nil && s.Validation.Pairs != tuner.AllPairs {
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
