package tuner

import (
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
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
	// Growth says how a finished study goes on, empty for any other.
	Growth string `json:"-"`
	// Warnings are what the owner should know before any game is played.
	Warnings []string `json:"-"`
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
