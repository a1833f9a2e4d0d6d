package study

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// journal is a study's log being replayed and then continued.
type journal struct {
	record  tuner.Record
	entries []entry.Entry  // to replay
	next    int            // the first of them that is not replayed yet
	digest  entry.Digester // of all entries so far
	hook    func(point string)
	caught  func() // called when the last entry has been replayed
}

// replaying reports whether entries are left to replay.
func (j *journal) replaying() bool { return j.next < len(j.entries) }

// peek returns the kind of the next entry, empty at the end of the log.
func (j *journal) peek() entry.Kind {
	if j.replaying() {
		return j.entries[j.next].Kind
	}
	return ""
}

// step returns the payload of the next entry if the log has one; otherwise it computes the
// payload and appends it. change belongs to the entry; see Record.Append.
func step[T any](ctx context.Context, j *journal, kind entry.Kind, compute func() (T, error),
	change func(v T, trials tuner.Trials) error) (T, error) {
	var v T
	if j.replaying() {
		e := j.entries[j.next]
		if e.Kind != kind {
			return v, fmt.Errorf("entry %d of the log: expected %s, found %s: %w", j.next, kind, e.Kind, tuner.ErrOtherCode)
		}
		d := json.NewDecoder(bytes.NewReader(e.Payload))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil {
			return v, fmt.Errorf("entry %d of the log (%s): %w: %w", j.next, kind, err, tuner.ErrOtherCode)
		}
		j.digest.Add(e)
		j.entries[j.next] = entry.Entry{} // it is in the record
		if j.next++; !j.replaying() && j.caught != nil {
			j.caught()
		}
		return v, nil
	}
	v, err := compute()
	if err != nil {
		return v, err
	}
	if err := ctx.Err(); err != nil {
		return v, err // nothing is written after an interruption
	}
	e := entry.New(kind, v)
	j.hook("before " + string(kind))
	var apply func(tuner.Trials) error
	if change != nil {
		apply = func(trials tuner.Trials) error { return change(v, trials) }
	}
	if err := j.record.Append(ctx, e, apply); err != nil {
		return v, fmt.Errorf("study log: %s: %w", kind, err)
	}
	j.digest.Add(e)
	j.hook("after " + string(kind))
	return v, nil
}

// next returns the payload of the next entry without replaying it; nil where it is of another
// kind or the log has ended.
func next[T any](j *journal, kind entry.Kind) (*T, error) {
	if j.peek() != kind {
		return nil, nil
	}
	v := new(T)
	if err := json.Unmarshal(j.entries[j.next].Payload, v); err != nil {
		return nil, fmt.Errorf("entry %d of the log (%s): %w: %w", j.next, kind, err, tuner.ErrOtherCode)
	}
	return v, nil
}

// plays reports whether games of a batch are left to replay, or of one behind it. known is
// the number of trials before the batch, and duels of duels.
func (j *journal) plays(known, duels int) bool {
	return slices.ContainsFunc(j.entries[j.next:], func(e entry.Entry) bool {
		var v struct{ Trial, Duel int }
		switch e.Kind {
		case entry.KindAsk:
			return true // its turn comes before that
		case entry.KindRung:
			return json.Unmarshal(e.Payload, &v) == nil && v.Trial >= known
		case entry.KindDuel:
			return json.Unmarshal(e.Payload, &v) == nil && v.Duel >= duels
		}
		return false
	})
}

// ahead reports whether an entry of a kind is left to replay.
func (j *journal) ahead(kind entry.Kind) bool {
	return slices.ContainsFunc(j.entries[j.next:], func(e entry.Entry) bool { return e.Kind == kind })
}

// logged returns the number of entries of a kind that follow immediately.
func (j *journal) logged(kind entry.Kind) int {
	n := 0
	for i := j.next; i < len(j.entries) && j.entries[i].Kind == kind; i++ {
		n++
	}
	return n
}

// stopped returns the error of a study that was stopped because a block was another game
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
