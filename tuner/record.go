package tuner

import (
	"context"
	"iter"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
)

// Trial is one parameter set under judgement.
type Trial struct {
	Number   int
	Draw     int              // which of the sampler's proposals it was
	Batch    int              // the ask batch that it came with
	Params   param.Packed     // tuned and active, canonical
	Proposed param.Packed     // the whole space; empty where that is all active
	Evidence []entry.Evidence // by opponent, on blocks of phase tune; none of a duel
	Estimate Estimate
	State    entry.TrialState
	Reason   string    // why it was stopped, for people
	End      entry.End // how it was stopped
	Rung     int       // rungs passed

	Delegate bool // stands for its pool in the final
}

// Entrant returns what the trial plays, of a trial that could be played.
func (t *Trial) Entrant(s *Setup) arena.Entrant {
	e, _ := s.Candidate(t.Number, t.Params.Values())
	return e
}

// Whole returns the values of the whole space.
func (t *Trial) Whole() param.Values {
	if whole := t.Proposed.Values(); whole != nil {
		return whole
	}
	return t.Params.Values()
}

// Blocks returns the number of blocks played against each opponent.
func (t *Trial) Blocks() int64 {
	if len(t.Evidence) == 0 {
		return 0
	}
	return t.Evidence[0].Blocks
}

// Games returns the number of games played so far.
func (t *Trial) Games() int64 {
	n := int64(0)
	for _, e := range t.Evidence {
		n += e.Games
	}
	return n
}

// Estimates returns the estimates of trials, in their order.
func Estimates(trials []*Trial) []*Estimate {
	out := make([]*Estimate, len(trials))
	for i, t := range trials {
		out[i] = &t.Estimate
	}
	return out
}

// Record is one study's place in a database: its log and its trials.
type Record interface {
	// Entries is the log from the beginning.
	Entries(ctx context.Context) ([]entry.Entry, error)
	// Append adds an entry. change, unless nil, writes what the entry says about
	// trials in the same transaction: both are kept, or neither.
	Append(ctx context.Context, e entry.Entry, change func(Trials) error) error
	// Attempt returns the number, from 1, of a validation that begins now, among all that
	// the database has seen of the same question, and which of those passed. An attempt is
	// about one winner: another winner of the same study is another attempt.
	Attempt(ctx context.Context, q Question) (int, error)
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
	// Posted marks blocks that a client says it has played. They are kept apart: this
	// program's own results never use them.
	Posted bool
}

// Blocks is a cache of pure results: an old one and an empty one lead to the
// same study.
type Blocks interface {
	// Load yields the stored runs inside from..to, in order and without overlap. Each is
	// read when it is asked for, so that no more than one need be in memory. An error is
	// the last that it yields.
	Load(ctx context.Context, key BlockKey, from, to int64) iter.Seq2[*arena.Run, error]
	// Save stores a run; blocks already there stay as they are.
	Save(ctx context.Context, key BlockKey, run *arena.Run) error
}

// Told is a trial as proposers see it: complete, whatever the race did with
// it, with its shrunken mean and the noise of that mean. Trials that met each
// other in duels have no value of their own: it is NaN, and View.Duels has what
// is known.
type Told struct {
	Number   int
	Draw     int          // which proposal it was, counting repeats; -1 if no sampler proposed it
	Batch    int          // the ask batch that it came with, from 0
	Params   param.Values // active
	Proposed param.Values // the whole space, as proposed
	Value    float64
	Noise    float64 // standard error
	Blocks   int64
}

// Replayer checks that recorded games can be reproduced.
type Replayer interface {
	// Again plays a sample of the blocks of a log again and returns how many. If one
	// differs from its record, the error is a [DifferentError].
	Again(ctx context.Context, log iter.Seq[entry.Entry]) (*entry.Replayed, error)
}

// View is all that a proposer may know: a function of the study's log.
type View struct {
	Space    Space
	Fixed    param.Values
	Maximize bool
	Told     []Told
	// Trial returns one of Told by its place, where the proposer is [ByRow] and Told is nil.
	Trial func(at int) Told

	// Seats is the number of seats of a score objective, whose values lie in [0,1]
	// and are 1/Seats among equals; 0 where the objective is a metric.
	Seats int
	// Baseline is the baseline's value of every dimension. It is nil unless the baseline is
	// the tuned strategy with the same fixed values and lies inside the space.
	Baseline param.Values
	// Begun is how many of Told, the first, are of an earlier study whose games the search
	// begins with. Their Draw is -1, and the numbers of its batches are below 0.
	Begun int
	// Pinned says that the value of Baseline is known without a game, 1/Seats, because the
	// baseline is the candidates' only opponent.
	Pinned bool
	// Observed holds observations of trials, in order: one row for every time that a trial
	// was proposed.
	Observed []Observation
	// Duels are the pairs that met each other, in order.
	Duels []Duel
	Plan  Plan
	// Left is closed when the study no longer waits for the answer: it was interrupted,
	// or the sampler has taken too long. A later answer is not used.
	Left <-chan struct{}
}

// At returns a told trial by its place.
func (v *View) At(at int) Told {
	if v.Trial != nil {
		return v.Trial(at)
	}
	return v.Told[at]
}

// Observation is what one batch's blocks say of one trial, not shrunken.
type Observation struct {
	Trial  int
	Batch  int // the ask batch whose blocks these are, from 0
	Value  float64
	Noise  float64 // standard error, NaN below two blocks
	Blocks int64
}

// Plan is the budget of the search, as far as it is known: schedules are functions of it.
// Only Games and Trials may grow while a study lives.
type Plan struct {
	Games      int64 // of the search in all, without final, answer and validation
	Played     int64 // games so far
	Trials     int   // at most
	BlockGames int64 // games of one block of a candidate, or of a pair in a duel
	Blocks     int64 // of a trial, or of a duel, at full length
	Batch      int   // trials asked at once
	Duels      bool  // proposals 2i and 2i+1 of a batch meet each other
}

// Proposer proposes parameter sets. Its proposals are a function of its seed, the view and
// the number of the draw alone.
type Proposer interface {
	// Propose returns a value for every dimension of the space, canonical and in its
	// range, without which the study fails, or false where the proposer has nothing
	// further to propose. Draws are numbered from 0.
	Propose(v *View, draw int) (param.Values, bool, error)
}

// Stateful is a Proposer that may keep a state which no single view gives back:
// it depends on the views at which earlier proposals were made. A resumed study
// asks it again for what the log holds, and compares.
type Stateful interface {
	// Stateful tells whether the proposer keeps a state.
	Stateful() bool
}

// ByRow is a Proposer that learns from View.Observed and View.Duels, and asks for the points of
// told trials one by one ([View.At]), which have no values there. A view costs it what is new, so
// that a long study costs no more for each trial than a short one.
type ByRow interface {
	// ByRow tells whether the proposer does.
	ByRow() bool
}

// Answerer is a Proposer whose answer is not the best of its trials but the
// maximum of a model, or the mean of a distribution. A study asks for it when the
// search has ended; it becomes a trial of its own (attribute role=answer), or is
// the existing trial with the same values, and goes straight to validation.
type Answerer interface {
	// Answer returns the answer, or false if there is none; the final then finds the best
	// trial.
	Answer(v *View) (a Answer, ok bool, err error)
}

// Answer is what a proposer's model takes for the best.
type Answer struct {
	Values param.Values // one for every dimension of the space
	// Belief is the model's estimate of the answer. If it is nil, the answer is measured on
	// a rung's blocks, on the final's seeds.
	Belief *Belief
}

// Belief is an estimate of a model, in units of the objective.
type Belief struct{ Mean, StandardError float64 }

// AttrDelegate is the attribute by which an Annotator marks the individual of a
// pool that stands for its generation in the final, in place of the best.
const AttrDelegate = "delegate"

// Annotator is a Proposer that says more of its proposals than their values:
// the role of an individual, its generation, its parents. Its attributes are kept as the
// trial's system attributes.
type Annotator interface {
	// Attributes are the notes that belong to a proposal.
	Attributes(draw int) param.Values
}

// Duel is a pair of trials that met each other.
type Duel struct {
	A, B   int     // trial numbers
	Batch  int     // the ask batch, from 0
	Draw   int     // which proposal A was, counting repeats; B was the next. -1 if no sampler proposed it
	Score  float64 // A's mean score in [0,1]; B's is the rest
	Noise  float64 // standard error, NaN below two blocks
	Blocks int64
}

// Explainer is a Proposer whose model says what the search has learnt of each
// parameter.
type Explainer interface {
	// Explain returns what is known of every tuned parameter, the others standing at
	// the given values; nil where nothing is known.
	Explain(v *View, at param.Values) []Known
}

// Trials is what a study writes about its trials beside its log, so that they
// can be listed, and read by other programs. The loop never decides by what
// stands there. Trials go by their numbers, which count from 0 in the order in
// which they were asked; values are in units of the objective and finite.
// A trial that is finished refuses every change.
type Trials interface {
	// Create adds a running trial, whose number must be the next one.
	Create(number int) error
	// SetParam gives a parameter its value, by its canonical text.
	SetParam(number int, d *Dimension, text string) error
	// SetAttr sets an attribute which the sampler or the loop gave.
	SetAttr(number int, key, text string) error
	// SetNote sets an attribute for people to read, such as the standard error.
	SetNote(number int, key, text string) error
	// Report sets the value at a number of blocks, which has none yet.
	Report(number int, blocks int64, value float64) error
	// SetValue sets the value at the end.
	SetValue(number int, value float64) error
	// SetState moves the trial to a state; all but running finish it.
	SetState(number int, state entry.TrialState) error
	// State is the state that the trial is in.
	State(number int) (entry.TrialState, error)
}

// SearchSize is what a sampler's defaults may depend on.
type SearchSize struct {
	Games      int64 // of the whole study
	BlockGames int64 // of one block of a candidate, or of a pair in a duel
	Duels      bool
}

// Traits are what a study file's reader must know of a sampler. Defaults of zero
// are the general ones.
type Traits struct {
	Answers bool    // the answer is a model's or a mean: no final, and no end of a finite space
	Duels   bool    // it learns from duels
	State   bool    // it proposes from the values of all it proposed before (Stateful)
	Batch   int     // default of sampler.batch, trials
	Race    *Race   // default of race
	Begins  bool    // it lets others name points that are tried
	Learns  bool    // it learns from games that others asked for
	Proving float64 // default share of the games that is kept for validation
}
