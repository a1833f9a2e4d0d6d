package tuner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sakusen/tuner/entry"
)

// DifferentError says that a block was played again and was another game.
type DifferentError struct{ entry.Different }

func (e *DifferentError) Error() string {
	return fmt.Sprintf("play is not the same twice: block %d of phase %s under seed %d, game %d of %s: the record has digest %s, played again it has %s (%d of %d blocks that were played again differ). A player that consults a clock, a counter that other games move, or the order of a map plays so, and a worker that lies records so (sakusen study drop); nothing can be decided by such games",
		e.Block, e.Phase, e.Seed, e.Rotation, strings.Join(e.Entrants, " against "), e.Recorded, e.Again, e.Differ, e.Replayed)
}

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
	if other, ok := errors.AsType[*DifferentError](err); ok {
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
	other := &DifferentError{}
	if err := json.Unmarshal(j.entries[j.next].Payload, &other.Different); err != nil {
		return fmt.Errorf("entry %d of the log (%s): %w: %w", j.next, entry.KindDifferent, err, ErrOtherCode)
	}
	return other
}
