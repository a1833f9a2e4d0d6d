package blocks

import (
	"strings"

	"sakusen/engines/arena"
)

// Scope says which blocks are looked at: those of a game under some seeds in some
// phases, or all where it is zero. The phases matter: blocks of a match may have
// a study's seed, and are no evidence of that study.
type Scope struct {
	Game   string
	Seeds  []uint64
	Phases []arena.Phase
}

// where is the scope as a condition on block_contexts.
func (s Scope) where() (string, []any) {
	if s.Game == "" {
		return "1", nil
	}
	args := []any{s.Game}
	for _, seed := range s.Seeds {
		args = append(args, seedText(seed))
	}
	for _, phase := range s.Phases {
		args = append(args, int64(phase))
	}
	return "c.game = ? AND c.seed IN (" + marks(len(s.Seeds)) + ") AND c.phase IN (" + marks(len(s.Phases)) + ")", args
}

// marks are n question marks, for a list of n values in a query.
func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }
