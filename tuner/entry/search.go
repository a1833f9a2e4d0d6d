package entry

import (
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/stats"
)

// Ask is the payload of an ask entry: one transaction for a whole batch.
type Ask struct {
	// Drawn is the number of proposals drawn so far, with those of this batch:
	// more than there are trials where some came twice.
	Drawn  int     `json:"drawn"`
	Trials []Asked `json:"trials"`
}

// Asked is one trial of a batch.
type Asked struct {
	Number int `json:"number"` // from 0, over the whole study
	Draw   int `json:"draw"`   // which proposal it was
	// Params are the active tuned values. Proposed is the proposal for the whole space, if
	// it differs from them.
	Params   param.Values `json:"params"`
	Proposed param.Values `json:"proposed,omitempty"`
	// Again marks a parameter set that an earlier trial has: it adds no trial, but more
	// blocks to that one.
	Again bool `json:"again,omitempty"`
	// Attrs are what the proposer says of it: the role of an individual, its
	// generation, its parents.
	Attrs param.Values `json:"attrs,omitempty"`
}

// Rung is the payload of a rung entry: all of a trial's evidence so far, on
// blocks of phase tune.
type Rung struct {
	Trial    int        `json:"trial"`
	Rung     int        `json:"rung"`   // index of the rung, -1 for more blocks of a trial that was judged before
	Blocks   int64      `json:"blocks"` // in all, against each opponent
	Evidence []Evidence `json:"evidence"`

	Played *Played `json:"played,omitempty"` // the blocks that this entry adds
}

// Compare is the payload of a compare entry: how the trials that a rung left in
// the race differ from the incumbent on the blocks that all of them have met.
// Who is stopped follows from it.
type Compare struct {
	Incumbent int        `json:"incumbent"`
	Rung      int        `json:"rung"`
	Trials    []Compared `json:"trials"`
}

// Compared is one trial's differences from the incumbent, block by block.
type Compared struct {
	Trial int `json:"trial"`
	stats.Paired
}

// Incumbent is the payload of an incumbent entry: the best trial so far.
type Incumbent struct {
	Trial  int     `json:"trial"`
	Blocks int64   `json:"blocks"`
	Value  float64 `json:"value"` // in units of the objective
	Bound  float64 `json:"bound"` // lower confidence bound (upper where minimised)
}

// Duel is the payload of a duel entry: a pair of trials that met each other. Both
// are complete with it.
type Duel struct {
	Duel     int      `json:"duel"` // from 0, over the whole study
	A        int      `json:"a"`
	B        int      `json:"b"`
	From     int64    `json:"from"`     // its first block; no two duels share one
	Evidence Evidence `json:"evidence"` // from A's side

	Played *Played `json:"played,omitempty"`
}

// Pool is the payload of a pool entry: the evidence of all individuals of a
// generation that played itself. All are complete with it.
type Pool struct {
	Trials []Pooled `json:"trials"`

	Played *Played `json:"played,omitempty"` // the blocks of all rounds
}

// Pooled is the evidence of one individual.
type Pooled struct {
	Trial  int        `json:"trial"`
	Blocks int64      `json:"blocks"`
	Games  int64      `json:"games"`
	Scores [][2]int64 `json:"scores"` // [units of a block's score, blocks], ascending
	Digest uint64     `json:"digest,string"`
}

// NewPooled writes evidence down without its zeros.
func NewPooled(trial int, e *Evidence) Pooled {
	p := Pooled{Trial: trial, Blocks: e.Blocks, Games: e.Games, Digest: e.Digest, Scores: [][2]int64{}}
	for score, n := range e.Scores {
		if n > 0 {
			p.Scores = append(p.Scores, [2]int64{int64(score), n})
		}
	}
	return p
}

// Evidence reads what NewPooled writes, for a game of so many seats.
func (p *Pooled) Evidence(seats int) (Evidence, error) {
	e := Evidence{Blocks: p.Blocks, Games: p.Games, Digest: p.Digest}
	e.Scores = make([]int64, int64(seats)*arena.Scale(seats)+1)
	for _, x := range p.Scores {
		if x[0] < 0 || x[0] >= int64(len(e.Scores)) {
			return e, fmt.Errorf("the log scores %d in a block of trial %d", x[0], p.Trial)
		}
		e.Scores[x[0]] = x[1]
	}
	return e, nil
}

// Tell is the payload of a tell entry: a trial's estimate and state.
type Tell struct {
	Trial    int        `json:"trial"`
	State    TrialState `json:"state"`            // complete or pruned; in the record a trial without a value is fail
	Reason   string     `json:"reason,omitempty"` // why it was stopped, for people
	Value    *float64   `json:"value"`            // in units of the objective, null where undefined
	Error    *float64   `json:"error"`            // standard error
	Feasible bool       `json:"feasible"`
	// Goals are the values of several objectives, in their order.
	Goals []*float64 `json:"goals,omitempty"`

	End End `json:"end,omitempty"`
}

// GoalNote returns the key of the note of a trial that holds its value of one of several
// objectives, by the objective's name.
func GoalNote(name string) string { return "objective " + name }

// End is how a trial ended.
type End uint8

// The ends of a trial. The log has their names.
const (
	Playing   End = iota // it has not ended
	Whole                // passed every rung
	Halved               // not among the better share of its batch
	Behind               // behind the incumbent on shared blocks
	Beyond               // outside a limit
	Valueless            // ended without a value
)

var ends = [...]string{"playing", "whole", "halved", "behind", "beyond", "valueless"}

// String returns the end's name.
func (e End) String() string {
	if int(e) < len(ends) {
		return ends[e]
	}
	return fmt.Sprintf("end %d", uint8(e))
}

// MarshalText writes the end's name.
func (e End) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (e *End) UnmarshalText(text []byte) error {
	for i, name := range ends {
		if name == string(text) {
			*e = End(i)
			return nil
		}
	}
	return fmt.Errorf("end of a trial: expected one of %s, got %q", strings.Join(ends[:], ", "), text)
}

// Reason returns why a trial was stopped, as the entry that closed it says; empty of
// other entries.
func Reason(e Entry) string {
	if e.Kind != KindTell {
		return ""
	}
	t, err := decode[Tell](e)
	if err != nil {
		return ""
	}
	return t.Reason
}

// TrialState is the state of a trial.
type TrialState string

// The states of a trial, with the names that the log and the API use.
const (
	TrialRunning  TrialState = "running"
	TrialComplete TrialState = "complete" // it met every block that it was to meet
	TrialPruned   TrialState = "pruned"   // it was stopped before
	TrialFailed   TrialState = "fail"     // it ended without a value
)

// Finished reports whether nothing about the trial may change any more.
func (s TrialState) Finished() bool { return s != TrialRunning }

// Answer is the payload of an answer entry: the parameter set that the sampler's model
// estimates to be the best.
type Answer struct {
	Trial    int          `json:"trial"`
	Again    bool         `json:"again,omitempty"` // an earlier trial has these values
	Params   param.Values `json:"params"`
	Proposed param.Values `json:"proposed,omitempty"`
	// Value and Error are the claim, in units of the objective: the model's or, if it has
	// none or the objective has limits, measured.
	Value *float64 `json:"value"`
	Error *float64 `json:"error"`
	// Evidence is the measurement: a rung's blocks on the final's seeds.
	Evidence []Evidence `json:"evidence,omitempty"`

	Played *Played `json:"played,omitempty"`
}

// Final is the payload of a final entry: a finalist's evidence on new seeds.
type Final struct {
	Trial    int        `json:"trial"`
	Evidence []Evidence `json:"evidence"`

	Played *Played `json:"played,omitempty"`
}

// Defaults is the payload of a defaults entry: the last of the final is between the search's answer and
// the defaults of an external program, which take its place if they win. The measurement is
// the answer's.
type Defaults struct {
	Trial    int          `json:"trial"`   // of the search's answer
	Params   param.Values `json:"params"`  // its values
	Variant  param.Values `json:"variant"` // the defaults, as a trial's values
	Winner   int          `json:"winner"`  // the trial that is to be proved; of the defaults, if they won
	Won      bool         `json:"won"`     // the defaults did
	Evidence Evidence     `json:"evidence"`
	Measured
	Played *Played `json:"played,omitempty"`
}

// Played is the blocks From..To (To exclusive) of a phase under a seed, which an
// entry adds to what is known. It is nil where nothing was played.
type Played struct {
	Phase string `json:"phase"` // see arena.Phase
	Seed  uint64 `json:"seed,string"`
	From  int64  `json:"from"`
	To    int64  `json:"to"`
}

// NewPlayed returns the blocks from..to of a phase under a seed.
func NewPlayed(phase arena.Phase, seed uint64, from, to int64) *Played {
	return &Played{phase.String(), seed, from, to}
}

// Begun is the payload of a begun entry, the first of a log: what a study takes over
// of the search of an earlier one. It holds all that its sampler is told, so that the
// study does not depend on the earlier one being kept.
type Begun struct {
	Study  string `json:"study"`
	Digest string `json:"digest"` // of the earlier log as it was then
	// Points are the parameter sets that are taken over, Dropped those that this study
	// could not play: they lie outside its ranges, or it fixes another value.
	Points  int   `json:"points"`
	Dropped int   `json:"dropped"`
	Games   int64 `json:"games"`   // of the points that are taken over
	Blocks  int64 `json:"blocks"`  // that the earlier search has met
	Batches int   `json:"batches"` // of the earlier search

	Trials   []BegunTrial `json:"trials"`
	Observed []BegunRow   `json:"observed,omitempty"`
	Duels    []BegunDuel  `json:"duels,omitempty"`
}

// BegunTrial is a parameter set of an earlier study with what its search saw of it.
type BegunTrial struct {
	Params     param.Values `json:"params"`
	Proposed   param.Values `json:"proposed,omitempty"`
	Value      *float64     `json:"value"` // not shrunken; null where it met others in duels
	Error      *float64     `json:"error"`
	Infeasible bool         `json:"infeasible,omitempty"`
	Blocks     int64        `json:"blocks"`
	Games      int64        `json:"games"`
}

// BegunRow is what one batch of the earlier study says of one of its parameter sets.
type BegunRow struct {
	Trial  int      `json:"trial"` // index of Trials
	Batch  int      `json:"batch"`
	Value  *float64 `json:"value"`
	Error  *float64 `json:"error"`
	Blocks int64    `json:"blocks"`
}

// BegunDuel is a pair of parameter sets that met each other in the earlier study.
type BegunDuel struct {
	A      int      `json:"a"` // index of Trials
	B      int      `json:"b"`
	Batch  int      `json:"batch"`
	Score  *float64 `json:"score"` // of A, in [0, 1]
	Error  *float64 `json:"error"`
	Blocks int64    `json:"blocks"`
}

// Grow says that a finished study goes on: its search with a larger budget, then
// another answer and another attempt at a proof.
type Grow struct {
	From Spent `json:"from"` // the budget with which it ended
	To   Spent `json:"to"`
}

// Spent is a budget.
type Spent struct {
	Trials int   `json:"trials"`
	Games  int64 `json:"games"`
}
