package registry

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Engines is the registered engines with their process pool, what they told of
// themselves, and what was found when they were tried. It is safe for concurrent use.
type Engines struct {
	// Unkept reports that nothing of what is played is kept, so that it does not matter
	// whether engines play the same twice.
	Unkept bool

	entries []Entry
	pool    pool
	trials  trials

	describing sync.Mutex // held while one engine is described

	mu     sync.Mutex
	failed map[string]int // games in a row that a program of the game "external" did not tell
	known  map[string]known
}

// known is what the handshake with an engine told, or its failure.
type known struct {
	info  *Info
	err   error
	at    time.Time // of a failure
	stamp string
}

// failedFor is how long an engine that could not be started is not tried again.
const failedFor = 10 * time.Second

// Open returns engines with different names. It starts no process.
func Open(entries []Entry) (*Engines, error) {
	seen := map[string]bool{}
	for i := range entries {
		if err := entries[i].Check(); err != nil {
			return nil, err
		}
		if seen[entries[i].Name] {
			return nil, fmt.Errorf("engine %s is registered twice", entries[i].Name)
		}
		seen[entries[i].Name] = true
	}
	return &Engines{entries: entries, known: map[string]known{}, failed: map[string]int{}}, nil
}

// Close ends all processes.
func (s *Engines) Close() { s.pool.close() }

// Names returns the registered engines in order.
func (s *Engines) Names() []string {
	names := make([]string, len(s.entries))
	for i := range s.entries {
		names[i] = s.entries[i].Name
	}
	return names
}

// Entries returns the registered engines in order. The list must not be changed.
func (s *Engines) Entries() []Entry { return s.entries }

// Find returns an engine by name.
func (s *Engines) Find(name string) (*Entry, bool) {
	e, err := s.entry(name)
	return e, err == nil
}

// entry returns an engine by name.
func (s *Engines) entry(name string) (*Entry, error) {
	for i := range s.entries {
		if s.entries[i].Name == name {
			return &s.entries[i], nil
		}
	}
	names := s.Names()
	if near, ok := param.Nearest(name, names); ok {
		return nil, fmt.Errorf("unknown engine %q (did you mean %s?)", name, near)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("unknown engine %q: none is registered", name)
	}
	return nil, fmt.Errorf("unknown engine %q (expected one of %s)", name, strings.Join(names, ", "))
}

// SetMemory bounds what the processes of all engines may hold together, bytes.
func (s *Engines) SetMemory(total int64) error {
	for i := range s.entries {
		e := &s.entries[i]
		if total > 0 && e.Memory == 0 {
			e.Memory = defaultMemory
		}
		if total > 0 && 2*e.Memory > total {
			return fmt.Errorf("engine %s: memory: a game takes two processes, which with %d MB each is more than the %d MB that all engines may take (engine_memory)", e.Name, e.Memory>>20, total>>20)
		}
	}
	s.pool.memory = total
	return nil
}

// registered is an entry among the engines whose processes and trials it shares.
type registered struct {
	engines *Engines
	entry   *Entry
}

// told returns what the engine tells of itself, and its identity; Recorded is set
// where the entry says that its games cannot be played again.
func (r registered) told() (*Info, arena.Identity, error) {
	info, err := r.engines.Describe(r.entry.Name)
	if err != nil {
		return nil, arena.Identity{}, err
	}
	id := arena.Identity{Hash: info.Identity, Way: r.entry.way()}
	if r.entry.Recorded {
		id.Recorded = fmt.Sprintf("engine %s is registered as recorded", r.entry.Name)
	}
	return info, id, nil
}
