package tuner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Spec is a study file, checked and with every default filled in.
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

	scale    Budget // what the defaults are scaled to
	ruleset  *arena.Ruleset
	baseline arena.Entrant
	pool     []arena.Entrant
	filler   arena.Entrant // of a generation that plays itself
	base     arena.Entrant // what relative metrics are relative to
	traits   Traits        // of the sampler
}

// Tuned says what is tuned.
type Tuned struct {
	Strategy string       `json:"strategy"`
	Fix      param.Values `json:"fix"`
	Params   Space        `json:"params"`
}

// SamplerSpec says who proposes.
type SamplerSpec struct {
	Name    string       `json:"name"`
	Seed    uint64       `json:"seed,string"`
	Batch   int          `json:"batch"` // trials asked at once
	Options param.Values `json:"options,omitempty"`
}

// Race says how a batch is judged: at rungs of blocks, keeping a share.
type Race struct {
	Method string  `json:"method"` // halving, friedman or none
	Rungs  []int64 `json:"rungs"`  // blocks played in all when a trial is judged
	Keep   float64 `json:"keep"`
	// Incumbent has the incumbent re-played with every batch, and stops trials
	// that are significantly behind it on the blocks that both have met; Alpha is
	// the chance, over all looks at a trial, of stopping an equal.
	Incumbent bool    `json:"incumbent,omitempty"`
	Alpha     float64 `json:"alpha,omitempty"`
	// Blocks is "fresh" where each batch meets blocks that none has met before,
	// and empty where all batches meet the same.
	Blocks string `json:"blocks,omitempty"`
}

func (r *Race) fresh() bool { return r.Blocks == freshBlocks }

const (
	sharedBlocks = "shared"
	freshBlocks  = "fresh"
)

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
}

// Ruleset is the game under the study's rules.
func (s *Spec) Ruleset() *arena.Ruleset { return s.ruleset }

// Opponents are the baseline and the pool, in order; none for a metric
// objective without a baseline, whose candidates meet themselves.
func (s *Spec) Opponents() []arena.Entrant {
	if s.Baseline == "" {
		return s.pool
	}
	return append([]arena.Entrant{s.baseline}, s.pool...)
}

// Strategies are the strategies that a study of this spec meets.
func (s *Spec) Strategies() []string {
	out := []string{s.Tune.Strategy}
	for _, o := range s.Opponents() {
		out = append(out, o.Strategy)
	}
	if s.Evaluate != nil {
		out = append(out, s.filler.Strategy)
	}
	return out
}

// BaselineEntrant is the frozen opponent; its strategy is empty where the study
// has none.
func (s *Spec) BaselineEntrant() arena.Entrant { return s.baseline }

// Hash is the lower-case hexadecimal sha256 of everything but the budget, which
// alone may grow while a study lives.
func (s *Spec) Hash() string {
	fixed := *s
	fixed.Budget = Budget{}
	text, err := json.Marshal(&fixed)
	if err != nil {
		panic("tuner: a spec is plain data: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
