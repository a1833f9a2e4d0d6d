package tuner

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/entry"
)

// AllPairs is the way to judge the proof of a race whose players play alone: every game of
// the one is compared with every game of the other. The other way, as the games were
// played, has the empty name.
const AllPairs = "all"

// The plans of a validation of a score.
const (
	// PlanGroup looks a few times and stops as soon as the verdict is clear.
	PlanGroup = "group"
	// PlanFixed plays all blocks and decides by their interval.
	PlanFixed = "fixed"
)

// NoneWorse is the pool's part in a verdict where a pass also says that the winner
// is worse than no member of the pool.
const NoneWorse = "none_worse"

// Differs returns in which respect another study asks otherwise, so that its games say
// nothing about this one's candidates; empty if it does not.
func (s *Spec) Differs(o *Spec) string {
	for _, c := range []struct {
		what        string
		here, there any
	}{
		{"game", s.Game, o.Game}, {"rules", s.Rules, o.Rules}, {"tune.strategy", s.Tune.Strategy, o.Tune.Strategy},
		{"baseline", s.Baseline, o.Baseline}, {"pool", s.Pool, o.Pool}, {"objective", s.Objective, o.Objective},
		{"evaluate", met(s), met(o)},
	} {
		if here, there := entry.Text(c.here), entry.Text(c.there); !bytes.Equal(here, there) {
			return fmt.Sprintf("%s: it has %s, this study has %s", c.what, there, here)
		}
	}
	return ""
}

// met returns whom candidates meet.
func met(s *Spec) string {
	switch {
	case s.Evaluate != nil:
		return "pool"
	case s.Duels:
		return "duels"
	}
	return "baseline"
}

// Spec is a study file, checked and with every default filled in. It is plain
// data: its JSON is what a database keeps of it. See Setup for what it takes to
// run it.
type Spec struct {
	Version    int            `json:"version"`
	Name       string         `json:"name"`
	Doc        string         `json:"doc,omitempty"`
	Game       string         `json:"game"`
	Rules      param.Values   `json:"rules"`
	Tune       Tuned          `json:"tune"`
	Baseline   string         `json:"baseline"` // canonical entrant text; empty for a metric objective without one
	Pool       []string       `json:"pool,omitempty"`
	Evaluate   *PoolSpec      `json:"evaluate,omitempty"` // a generation plays itself
	Duels      bool           `json:"duels,omitempty"`    // pairs of trials meet each other
	Objective  Objective      `json:"objective"`
	Sampler    SamplerSpec    `json:"sampler"`
	Race       Race           `json:"race"`
	Budget     Budget         `json:"budget"`
	Final      Final          `json:"final"`
	Validation ValidationSpec `json:"validation"`
	// Begin are parameter sets that are tried first, one value for every dimension.
	Begin []param.Values `json:"begin,omitempty"`
	// BeginFrom is the study with whose games the search begins, empty for none.
	BeginFrom string `json:"begin_from,omitempty"`
}

// Tuned lists the tuned parameters.
type Tuned struct {
	Strategy string `json:"strategy"`
	// Declare are the parameters of a program that Sakusen does not run: its games are
	// asked for and told. Others are programs without parameters that may be its opponents,
	// Metrics what is told of a game beside the ranks.
	Declare []param.Declared `json:"declare,omitempty"`
	Others  []string         `json:"others,omitempty"`
	Metrics []string         `json:"metrics,omitempty"`
	Fix     param.Values     `json:"fix"`
	Params  Space            `json:"params"`
}

// SamplerSpec says who proposes.
type SamplerSpec struct {
	Name    string       `json:"name"`
	Seed    uint64       `json:"seed,string"`
	Batch   int          `json:"batch"`            // trials asked at once
	Flight  int          `json:"flight,omitempty"` // batches out at a time, if more than one
	Options param.Values `json:"options,omitempty"`
}

// InFlight returns the number of batches that are asked for at the same time. With 2, a
// batch is proposed from the results before the batch that still plays, and plays while
// that one ends: many workers then do not wait for the last game of a batch.
func (s *SamplerSpec) InFlight() int { return max(1, s.Flight) }

// Race says how a batch is judged: at rungs of blocks, keeping a share.
type Race struct {
	Method string  `json:"method"` // halving or none
	Rungs  []int64 `json:"rungs"`  // blocks played in all when a trial is judged
	Keep   float64 `json:"keep"`
	// Incumbent says that the incumbent plays every batch's blocks too, and that trials
	// significantly behind it on the common blocks are stopped. Alpha is the chance, over
	// all looks at a trial, of stopping one that is as good.
	Incumbent bool    `json:"incumbent,omitempty"`
	Alpha     float64 `json:"alpha,omitempty"`
	// Blocks is "fresh" if every batch plays blocks that no earlier batch has played, and
	// empty if all batches play the same blocks.
	Blocks string `json:"blocks,omitempty"`
}

// Fresh reports whether every batch plays blocks that no earlier batch has played.
func (r *Race) Fresh() bool { return r.Blocks == "fresh" }

// Budget ends the search: whichever comes first.
type Budget struct {
	Trials int   `json:"trials"`
	Games  int64 `json:"games"` // with final and validation
}

// Final is the race of the best few on new seeds.
type Final struct {
	Top    int   `json:"top"`
	Blocks int64 `json:"blocks"`
}

// ValidationSpec bounds the test of the winner against the baseline.
type ValidationSpec struct {
	Kind      string     `json:"kind"`  // gain or regression
	Elo       [2]float64 `json:"elo"`   // H0 and H1, logistic Elo
	Alpha     float64    `json:"alpha"` // share of false passes, shared by all attempts
	Beta      float64    `json:"beta"`  // share of false failures
	MaxBlocks int64      `json:"max_blocks"`
	// Estimate are the blocks that are held back for after a pass: games that had no part in
	// the verdict tell how large the gain is. Blocks that the validation did not need are
	// added. Nil: none are played. No part of the hash.
	Estimate *int64 `json:"estimate,omitempty"`
	// SetBack is the share of the budget's games that, of those which a pass leaves, measure
	// what each parameter is worth; 0: none. No part of the hash.
	SetBack float64 `json:"set_back,omitempty"`
	// Plan is how a score is decided: PlanGroup or PlanFixed; empty of a metric.
	Plan string `json:"plan,omitempty"`
	// Pairs is AllPairs where every game of the winner is compared with every game of the
	// baseline, which takes a race whose players play alone; empty where games count as they
	// were played.
	Pairs string `json:"pairs,omitempty"`
	// Rules are those of the validation, in full, where they are others than the study's; what
	// is played after a pass is played under them too.
	Rules param.Values `json:"rules,omitempty"`
	// PoolBlocks is how many of its blocks the winner plays against each member of the
	// pool, 0 for none. Pool is NoneWorse if a pass also requires that no member is better,
	// within PoolMargin Elo; if it is empty the results are only reported.
	PoolBlocks int64   `json:"pool_blocks,omitempty"`
	Pool       string  `json:"pool,omitempty"`
	PoolMargin float64 `json:"pool_margin,omitempty"`
	// Replay is the share of the study's blocks that are played again before the
	// verdict; nil for the usual, see package replay. It changes no result, and is no
	// part of the hash.
	Replay *float64 `json:"replay,omitempty"`
}

// ProofRule returns a rule of the games of the validation, empty where there is none of that name.
func (s *Spec) ProofRule(name string) string {
	text, ok := s.OtherRules().Get(name)
	if !ok {
		text, _ = s.Rules.Get(name)
	}
	return text
}

// OtherRules returns the rules of the validation that differ from the study's, nil where none do.
func (s *Spec) OtherRules() (out param.Values) {
	for _, v := range s.Validation.Rules {
		if text, ok := s.Rules.Get(v.Name); !ok || text != v.Text {
			out = append(out, v)
		}
	}
	return out
}

// Held returns how many blocks are held back for the estimate after a pass.
func (v *ValidationSpec) Held() int64 {
	if v.Estimate == nil {
		return 0
	}
	return *v.Estimate
}

// ParseSpec reads a spec from the JSON that a database keeps of it. It is not
// checked as a study file is.
func ParseSpec(text []byte) (*Spec, error) {
	s := &Spec{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("stored spec: %w", err)
	}
	return s, nil
}

// Hash returns the lower-case hexadecimal sha256 of everything but the budget, which
// alone may grow while a study lives, the share that is played again, which changes
// nothing, and what is played after the verdict.
func (s *Spec) Hash() string {
	fixed := *s
	fixed.Budget = Budget{}
	fixed.Validation.Replay, fixed.Validation.Estimate, fixed.Validation.SetBack = nil, nil, 0
	text, err := json.Marshal(&fixed)
	if err != nil {
		panic("tuner: a spec is plain data: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Relative reports whether the objective or a limit asks what the baseline does in
// the candidate's place.
func (s *Spec) Relative() bool {
	for i := range s.Objective.Limits {
		if s.Objective.Limits[i].Relative() {
			return true
		}
	}
	for _, g := range s.Objective.Goals() {
		if g.Relative {
			return true
		}
	}
	return false
}

// Maximize reports whether larger values of the (first) objective are better.
func (s *Spec) Maximize() bool {
	goals := s.Objective.Goals()
	return goals[0].Maximize()
}

// Pareto reports whether there are several objectives at once.
func (s *Spec) Pareto() bool { return s.Objective.Of == "pareto" }

// TuneSeed returns the seed of the blocks that all candidates share. A study that begins with
// the games of another has its own, or it would play the same games and count them twice.
func (s *Spec) TuneSeed() uint64 {
	if s.BeginFrom == "" {
		return s.Sampler.Seed
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "begin_from\n%d\n%s\n", s.Sampler.Seed, s.BeginFrom))
	return binary.BigEndian.Uint64(sum[:8])
}

// PoolSpec says that a batch's individuals judge one another: coevolution. Each
// plays Rounds times in a group of others and fillers, regrouped every time; all
// groups of a round meet the same deals.
type PoolSpec struct {
	Group  int    `json:"group"`  // individuals at a table
	Filler string `json:"filler"` // canonical entrant in the other seats; not scored
	Rounds int    `json:"rounds"`
	Games  int64  `json:"games"` // of a round, a multiple of the seats
}

// LastLook returns the number of blocks at the last rung at which a trial can be stopped, 0
// where there is none.
func (r *Race) LastLook() int64 {
	if len(r.Rungs) < 2 {
		return 0
	}
	return r.Rungs[len(r.Rungs)-2]
}

// Proved returns the objective on which the verdict is: of several, the score, or the
// first where none is.
func (s *Spec) Proved() *Objective {
	goals := s.Objective.Goals()
	return &goals[s.ProvedAt()]
}

// ProvedAt returns its index.
func (s *Spec) ProvedAt() int {
	for i, g := range s.Objective.Goals() {
		if g.Of == "score" {
			return i
		}
	}
	return 0
}

// ValidationSeed depends on the study's seed, its name, the spec's hash and the attempt, so
// that no validation shares a block with another one or with a search.
func (s *Spec) ValidationSeed(attempt int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s\n%d\n", s.Sampler.Seed, s.Name, s.Hash(), attempt))
	return binary.BigEndian.Uint64(sum[:8])
}

// String describes for people how a batch is judged, and what error rate each rule
// claims.
func (r *Race) String() string {
	var rungs []string
	for _, n := range r.Rungs {
		rungs = append(rungs, fmt.Sprint(n))
	}
	at := strings.Join(rungs, ", ") + " blocks"
	var text string
	switch r.Method {
	case "halving":
		text = fmt.Sprintf("after %s the best %g %% go on and the others stop (no error rate is claimed)", at, 100*r.Keep)
	default:
		return fmt.Sprintf("none, a parameter set plays %s each time it is proposed", at)
	}
	if r.Incumbent {
		text += fmt.Sprintf("; those significantly behind the best so far stop too (%g %% error over all looks)", 100*r.Alpha)
	}
	return text
}
