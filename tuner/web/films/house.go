package films

import (
	"sakusen/engines/arena/catalogue"
	"sakusen/tuner"
	"sakusen/tuner/store"
)

// Theatre shows games to those who watch the daemon.
type Theatre struct {
	store   *store.Store
	games   catalogue.Games
	host    *tuner.CachedHost // for what is stored; plays nothing
	indexes *indexes
}

// New is a theatre over an open database and a catalogue of games with their
// drawers.
func New(s *store.Store, games catalogue.Games) *Theatre {
	return &Theatre{store: s, games: games, host: &tuner.CachedHost{Blocks: s.Blocks()}, indexes: newIndexes()}
}
