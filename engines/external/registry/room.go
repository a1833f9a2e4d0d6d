package registry

import (
	"fmt"
	"time"

	"sakusen/engines/chess"
)

// room.go keeps the processes of all engines within the memory that they may take
// together. A game of two engines needs two processes: one game at a time takes its
// own, so that no two games wait for each other, each with half of what it needs.

// defaultMemory is what a process counts for whose engine has no limit of its own.
const defaultMemory = 256 << 20

// SetMemory bounds what the processes of all engines may hold together, bytes.
func (s *Stable) SetMemory(total int64) error {
	for i := range s.entries {
		e := &s.entries[i]
		if total > 0 && e.Memory == 0 {
			e.Memory = defaultMemory
		}
		if total > 0 && 2*e.Memory > total {
			return fmt.Errorf("engine %s: memory: a game takes two processes, which with %d MB each is more than the %d MB that all engines may take (engine_memory)", e.Name, e.Memory>>20, total>>20)
		}
	}
	s.memory = total
	return nil
}

// enter waits for a game's turn to take its processes, where they are bounded.
func (s *Stable) enter(game *chess.Line) {
	for s.memory > 0 {
		s.mu.Lock()
		if s.taking == nil || s.taking == game {
			s.taking = game
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
}

// leave says that a game has its processes, or is over.
func (s *Stable) leave(game *chess.Line) {
	if s.memory > 0 {
		s.mu.Lock()
		if s.taking == game {
			s.taking = nil
		}
		s.mu.Unlock()
	}
}

// makeRoom waits until a process of an engine may start; those that wait for a game
// make place.
func (s *Stable) makeRoom(e *Entry) {
	for s.memory > 0 && s.keeper.Allowed()+e.Memory > s.memory {
		s.mu.Lock()
		var old interface{ Close() }
		if len(s.idle) > 0 {
			old = s.idle[0].engine
			s.idle = s.idle[1:]
		}
		closed := s.closed
		s.mu.Unlock()
		switch {
		case closed:
			return
		case old != nil:
			old.Close()
		default:
			time.Sleep(time.Millisecond)
		}
	}
}
