package registry

import (
	"sakusen/engines/arena"
	"sakusen/engines/chess"
)

// Join is a game with the engines that play it; another game is returned as it is.
func (s *Stable) Join(game *arena.Game) (*arena.Game, error) {
	if game.Name != chess.Name {
		return game, nil
	}
	strategies := s.Strategies()
	if len(strategies) == 0 {
		return game, nil
	}
	return arena.Join(game, strategies...)
}
