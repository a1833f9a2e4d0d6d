package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// witnessed has blocks played again before the verdict v is written, which is an entry of
// its own. A block that is another game then is the study's last entry: running it again
// does not help.
func witnessed(ctx context.Context, st *Study, v *entry.Validation) error {
	if st.witness == nil || st.recorded != "" { // of which no two games are alike
		return nil
	}
	st.meter.phase("replay")
	log := append(st.journal.entries[:len(st.journal.entries):len(st.journal.entries)], entry.New(entry.KindValidation, v))
	err := replay(ctx, st, func() (entry.Replayed, error) {
		told, err := st.witness.Again(ctx, log)
		if err != nil {
			return entry.Replayed{}, err
		}
		return *told, nil
	})
	if other, ok := errors.AsType[*tuner.DifferentError](err); ok {
		e := entry.New(entry.KindDifferent, other.Different)
		if bad := st.journal.record.Append(ctx, e, nil); bad != nil {
			return errors.Join(err, fmt.Errorf("study log: %s: %w", e.Kind, bad))
		}
	}
	return err
}

// replay notes what was played again, which the log has or compute finds out.
func replay(ctx context.Context, st *Study, compute func() (entry.Replayed, error)) error {
	told, err := step(ctx, st.journal, entry.KindReplayed, compute, nil)
	if err == nil {
		st.replayed = &told
	}
	return err
}

// stopped is the error of a study that was stopped because a block was another game
// when it was played again; nil where it was not.
func (j *journal) stopped() error {
	if j.peek() != entry.KindDifferent {
		return nil
	}
	other := &tuner.DifferentError{}
	if err := json.Unmarshal(j.entries[j.next].Payload, &other.Different); err != nil {
		return fmt.Errorf("entry %d of the log (%s): %w: %w", j.next, entry.KindDifferent, err, tuner.ErrOtherCode)
	}
	return other
}
