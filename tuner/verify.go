package tuner

import (
	"bytes"

	"fmt"

	"sakusen/tuner/entry"
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
