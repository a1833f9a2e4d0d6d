package registry

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/external/uci"
)

// identify returns which engine it is, and whether its games under a limit can be
// played again: with one thread and a limit in nodes or depth, and if it plays the
// same short games three times in fresh processes.
func (r registered) identify(limit chess.Limit) (arena.Identity, error) {
	info, id, err := r.told()
	if err != nil || id.Recorded != "" {
		return id, err
	}
	switch name := r.entry.Name; {
	case info.Class != exact:
		id.Recorded = fmt.Sprintf("engine %s runs %d threads", name, info.Threads)
	case !limit.Exact():
		id.Recorded = fmt.Sprintf("engine %s plays by the clock, %s", name, limit)
	default:
		different, err := r.playsAgain(info, info.Set, limit)
		if err != nil {
			return id, err
		}
		if different != "" {
			id.Recorded = "in fresh processes " + different
		}
	}
	return id, nil
}

// tryOut returns an error where an engine does not play the same twice with settings of
// its own, where its games are exact.
func (r registered) tryOut(info *Info, settings []uci.Setting, limit chess.Limit) error {
	return r.engines.trials.settings(r.entry, fmt.Sprint(limit), fmt.Sprintf("%q", settings), func() (string, error) { return r.playsAgain(info, settings, limit) })
}
