package tuner

// BlockGames is the number of games that one block of a candidate takes.
func (s *Setup) BlockGames() int64 {
	return int64(s.Ruleset.Seats) * int64(max(1, len(s.Opponents())))
}

// Reserved is the number of games kept for the final, or for measuring the
// answer, and the validation.
func (s *Setup) Reserved(answers bool) int64 {
	final := int64(0)
	if s.Final.Top > 1 {
		final = int64(s.Final.Top)*s.Final.Blocks*s.BlockGames() + s.ReferenceGames(s.Final.Blocks)
	}
	if answers {
		final += s.Race.AnswerBlocks()*s.BlockGames() + s.ReferenceGames(s.Race.AnswerBlocks())
	}
	return final + s.ValidationGames()
}

// ValidationGames is the number of games that the validation takes: the winner's
// against the baseline, or, where a metric decides, winner's and baseline's
// against all opponents; and the winner's against the pool.
func (s *Setup) ValidationGames() int64 {
	pool := s.Validation.PoolBlocks * int64(s.Ruleset.Seats*len(s.PoolEntrants))
	return s.Validation.MaxBlocks*s.ValidationBlockGames() + pool
}

// ValidationBlockGames is that number for one block.
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

// PoolBlocks is the number of blocks that an individual of a pool plays.
func (s *Setup) PoolBlocks() int64 {
	return int64(s.Evaluate.Rounds) * s.Evaluate.Games / int64(s.Ruleset.Seats)
}

// ReferenceGames is the number of games that the baseline plays in the
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
func (r *Race) AnswerBlocks() int64 {
	return max(answerLeast, r.Rungs[len(r.Rungs)-1])
}

// PoolGames returns the number of games that a pool of n plays.
func (p *PoolSpec) PoolGames(n int) int64 {
	groups := (n + p.Group - 1) / p.Group
	return int64(groups*p.Rounds) * p.Games
}

// MostTrials is the number of trials that the search can reach: of the budget's
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
