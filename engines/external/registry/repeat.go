package registry

import (
	"fmt"
	"strings"
)

// triedGames and triedPlies are how many games, each in a process of its own, are
// compared, and over how many plies.
const triedGames, triedPlies = 3, 16

// triedOnce finds something out, or remembers what was found under the key.
func (s *Stable) triedOnce(key string, find func() (string, error)) (string, error) {
	s.trying.Lock() // what several tables ask at the same time is found out once
	defer s.trying.Unlock()
	s.mu.Lock()
	known, ok := s.tried[key]
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	found, err := find()
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.tried[key] = found
	s.mu.Unlock()
	return found, nil
}

// again plays a game several times and tells how they differ; a game is a list of
// moves with commas.
func again(name string, play func() (string, error)) (different string, err error) {
	var first string
	for i := range triedGames {
		game, err := play()
		if err != nil {
			return "", fmt.Errorf("engine %s, in a game on trial: %w", name, err)
		}
		if i == 0 {
			first = game
		} else if game != first {
			return fmt.Sprintf("engine %s does not play the same twice: %s", name, parting(first, game)), nil
		}
	}
	return "", nil
}

// parting is where two games part.
func parting(a, b string) string {
	x, y := strings.Split(a, ", "), strings.Split(b, ", ")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("ply %d was %s, and then %s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("one game had %d plies, and then %d", len(x), len(y))
}
