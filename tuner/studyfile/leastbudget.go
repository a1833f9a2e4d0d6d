package studyfile

import (
	"fmt"

	"sakusen/tuner/studyfile/yamlfile"
)

// mostBudgets is the number of budgets that are tried before one is refused. What is
// reserved grows by less than the budget does, so that few are needed.
const mostBudgets = 200

// checkBudget refuses a budget that leaves nothing to search with: a batch is only asked
// for if it can pass every rung, so the budget must be enough for one trial. The number
// that it asks for is one that passes: what is reserved is a share of the games, so the
// file is read again with more of them until they are enough.
func (s *draft) checkBudget(m *yamlfile.Mapping, again func(budget int64) (*draft, bool)) {
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
	b := m.Doc.Mapping(yamlfile.First(m.Take("budget"), m.Node), "budget")
	one := enough.trialGames()
	games := max(enough.Budget.Games, enough.leastGames())
	m.Doc.Fail(yamlfile.First(b.Take("games"), m.Node), "budget.games",
		fmt.Sprintf("at least %d: %d for final and validation, %d for one trial's rungs", games, games-one, one),
		fmt.Sprint(s.Budget.Games))
}

// leastGames is the least budget of games with what this one reserves.
func (s *draft) leastGames() int64 { return s.Reserved(s.traits.Answers) + s.trialGames() }

// trialGames is the number of games of one trial that passes every rung.
func (s *draft) trialGames() int64 {
	last := s.Race.Rungs[len(s.Race.Rungs)-1]
	return last*s.BlockGames() + s.ReferenceGames(last)
}
