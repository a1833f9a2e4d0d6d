// Package entry is the log of a study as a format: the kinds of its entries, the
// payload of each, and what the payloads of older versions left out. The log is
// all that is known of a study; whoever reads one reads it with this package: the
// loop in tuner, which writes and replays it, tuner/chronicle, which people look
// at, and other programs, over the API.
//
//	r := entry.NewReader(schedule)
//	for _, e := range log {
//		payload, err := r.Read(e) // *entry.Ask, *entry.Rung, ...
//	}
//
// A log is append-only, and two runs of the same study write the same one.
// Payloads are JSON. Version 1 has no field "version"; version 2 adds, at the
// end of some payloads, which blocks were played (Played) and how a trial ended
// (End), so that nobody has to know the schedule of a race to read its log. The
// digest of a log is over version 1 of its payloads, so that it is the same for
// logs of both; see Digest.
package entry

import "encoding/json"

// Version is the version of the payloads that this program writes.
const Version = 2

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
	KindDifferent  Kind = "different"  // a block played again was another game: the study ends
	KindValidation Kind = "validation" // its verdict
	KindGrow       Kind = "grow"       // the finished study goes on with a larger budget
	KindBegun      Kind = "begun"      // games of an earlier study that the search begins with
)

// Entry is one entry of a study's log. The payload is JSON without ids, times,
// hosts or numbers of workers: two runs of the same study write the same log.
type Entry struct {
	Kind    Kind
	Payload json.RawMessage
}

// decode reads a payload.
func decode[T any](e Entry) (*T, error) {
	var v T
	if err := json.Unmarshal(e.Payload, &v); err != nil {
		return nil, err
	}
	return &v, nil
}
