package studyfile

import (
	"fmt"
	"math"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

const (
	// nearestInside is how many candidates inside the limits race where a model's answer exceeds one.
	nearestInside = 4
	// mostProving is the share of the games that the validation takes at most with what the winner
	// plays against the pool.
	mostProving = 0.7
	// poolShare is the part of the validation's blocks that the winner plays against each
	// member of the pool, if the results are only reported.
	poolShare = 4
	// groupReserve is how much longer than a validation of fixed length one that may stop
	// early is at most, so that it can prove as much. It was computed for gains that are
	// proved in .52, .76 and .93 of tests; see docs/research/statistics.md.
	groupReserve = 1.1
	// mostBudgets is the number of budgets that are tried before one is refused. What is
	// reserved grows by less than the budget does, so that few are needed.
	mostBudgets = 200
	// estimatePart is the part of the validation's blocks that are held back for the
	// estimate after a pass at the last look.
	estimatePart = 8
	// searchPart is the part of the search's games that is held back for it at most.
	searchPart = 4
	// played is the comparison of games as they were played.
	played = "played"
)

// readFinal reads the race of the best few.
func (s *draft) readFinal() {
	f := &s.Final
	switch answers := s.traits.Answers; {
	case answers && len(s.Objective.Limits) > 0: // the answer may exceed one
		if !s.Has("final.top") {
			f.Top = nearestInside
		}
	case answers && !s.Has("final.top"):
		f.Top = 0
	case answers && f.Top > 0:
		s.Fail("final.top", fmt.Sprintf("0, as the answer of %s is no trial's", s.Sampler.Name), fmt.Sprint(f.Top))
	}
	if !s.Has("final.blocks") && s.Ruleset != nil && f.Top > 0 {
		// A tenth of the games, shared by the best few.
		f.Blocks = max(1, s.scale.Games/10/s.BlockGames()/int64(f.Top))
	}
	f.Blocks = supplied(s, arena.Final, "final.blocks", f.Blocks)
}

// proof is the test of the winner against the baseline while it is read.
type proof struct {
	*draft
	v     *tuner.ValidationSpec
	score bool  // is what is proved
	most  int64 // blocks that the game has starts for
}

// read reads the keys of validation.
func (p *proof) read() {
	v := p.v
	v.Kind, v.Elo = "gain", [2]float64{0, 10}
	for kind, bounds := range map[string][]float64{"gain": p.in.Validation.Gain, "regression": p.in.Validation.Regression} {
		if len(bounds) == 2 {
			v.Kind, v.Elo = kind, [2]float64(bounds)
			p.refuse(rule{bounds[0] >= bounds[1], "validation." + kind + "_elo[1]", "a bound above the first", ""})
		}
	}
	if !p.score {
		v.Plan = ""
	}
	p.readRules()
	p.readPairs()
	asked := v.MaxBlocks
	v.MaxBlocks = 1
	if p.Ruleset != nil {
		share := p.proving()
		if v.Plan == tuner.PlanGroup {
			share *= groupReserve
		}
		v.MaxBlocks = max(1, int64(math.Round(share*float64(p.scale.Games)))/p.ValidationBlockGames())
		if rs := p.RulesetOf(arena.Validation); rs.Starts > 0 && p.score {
			p.most = max(rs.Supply(arena.Validation), 1)
			p.checkSupply(v.MaxBlocks)
		} else if rs.Blocks > 0 {
			p.most = rs.Blocks
		}
		asked = supplied(p.draft, arena.Validation, "validation.max_blocks", asked)
	}
	v.MaxBlocks = min(v.MaxBlocks, p.most)
	if p.Within("validation.max_blocks", 1, float64(p.most)) {
		v.MaxBlocks = asked
	}
	p.readPool()
	p.readEstimate()
}

// readRules opens the game under the rules of the proof, where they are others.
func (p *proof) readRules() {
	given := p.v.Rules
	p.v.Rules = nil
	if p.Ruleset == nil || len(given) == 0 {
		return
	}
	all := slices.DeleteFunc(p.Values("rules"), func(v param.Value) bool {
		_, other := given.Get(v.Name)
		return other
	})
	rs, errs := p.Ruleset.Game.Open(append(all, given...))
	p.Declared("validation.rules", errs...)
	if rs == nil || rs.Hash() == p.Ruleset.Hash() {
		return
	}
	if rs.Seats != p.Ruleset.Seats || !slices.Equal(rs.Components, p.Ruleset.Components) {
		p.Fail("validation.rules", fmt.Sprintf("rules of as many seats (%d) and the same counts as the search's", p.Ruleset.Seats), rs.Rules.Short())
		return
	}
	for _, strategy := range p.Strategies() {
		searched, err1 := p.Ruleset.Space(strategy)
		proved, err2 := rs.Space(strategy)
		if err1 == nil && (err2 != nil || !slices.Equal(names(searched), names(proved))) {
			p.Fail("validation.rules", "rules under which "+strategy+" has the same parameters", rs.Rules.Short())
			return
		}
	}
	p.v.Rules, p.Proving = rs.Rules, rs
}

// names returns the names of parameters.
func names(all []param.Param) []string {
	var out []string
	for i := range all {
		out = append(out, all[i].Name)
	}
	return out
}

// readEstimate settles how many blocks are held back for the estimate after a pass: a part
// of the validation's, as many as the game has starts for, and no more than a small budget
// can spare.
func (p *proof) readEstimate() {
	v := p.v
	if p.Within("validation.estimate", 0, float64(p.most)) {
		if v.Held() == 0 {
			v.Estimate = nil // none are played at all
		}
		return
	}
	v.Estimate = new(int64)
	if p.Ruleset == nil {
		return
	}
	spare := (p.scale.Games - p.Reserved(p.traits.Answers)) / searchPart / p.ValidationBlockGames()
	*v.Estimate = max(0, min((v.MaxBlocks+estimatePart-1)/estimatePart, p.most-v.MaxBlocks, spare))
}

// readPairs settles which games the validation compares: as they were played or, of a race
// whose players play alone, all of the one with all of the other, which is the default
// there but for several objectives.
func (p *proof) readPairs() {
	can := p.Ruleset != nil && p.score && entry.NewLengthCollector(p.Ruleset) != nil
	switch {
	case p.v.Pairs == tuner.AllPairs && !can && p.Ruleset != nil:
		p.Fail("validation.pairs", "played: all pairs of games are compared where a score is validated of two who play alone and the faster wins, as in Battleship", tuner.AllPairs)
	case p.v.Pairs == "" && can && !p.Pareto():
		p.v.Pairs = tuner.AllPairs
	case p.v.Pairs == played:
		p.v.Pairs = "" // left out of the stored spec
	}
}

// readPool reads what the validation says of the pool.
func (p *proof) readPool() {
	v, least := p.v, 0.0
	if len(p.PoolEntrants) == 0 || !p.score {
		for _, key := range []string{"pool", "pool_blocks", "pool_margin"} {
			p.refuse(rule{p.Has("validation." + key), "validation." + key, "none without a pool and a score to validate", ""})
		}
		v.Pool, v.PoolMargin, v.PoolBlocks = "", 0, 0
		return
	}
	def := max(1, v.MaxBlocks/poolShare)
	if v.Pool == tuner.NoneWorse {
		def, least = v.MaxBlocks, 1
	} else {
		v.Pool = "" // left out of the stored spec
	}
	if p.Within("validation.pool_blocks", least, float64(p.most)) || p.Ruleset == nil {
		return
	}
	v.PoolBlocks = def
	if most := mostProving * float64(p.scale.Games) / float64(p.ValidationGames()); most < 1 && !p.Has("validation.max_blocks") {
		v.MaxBlocks, v.PoolBlocks = max(1, int64(most*float64(v.MaxBlocks))), max(1, int64(most*float64(def)))
	}
}

// checkSupply warns, before anything is played, that the game has fewer starts than the
// study would like. Programs of other people play each opening the same way again, so
// that for them it is a mistake, unless the file names max_blocks.
func (p *proof) checkSupply(wanted int64) {
	rs, at := p.RulesetOf(arena.Validation), "rules"
	if p.Proving != nil {
		at = "validation.rules"
	}
	have, starts := rs.Supply(arena.Validation), rs.Starts
	switch {
	case wanted <= have || p.Has("validation.max_blocks"):
	case starts > 1 && p.Ruleset.Game.Outside(p.Tune.Strategy):
		p.Fail(at, fmt.Sprintf("at least %d openings for %d games: the validation plays %d blocks, and 2 in 5 openings are kept for it (or set validation.max_blocks)", (wanted*5+1)/2, p.scale.Games, wanted), fmt.Sprint(starts))
	default:
		g := stats.Group{Elo0: p.v.Elo[0], Elo1: p.v.Elo[1], Seats: p.Ruleset.Seats, Alpha: p.v.Alpha, MaxBlocks: max(have, 2)}
		proved := "which proves nothing"
		if have > 1 {
			proved = fmt.Sprintf("which prove gains from about %.0f Elo", g.Provable(0.35, 0.8))
		}
		p.Warnings = append(p.Warnings, fmt.Sprintf("the game has %s, of which the validation takes %d that the search never meets: it is %s instead of %d, %s",
			numeral.Counted(starts, "start"), have, numeral.Counted(have, "block"), wanted, proved))
	}
}

// checkBudget refuses a budget that leaves nothing to search with: a batch is only asked
// for if it can pass every rung, so the budget must be enough for one trial. The number
// that it asks for is one that passes: what is reserved is a share of the games, so the
// file is read again with more of them until they are enough.
func (s *draft) checkBudget(again func(budget int64) (*draft, bool)) {
	if s.Budget.Games >= s.leastGames() {
		return
	}
	enough := s
	for range mostBudgets {
		larger, ok := again(enough.leastGames())
		if !ok {
			break // the file has other mistakes with so many games
		}
		if enough = larger; enough.Budget.Games >= enough.leastGames() {
			break
		}
	}
	one, games := enough.trialGames(), max(enough.Budget.Games, enough.leastGames())
	s.Fail("budget.games",
		fmt.Sprintf("at least %d: %d for final and validation, %d for one trial's rungs", games, games-one, one),
		fmt.Sprint(s.Budget.Games))
}

// leastGames returns the least budget of games with what this one reserves.
func (s *draft) leastGames() int64 { return s.Reserved(s.traits.Answers) + s.trialGames() }

// trialGames returns the number of games of one trial that passes every rung.
func (s *draft) trialGames() int64 {
	last := s.Race.Rungs[len(s.Race.Rungs)-1]
	return last*s.BlockGames() + s.ReferenceGames(last)
}

// boundTrials sets the largest number of trials of a study that names none and whose sampler
// answers with a model, or whose file names games: as many as the games allow if each trial
// ended at the first rung.
func (s *draft) boundTrials() {
	if s.Has("budget.trials") || !s.traits.Answers && (!s.Has("budget.games") || s.Evaluate != nil) {
		return
	}
	each := s.Race.Rungs[0] * s.BlockGames()
	n := (s.Budget.Games - s.Reserved(s.traits.Answers)) / each
	if s.Duels {
		n *= 2
	}
	s.Budget.Trials = int(min(n, maxTrials))
}
