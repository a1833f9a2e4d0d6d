// Package entry is the log of a study as a format: the kinds of its entries and the
// payload of each. The log is all that is known of a study, and is read with this package:
// by the loop in tuner/study, which writes and replays it, by tuner/insight, which reads it
// for people, and by other programs, over the API.
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
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"slices"

	"sakusen/engines/arena"
)

// Kind is the kind of a log entry.
type Kind string

// The kinds of log entries. The first is begun, where a study takes over games, or ask.
const (
	KindAsk        Kind = "ask"        // a batch of trials
	KindRung       Kind = "rung"       // a trial's evidence at a number of blocks
	KindCompare    Kind = "compare"    // a rung's trials against the incumbent on shared blocks
	KindTell       Kind = "tell"       // a trial's estimate and state
	KindPool       Kind = "pool"       // a batch that played itself, judged and told
	KindDuel       Kind = "duel"       // a pair that met each other, judged and told
	KindIncumbent  Kind = "incumbent"  // the best trial so far
	KindAnswer     Kind = "answer"     // the parameter set that the sampler's model estimates to be the best
	KindFinal      Kind = "final"      // a finalist's evidence on new seeds
	KindDefaults   Kind = "defaults"   // the search's answer against the defaults of a program from elsewhere
	KindAttempt    Kind = "attempt"    // a validation begins
	KindReplayed   Kind = "replayed"   // how many blocks were played again, all with the recorded games
	KindDifferent  Kind = "different"  // a block that was played again differed from its record: the study ends
	KindValidation Kind = "validation" // its verdict
	KindEstimate   Kind = "estimate"   // after a pass: the gain by games that had no part in the verdict
	KindSetBack    Kind = "set_back"   // after a pass: the winner against itself with parameters set back
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

// ReadMode says how much of an evidence is read.
type ReadMode uint8

// The modes.
const (
	AllEvidence ReadMode = iota // with the sums of metrics
	ScoresOnly                  // without the sums of metrics
)

// Read returns the payload of an entry: a pointer to the type that this package has for the
// kind; nil for kind different, which [Last] reads, and for an unknown kind. rungs says how
// much of the evidence of rung entries is read, which is most of the text of a long log.
func Read(e Entry, rungs ReadMode) (payload any, err error) {
	if e.Kind == KindRung && rungs == ScoresOnly {
		return readScores(e)
	}
	if read := readers[e.Kind]; read != nil {
		return read(e)
	}
	return nil, nil
}

// readers read the payloads of the kinds that [Read] knows.
var readers = map[Kind]func(Entry) (any, error){
	KindAsk: as[Ask], KindRung: as[Rung], KindCompare: as[Compare], KindTell: as[Tell], KindPool: as[Pool], KindDuel: as[Duel],
	KindIncumbent: as[Incumbent], KindAnswer: as[Answer], KindFinal: as[Final], KindDefaults: as[Defaults],
	KindAttempt: as[Attempt], KindReplayed: as[Replayed], KindValidation: as[Validation], KindEstimate: as[Estimate],
	KindSetBack: as[SetBack], KindGrow: as[Grow], KindBegun: as[Begun],
}

// as does what decode does, without the type of the payload.
func as[T any](e Entry) (any, error) { return decode[T](e) }

// readScores returns the payload of a rung entry without the sums of metrics.
func readScores(e Entry) (*Rung, error) {
	var light struct {
		Rung
		Evidence []struct {
			Blocks int64   `json:"blocks"`
			Games  int64   `json:"games"`
			Scores []int64 `json:"scores"`
		} `json:"evidence"`
	}
	if err := json.Unmarshal(e.Payload, &light); err != nil {
		return nil, err
	}
	v := light.Rung
	for _, x := range light.Evidence {
		v.Evidence = append(v.Evidence, Evidence{Blocks: x.Blocks, Games: x.Games, Scores: x.Scores})
	}
	return &v, nil
}

// ParsePhase returns the phase of the blocks.
func (p *Played) ParsePhase() (arena.Phase, error) {
	phase, err := arena.ParsePhase(p.Phase)
	if err != nil {
		return 0, fmt.Errorf("the log: %w", err)
	}
	return phase, nil
}

// Digest returns the lower-case hexadecimal sha256 of a log, one line "kind payload" an
// entry: the same for two runs of the same study, however often either was killed and
// resumed. Entries of kind [KindReplayed] are left out: how many blocks were played again
// depends on what the cache of blocks held, and not on the study. So are those of what is
// played after the verdict, [KindEstimate] and [KindSetBack]: a digest is of a search and its
// verdict, which are the same whether anything is played after them.
func Digest(log []Entry) string {
	var d Digester
	for _, e := range log {
		d.Add(e)
	}
	return d.Sum()
}

// Digester works out the digest of a log that is read entry by entry. The zero value has
// read none.
type Digester struct{ hash hash.Hash }

// Add adds the next entry.
func (d *Digester) Add(e Entry) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	switch e.Kind {
	case KindReplayed, KindEstimate, KindSetBack:
	default:
		d.hash.Write(slices.Concat([]byte(e.Kind+" "), e.Payload, []byte("\n")))
	}
}

// Sum returns the digest of the entries so far.
func (d *Digester) Sum() string {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	return hex.EncodeToString(d.hash.Sum(nil))
}
