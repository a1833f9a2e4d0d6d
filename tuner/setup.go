package tuner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/stats"
)

// Setup is a spec with its game open: what a study runs with, and what its games
// are shown with.
type Setup struct {
	*Spec
	Rulesets
	BaselineEntrant arena.Entrant   `json:"-"` // the frozen opponent; its strategy is empty where the study has none
	PoolEntrants    []arena.Entrant `json:"-"` // the other opponents
	FillerEntrant   arena.Entrant   `json:"-"` // sits in the free seats of a generation that plays itself
	// Reference is the entrant to which relative metrics are compared: the baseline, or the
	// tuned strategy with its defaults if the study has none. Its strategy is empty if no
	// metric is relative.
	Reference arena.Entrant `json:"-"`
	// Changed lists what a file has changed since its study began and the study goes on with, a
	// sentence each.
	Changed []string `json:"-"`
	// Warnings are what the owner should know before any game is played.
	Warnings []string `json:"-"`
}

// Rulesets are a study's game under its rules.
type Rulesets struct {
	Ruleset *arena.Ruleset `json:"-"` // of the study
	Proving *arena.Ruleset `json:"-"` // of the validation; nil where they are the study's
}

// RulesetOf returns the game under the rules of a phase.
func (r *Rulesets) RulesetOf(phase arena.Phase) *arena.Ruleset {
	if phase == arena.Validation && r.Proving != nil {
		return r.Proving
	}
	return r.Ruleset
}

// Recorded returns why games of strategies, in the search or in the validation, cannot be
// played again, empty where all can.
func (r *Rulesets) Recorded(strategies ...string) (string, error) {
	why, err := r.Ruleset.Recorded(strategies...)
	if err != nil || why != "" || r.Proving == nil {
		return why, err
	}
	return r.Proving.Recorded(strategies...)
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
// Verify of tuner/study, where the players may not be there.
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
	s := &Setup{Spec: spec, Rulesets: Rulesets{Ruleset: rs}}
	if len(spec.Validation.Rules) > 0 {
		if s.Proving, errs = game.Open(spec.Validation.Rules); len(errs) > 0 {
			return nil, fmt.Errorf("spec: validation.rules: %w", errors.Join(errs...))
		}
	}
	return s, nil
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

// Opponents returns the baseline and the pool, in order; none for a metric
// objective without a baseline, whose candidates meet themselves.
func (s *Setup) Opponents() []arena.Entrant {
	if s.Baseline == "" {
		return s.PoolEntrants
	}
	return append([]arena.Entrant{s.BaselineEntrant}, s.PoolEntrants...)
}

// Strategies returns the strategies that a study of this spec meets.
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
	given := append(append(param.Values(nil), s.Tune.Fix...), s.Tune.Params.played(tuned)...)
	return s.Ruleset.NewEntrant(fmt.Sprintf("trial %d", number), s.Tune.Strategy, given)
}

// Series returns a candidate's series against one opponent: the candidate first, the
// opponent in all other seats.
func (s *Setup) Series(candidate, opponent arena.Entrant, seed uint64, phase arena.Phase, from, to int64) arena.Series {
	out := arena.Series{Ruleset: s.RulesetOf(phase), Seed: seed, Phase: phase, From: from, To: to}
	out.Entrants = append(out.Entrants, candidate)
	for len(out.Entrants) < s.Ruleset.Seats {
		out.Entrants = append(out.Entrants, opponent)
	}
	return out
}

// BlockGames returns the number of games that one block of a candidate takes.
func (s *Setup) BlockGames() int64 {
	return int64(s.Ruleset.Seats) * int64(max(1, len(s.Opponents())))
}

// Reserved returns the number of games kept for the final, or for measuring the
// answer, the validation, and the estimate after it.
func (s *Setup) Reserved(answers bool) int64 {
	final := int64(0)
	if s.Final.Top > 1 {
		final = int64(s.Final.Top)*s.Final.Blocks*s.BlockGames() + s.ReferenceGames(s.Final.Blocks)
	}
	if answers {
		final += s.Race.AnswerBlocks(s.Ruleset)*s.BlockGames() + s.ReferenceGames(s.Race.AnswerBlocks(s.Ruleset))
	}
	final += s.DefaultsBlocks() * int64(s.Ruleset.Seats)
	return final + s.ValidationGames() + s.Validation.Held()*s.ValidationBlockGames()
}

const (
	defaultsPart  = 20 // of the games, what the answer plays against a program's defaults in the final
	defaultsLeast = 8  // blocks below which they do not meet
)

// DefaultsBlocks returns the number of blocks on which the search's answer meets the defaults of an
// external program before the proof. It is 0 for strategies of this program, if the defaults are
// the baseline or lie outside the tuned ranges, and unless one score against the baseline decides.
func (s *Setup) DefaultsBlocks() int64 {
	if s.Objective.Of != "score" || len(s.Objective.Limits)+len(s.PoolEntrants) > 0 || s.Evaluate != nil || !s.Ruleset.Game.Outside(s.Tune.Strategy) {
		return 0
	}
	values := s.Tune.Params.Defaults(s.Tune.Fix)
	if e, err := s.Candidate(-1, values); err != nil || s.Baseline == "" || e.Canonical() == s.BaselineEntrant.Canonical() || slices.ContainsFunc(s.Tune.Params, func(d Dimension) bool {
		text, active := values.Get(d.Name)
		return active && !d.Holds(text)
	}) {
		return 0
	}
	blocks := s.Budget.Games / defaultsPart / int64(s.Ruleset.Seats)
	if most := s.Ruleset.Supply(arena.Final); most > 0 {
		blocks = min(blocks, most)
	}
	if blocks < defaultsLeast {
		return 0
	}
	return blocks
}

// ValidationGames returns the number of games that the validation takes: the winner's
// against the baseline, or, where a metric decides, winner's and baseline's
// against all opponents; and the winner's against the pool.
func (s *Setup) ValidationGames() int64 {
	pool := s.Validation.PoolBlocks * int64(s.Ruleset.Seats*len(s.PoolEntrants))
	return s.Validation.MaxBlocks*s.ValidationBlockGames() + pool
}

// ValidationBlockGames returns that number for one block.
func (s *Setup) ValidationBlockGames() int64 {
	games := int64(s.Ruleset.Seats)
	if goal := s.Proved(); goal.Of == "metric" {
		games = s.BlockGames()
		if !goal.Relative {
			games *= 2
		}
	}
	return games + s.ReferenceGames(1)
}

// ReferenceGames returns the number of games that the baseline plays in the
// candidate's place on a number of blocks: once for all candidates. Against
// itself a block is one game.
func (s *Setup) ReferenceGames(blocks int64) int64 {
	if !s.Relative() {
		return 0
	}
	games := int64(0)
	for _, o := range s.Opponents() {
		if o.Canonical() == s.Reference.Canonical() {
			games += blocks
		} else {
			games += blocks * int64(s.Ruleset.Seats)
		}
	}
	if len(s.Opponents()) == 0 {
		games = blocks
	}
	return games
}

// answerLeast is the least number of blocks by which an answer is measured, so that the
// claim has some weight even if rungs are short.
const answerLeast = 32

// AnswerBlocks returns the number of blocks that an answer may be measured by.
func (r *Race) AnswerBlocks(rs *arena.Ruleset) int64 {
	return min(max(answerLeast, r.Rungs[len(r.Rungs)-1]), cmp.Or(rs.Blocks, math.MaxInt64))
}

// Blocks returns the number of blocks that an individual plays in a game of so many seats.
func (p *PoolSpec) Blocks(seats int) int64 { return int64(p.Rounds) * p.Games / int64(seats) }

// PoolGames returns the number of games that a pool of n plays.
func (p *PoolSpec) PoolGames(n int) int64 {
	groups := (n + p.Group - 1) / p.Group
	return int64(groups*p.Rounds) * p.Games
}

// MostTrials returns the number of trials that the search can reach: of the budget's
// trials, its games if every trial ended at the first rung, and the parameter sets of
// a finite space, what ends it first.
func (s *Setup) MostTrials(answers bool) int {
	most := int64(s.Budget.Trials)
	if s.Evaluate != nil {
		return int(most)
	}
	if each := s.Race.Rungs[0] * s.BlockGames(); each > 0 {
		n := max(0, s.Budget.Games-s.Reserved(answers)) / each
		if s.Duels {
			n = 2*n + 2
		}
		most = min(most, n)
	}
	if n := s.Tune.Params.Count(s.Tune.Fix); n > 0 {
		if s.Duels {
			n++ // the baseline, which may lie between them
		}
		most = min(most, int64(n))
	}
	return int(max(1, most))
}

// PoolTable is a group of a pool at its table, for one round.
type PoolTable struct {
	Members  []int // indexes into the pool, the individuals that are scored first
	Scored   int   // so many of them are
	From, To int64 // the round's blocks
}

// PoolTables draws the groups of a pool of n individuals, round by round; pool
// counts the pools of the study from 0. The last group of a pool that does not
// divide evenly takes in others, who are not scored there.
func (s *Setup) PoolTables(n, pool int) []PoolTable {
	blocks := s.Evaluate.Games / int64(s.Ruleset.Seats)
	var tables []PoolTable
	for round := range s.Evaluate.Rounds {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		chance := arena.NewStream(s.TuneSeed()^0x706F6F6C, uint64(pool)<<32|uint64(round))
		chance.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		from := int64(pool*s.Evaluate.Rounds+round) * blocks
		for at := 0; at < n; at += s.Evaluate.Group {
			group := slices.Clone(order[at:min(n, at+s.Evaluate.Group)])
			t := PoolTable{Scored: len(group), From: from, To: from + blocks}
			for i := 0; len(group) < s.Evaluate.Group && i < at; i++ {
				group = append(group, order[i])
			}
			t.Members = group
			tables = append(tables, t)
		}
	}
	return tables
}

// Series returns what is played at a table of a pool: its members, and fillers in the
// seats that are left.
func (t *PoolTable) Series(s *Setup, member func(i int) (arena.Entrant, error)) (arena.Series, error) {
	series := arena.Series{Ruleset: s.Ruleset, Seed: s.TuneSeed(), Phase: arena.Tune, From: t.From, To: t.To}
	for _, m := range t.Members {
		e, err := member(m)
		if err != nil {
			return series, err
		}
		series.Entrants = append(series.Entrants, e)
	}
	for len(series.Entrants) < s.Ruleset.Seats {
		series.Entrants = append(series.Entrants, s.FillerEntrant)
	}
	return series, nil
}

// Question is what a validation asks. Attempts at the same one share a level,
// whatever the studies are called and whether they are still there.
type Question struct {
	Game     string
	Rules    string // Ruleset.Hash: another map is another question
	Strategy string
	Baseline string // canonical
	// Play is the baseline's signature: baselines that play alike are one question,
	// whatever their text. It is empty if there is no baseline.
	Play string
	// Winner is the canonical entrant that the attempt is about. It is not part of the
	// question.
	Winner string
}

// Question returns what this study's validation asks.
func (s *Setup) Question(ctx context.Context) (Question, error) {
	rs := s.RulesetOf(arena.Validation)
	q := Question{Game: s.Game, Rules: rs.Hash(), Strategy: s.Tune.Strategy, Baseline: s.Baseline}
	if s.Baseline == "" {
		return q, nil
	}
	var err error
	q.Play, err = rs.Played(ctx, s.BaselineEntrant)
	return q, err
}

// Level returns the alpha of an attempt at a question, by its number from 1.
func (v *ValidationSpec) Level(attempt int) (float64, error) {
	return stats.AttemptAlpha(v.Alpha, attempt)
}
