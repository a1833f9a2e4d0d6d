package tuner

import (
	"errors"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

const (
	tunePhase       = arena.Tune
	finalPhase      = arena.Final
	validationPhase = arena.Validation
)

// Setup is a spec with its game open: what a study runs with, and what its games
// are shown with.
type Setup struct {
	*Spec
	Ruleset         *arena.Ruleset  `json:"-"` // the game under the study's rules
	BaselineEntrant arena.Entrant   `json:"-"` // the frozen opponent; its strategy is empty where the study has none
	PoolEntrants    []arena.Entrant `json:"-"` // the other opponents
	FillerEntrant   arena.Entrant   `json:"-"` // sits in the free seats of a generation that plays itself
	// Reference is the entrant to which relative metrics are compared: the baseline, or the
	// tuned strategy with its defaults if the study has none. Its strategy is empty if no
	// metric is relative.
	Reference arena.Entrant `json:"-"`
	// OlderBlocks is the number of validation blocks that older programs gave to the same
	// study file; 0 if the file names it. See AsStored.
	OlderBlocks int64 `json:"-"`
	// GivenOptions are the sampler's options that the study file has: older programs
	// stored no others; see AsStored.
	GivenOptions param.Values `json:"-"`
	// Growth says how a finished study goes on, empty for any other.
	Growth string `json:"-"`
	// Older is the setup that older programs read from the same study file, where their default
	// sampler was another; else nil. See AsStored.
	Older *Setup `json:"-"`
	// EarlierOptions are all options as earlier programs stored them, the latest first.
	EarlierOptions []param.Values `json:"-"`
	// Warnings are what the owner should know before any game is played.
	Warnings []string `json:"-"`
}

// AsStored is the setup in the form in which a database has it under the given
// hash: specs of older programs have other options than those that new studies get,
// or none but those of their file, another knee of a front, another sampler for a space of
// few members, no comparison of all pairs of games, and still older ones no plan of
// validation. Where the hash is of none of these
// forms it is the setup itself.
func (s *Setup) AsStored(hash string) *Setup {
	if s.Hash() == hash {
		return s
	}
	for _, pairs := range []string{s.Validation.Pairs, ""} {
		if o := s.storedWith(hash, pairs); o != nil {
			return o
		}
	}
	if s.Older != nil {
		if o := s.Older.AsStored(hash); o.Hash() == hash {
			return o
		}
	}
	return s
}

// storedWith is AsStored for one way to compare the games of the validation, nil where the
// hash is of none of its forms.
func (s *Setup) storedWith(hash, pairs string) *Setup {
	older := *s.Spec
	older.Validation.Pairs = pairs
	as := func() *Setup {
		out, spec := *s, older
		out.Spec = &spec
		return &out
	}
	if older.Hash() == hash {
		return as()
	}
	if older.Objective.Knee = ""; older.Hash() == hash {
		return as()
	}
	for _, options := range append(slices.Clip(s.EarlierOptions), s.GivenOptions) {
		if older.Sampler.Options = options; older.Hash() == hash {
			return as()
		}
	}
	older.Validation.Plan = ""
	older.Validation.PoolBlocks, older.Validation.PoolMargin = 0, 0
	if s.OlderBlocks > 0 {
		older.Validation.MaxBlocks = s.OlderBlocks
	}
	if older.Hash() == hash {
		return as()
	}
	return nil
}

// Prepare opens the game of a spec, whether it comes from a study file or, as
// JSON, from a database. The spec is not checked again as a study file is. An
// error says which part of the spec this program's games do not know.
func Prepare(spec *Spec, games arena.Catalogue) (*Setup, error) {
	s, err := PrepareRules(spec, games)
	if err != nil {
		return nil, err
	}
	rs := s.Ruleset
	if spec.Baseline != "" {
		if s.BaselineEntrant, err = rs.Entrant(spec.Baseline); err != nil {
			return nil, fmt.Errorf("spec: baseline: %w", err)
		}
	}
	for i, text := range spec.Pool {
		e, err := rs.Entrant(text)
		if err != nil {
			return nil, fmt.Errorf("spec: pool[%d]: %w", i, err)
		}
		s.PoolEntrants = append(s.PoolEntrants, e)
	}
	if spec.Evaluate != nil {
		if s.FillerEntrant, err = rs.Entrant(spec.Evaluate.Filler); err != nil {
			return nil, fmt.Errorf("spec: evaluate.filler: %w", err)
		}
	}
	if err := s.Refer(); err != nil {
		return nil, fmt.Errorf("spec: baseline: %w", err)
	}
	return s, nil
}

// PrepareRules opens the game of a spec and none of its players: enough for
// [Setup.Verify], where the players may not be there.
func PrepareRules(spec *Spec, games arena.Catalogue) (*Setup, error) {
	if len(spec.Race.Rungs) == 0 {
		return nil, errors.New("spec: race.rungs: expected at least one rung, got none")
	}
	game, err := GameOf(spec, games)
	if err != nil {
		return nil, fmt.Errorf("spec: %w", err)
	}
	rs, errs := game.Open(spec.Rules)
	if len(errs) > 0 {
		return nil, fmt.Errorf("spec: rules: %w", errors.Join(errs...))
	}
	return &Setup{Spec: spec, Ruleset: rs}, nil
}

// Refer settles what relative metrics are relative to.
func (s *Setup) Refer() error {
	if !s.Relative() {
		return nil
	}
	if s.Reference = s.BaselineEntrant; s.Baseline != "" {
		return nil
	}
	var err error
	s.Reference, err = s.Candidate(-1, nil)
	return err
}

// Opponents are the baseline and the pool, in order; none for a metric
// objective without a baseline, whose candidates meet themselves.
func (s *Setup) Opponents() []arena.Entrant {
	if s.Baseline == "" {
		return s.PoolEntrants
	}
	return append([]arena.Entrant{s.BaselineEntrant}, s.PoolEntrants...)
}

// Strategies are the strategies that a study of this spec meets.
func (s *Setup) Strategies() []string {
	out := []string{s.Tune.Strategy}
	for _, o := range s.Opponents() {
		out = append(out, o.Strategy)
	}
	if s.Evaluate != nil {
		out = append(out, s.FillerEntrant.Strategy)
	}
	return out
}

// Candidate makes a trial's entrant of the fixed and the tuned values. Here alone real
// numbers that were searched become integers of an engine.
func (s *Setup) Candidate(number int, tuned param.Values) (arena.Entrant, error) {
	given := append(append(param.Values(nil), s.Tune.Fix...), s.Tune.Params.Played(tuned)...)
	return s.Ruleset.NewEntrant(fmt.Sprintf("trial %d", number), s.Tune.Strategy, given)
}

// Series is a candidate's series against one opponent: the candidate first, the
// opponent in all other seats.
func (s *Setup) Series(candidate, opponent arena.Entrant, seed uint64, phase arena.Phase, from, to int64) arena.Series {
	out := arena.Series{Ruleset: s.Ruleset, Seed: seed, Phase: phase, From: from, To: to}
	out.Entrants = append(out.Entrants, candidate)
	for len(out.Entrants) < s.Ruleset.Seats {
		out.Entrants = append(out.Entrants, opponent)
	}
	return out
}
