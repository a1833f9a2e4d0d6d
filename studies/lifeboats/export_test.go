package lifeboats

import (
	"context"

	"sakusen/engines/param"
)

// Strength returns the share of wins of one level-0 player against four random
// voters over the given number of blocks, five games each. All players meet the
// same deals.
func (l *lab) Strength(ctx context.Context, player param.Values, blocks int64) (share, error) {
	voter, err := l.rules.Entrant("random")
	if err != nil {
		return share{}, err
	}
	return l.play(ctx, l.Seed, blocks, "level0", player, voter, voter, voter, voter)
}

// Slope is for tests.
var Slope = slope
