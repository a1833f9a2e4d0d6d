// Package entry is the log of a study as a format: the kinds of its entries and the
// payload of each. The log is all that is known of a study, and is read with this package:
// by the loop in tuner, which writes and replays it, by tuner/insight/chronicle, which people look
// at, and by other programs, over the API.
//
//	for _, e := range log {
//		payload, err := entry.Read(e, entry.AllEvidence) // *entry.Ask, *entry.Rung, ...
//	}
//
// A log is append-only, and two runs of the same study write the same one, but for entries
// of kind replayed. Payloads are JSON; those that tell of games say which blocks were
// played (Played). The digest of a log is over its payloads as they are; see Digest.
package entry

import (
	"encoding/json"
	"slices"
)

// Kind is the kind of a log entry.
type Kind string

// The kinds of log entries, in the order in which a study first writes them.
const (
	KindAsk        Kind = "ask"        // a batch of trials
	KindRung       Kind = "rung"       // a trial's evidence at a number of blocks
	KindCompare    Kind = "compare"    // a rung's trials against the incumbent on shared blocks
	KindTell       Kind = "tell"       // a trial's estimate and state
	KindPool       Kind = "pool"       // a batch that played itself, judged and told
	KindDuel       Kind = "duel"       // a pair that met each other, judged and told
	KindIncumbent  Kind = "incumbent"  // the best trial so far
	KindAnswer     Kind = "answer"     // what the sampler's model takes for the best
	KindFinal      Kind = "final"      // a finalist's evidence on new seeds
	KindAttempt    Kind = "attempt"    // a validation begins
	KindReplayed   Kind = "replayed"   // how many blocks were played again, and were the same games
	KindDifferent  Kind = "different"  // a block played again was another game: the study ends
	KindValidation Kind = "validation" // its verdict
	KindGrow       Kind = "grow"       // the finished study goes on with a larger budget
	KindBegun      Kind = "begun"      // games of an earlier study that the search begins with
)

// Entry is one entry of a study's log. The payload is JSON without ids, times,
// hosts or numbers of workers.
type Entry struct {
	Kind    Kind
	Payload json.RawMessage
}

// New returns an entry with the payload v, which is plain data.
func New(kind Kind, v any) Entry { return Entry{kind, Text(v)} }

// Text returns plain data as it stands in a log.
func Text(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic("entry: payloads are plain data: " + err.Error())
	}
	return text
}

// Last returns the payload of the last entry of a kind, nil where there is none.
func Last[T any](log []Entry, kind Kind) (*T, error) {
	for _, e := range slices.Backward(log) {
		if e.Kind == kind {
			return decode[T](e)
		}
	}
	return nil, nil
}

// decode reads a payload.
func decode[T any](e Entry) (*T, error) {
	var v T
	if err := json.Unmarshal(e.Payload, &v); err != nil {
		return nil, err
	}
	return &v, nil
}
