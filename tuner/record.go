package tuner

import (
	"context"
	"encoding/json"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Kind is the kind of a log entry.
type Kind string

// The kinds of log entries, in the order in which a study first writes them.
const (
	KindAsk        Kind = "ask"        // a batch of trials
	KindRung       Kind = "rung"       // a trial's evidence at a number of blocks
	KindTell       Kind = "tell"       // a trial's estimate and state
	KindPool       Kind = "pool"       // a batch that played itself, judged and told
	KindIncumbent  Kind = "incumbent"  // the best trial so far
	KindFinal      Kind = "final"      // a finalist's evidence on new seeds
	KindAttempt    Kind = "attempt"    // a validation begins
	KindValidation Kind = "validation" // its verdict
)

// Entry is one entry of a study's log. The payload is JSON without ids, times,
// hosts or numbers of workers: two runs of the same study write the same log.
type Entry struct {
	Kind    Kind
	Payload json.RawMessage
}

// Record is one study's place in a database: Goptuna's trials and the log.
type Record interface {
	// Entries is the log from the beginning.
	Entries(ctx context.Context) ([]Entry, error)
	// Append adds an entry. change, unless nil, is applied to Goptuna's storage
	// in the same transaction: both are kept, or neither.
	Append(ctx context.Context, e Entry, change func(s goptuna.Storage, study int) error) error
	// Attempt is the number, from 1, of a validation that begins now, among all
	// that the database holds for the same game, strategy and baseline.
	Attempt(ctx context.Context, game, strategy, baseline string) (int, error)
}

// BlockKey identifies a series whatever its length: two series with the same
// key play the same blocks.
type BlockKey struct {
	Game       string
	Rules      string // Ruleset.Hash
	Signatures string // of the game and of the entrants' strategies
	Entrants   []string
	Seed       uint64
	Phase      arena.Phase
}

// Blocks is a cache of pure results: an old one and an empty one lead to the
// same study.
type Blocks interface {
	// Load is the stored runs inside from..to, in order and without overlap.
	Load(ctx context.Context, key BlockKey, from, to int64) ([]*arena.Run, error)
	// Save stores a run; blocks already there stay as they are.
	Save(ctx context.Context, key BlockKey, run *arena.Run) error
}

// Told is a trial as proposers see it: complete, whatever the race did with
// it, with its shrunken mean and the noise of that mean.
type Told struct {
	Number   int
	Draw     int          // which proposal it was, counting repeats
	Params   param.Values // active
	Proposed param.Values // the whole space, as proposed
	Value    float64
	Noise    float64 // standard error
	Blocks   int64
}

// View is all that a proposer may know: a function of the study's log.
type View struct {
	Space    Space
	Fixed    param.Values
	Maximize bool
	Told     []Told
}

// Proposer proposes parameter sets. What it proposes is a function of its seed,
// the view and the number of the draw alone.
type Proposer interface {
	// Propose returns a value for every dimension of the space, or false where
	// the proposer has nothing further to propose. Draws are numbered from 0.
	Propose(v *View, draw int) (param.Values, bool, error)
}

// AttrDelegate is the attribute by which an Annotator marks the individual of a
// pool that stands for its generation in the final, in place of the best.
const AttrDelegate = "delegate"

// Annotator is a Proposer that says more of its proposals than their values:
// the role of an individual, its generation, its parents. What it says is kept
// as the trial's system attributes.
type Annotator interface {
	// Attributes are those of a proposal that was made.
	Attributes(draw int) param.Values
}
