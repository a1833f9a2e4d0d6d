package registry

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/external/uci"
)

// identify tells which engine it is, and whether its games under a limit can be
// played again: with one thread and a limit in nodes or depth, and if it plays the
// same short games three times in fresh processes.
func (s *Stable) identify(name string, limit chess.Limit) (arena.Identity, error) {
	info, err := s.Describe(name)
	if err != nil {
		return arena.Identity{}, err
	}
	e, err := s.entry(name)
	if err != nil {
		return arena.Identity{}, err
	}
	id := arena.Identity{Hash: info.Identity, Way: e.way()}
	switch {
	case e.Recorded:
		id.Recorded = fmt.Sprintf("engine %s is registered as recorded", name)
	case info.Class != exact:
		id.Recorded = fmt.Sprintf("engine %s runs %d threads", name, info.Threads)
	case !limit.Exact():
		id.Recorded = fmt.Sprintf("engine %s plays by the clock, %s", name, limit)
	default:
		different, err := s.playsAgain(e, info, info.Set, limit)
		if err != nil {
			return id, err
		}
		if different != "" {
			id.Recorded = "in fresh processes " + different
		}
	}
	return id, nil
}

// alwaysTried is how many different settings of an engine are tried out; of further
// ones it is one in oneInTried, chosen by what they are.
const alwaysTried, oneInTried = 4, 16

// tryOut finds out whether an engine plays the same twice with settings of its own,
// where its games are exact. A study meets hundreds of settings: some are tried.
func (s *Stable) tryOut(e *Entry, info *Info, settings []uci.Setting, limit chess.Limit) error {
	return s.tryOutWith(e, fmt.Sprint(limit), fmt.Sprintf("%q", settings), func() (string, error) { return s.playsAgain(e, info, settings, limit) })
}

// tryOutWith tries settings out, a text, under rules, another text.
func (s *Stable) tryOutWith(e *Entry, rules, text string, play func() (string, error)) error {
	key := e.Name + " " + rules
	s.mu.Lock()
	if s.chosen == nil {
		s.chosen = map[string]map[string]bool{}
	}
	if s.chosen[key] == nil {
		s.chosen[key] = map[string]bool{}
	}
	picked := s.chosen[key][text]
	if !picked && (len(s.chosen[key]) < alwaysTried || hash(text)%oneInTried == 0) {
		s.chosen[key][text], picked = true, true
	}
	s.mu.Unlock()
	if !picked {
		return nil
	}
	different, err := play()
	if err == nil && different != "" {
		err = fmt.Errorf("%s; register it with recorded: true, and its games are kept instead of being played again", different)
	}
	return err
}

// hash is FNV-1a of a text.
func hash(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}
