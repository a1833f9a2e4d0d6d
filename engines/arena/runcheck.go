package arena

import (
	"fmt"
	"slices"
)

// mostComponent bounds what a game may count, so that sums and products of
// components do not overflow: far above any game's.
const mostComponent = 1 << 50

// Check says what is wrong with a run as a result of games, whoever says that he
// has played them: each game gives one score to share between its seats, or nobody wins, and a fault is 0
// or 1.
func (r *Run) Check() error {
	for block := range r.Blocks {
		for rotation := range r.Rotations {
			if err := r.checkGame(block, rotation); err != nil {
				return fmt.Errorf("block %d, game %d: %w", r.From+int64(block), rotation, err)
			}
		}
	}
	return nil
}

func (r *Run) checkGame(block, rotation int) error {
	whole, sum := Scale(r.Seats), int64(0)
	for seat := range r.Seats {
		g := r.Game(block, rotation, seat)
		if g[0] < 0 || g[0] > whole {
			return fmt.Errorf("seat %d: expected a score from 0 to %d, got %d", seat, whole, g[0])
		}
		if g[1] < 0 || g[1] > 1 {
			return fmt.Errorf("seat %d: expected a fault of 0 or 1, got %d", seat, g[1])
		}
		for _, x := range g[2:] {
			if x < -mostComponent || x > mostComponent {
				return fmt.Errorf("seat %d: expected what is counted to be at most 2^50, got %d", seat, x)
			}
		}
		sum += g[0]
	}
	if sum != whole && sum != 0 {
		return fmt.Errorf("expected the seats' scores to be %d together, or 0 where nobody wins, got %d", whole, sum)
	}
	return nil
}

// Possible says what is wrong with a run as a result of this game, whatever its
// rules: beyond [Run.Check], somebody wins unless the game has no winners or a
// player was at fault, and counts are not below 0.
func (g *Game) Possible(r *Run) error {
	if err := r.Check(); err != nil {
		return err
	}
	if r.Components != len(g.Components) {
		return fmt.Errorf("expected %d numbers that %s counts, got %d", len(g.Components), g.Name, r.Components)
	}
	for block := range r.Blocks {
		for rotation := range r.Rotations {
			if err := g.possible(r, block, rotation); err != nil {
				return fmt.Errorf("block %d, game %d: %w", r.From+int64(block), rotation, err)
			}
		}
	}
	return nil
}

func (g *Game) possible(r *Run, block, rotation int) error {
	decided := g.Unscored
	for seat := range r.Seats {
		values := r.Game(block, rotation, seat)
		decided = decided || values[0] > 0 || values[1] > 0
		for i, x := range values[2:] {
			if x < 0 && !slices.Contains(g.Negative, g.Components[i]) {
				return fmt.Errorf("seat %d: expected %s from 0, got %d", seat, g.Components[i], x)
			}
		}
	}
	if !decided {
		return fmt.Errorf("expected the seats' scores to be %d together, got 0: somebody wins a game of %s in which nobody is at fault", Scale(r.Seats), g.Name)
	}
	return nil
}
