package tuner

import (
	"slices"

	"sakusen/engines/arena"
)

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

// Series is what is played at a table of a pool: its members, and fillers in the
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
