package registry

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"sakusen/engines/chess"
	"sakusen/engines/external/process"
	"sakusen/engines/external/uci"
	"sakusen/engines/param"
)

// mostIdle bounds the processes that wait for a game.
const mostIdle = 16

// Stable is the registered engines and their processes. It is safe for concurrent
// use.
type Stable struct {
	// Unkept says that nothing of what is played is kept, so that it does not matter
	// whether engines play the same twice.
	Unkept bool

	entries []Entry

	mu     sync.Mutex
	keeper *process.Keeper // nil until something is started
	closed bool
	idle   []stabled      // the longest unused first
	failed map[string]int // games in a row that a program of the game "external" did not tell
	known  map[string]known
	tried  map[string]string          // what playsAgain found
	chosen map[string]map[string]bool // what tryOut tries

	memory int64       // that all processes may hold together, bytes, 0 for no limit
	taking *chess.Line // the game that takes its processes

	starting           sync.Mutex // held while a process starts
	describing, trying sync.Mutex // held while one engine is described, or tried out
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

// stabled is a process that waits for a game.
type stabled struct {
	name   string
	key    string               // what it was started with, beside what the registry says
	engine interface{ Close() } // a *uci.Engine, a *jsonl.Conn or a *gtp.Conn
}

// Open makes a stable of engines with different names. Nothing is started yet.
func Open(entries []Entry) (*Stable, error) {
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
	return &Stable{entries: entries, known: map[string]known{}, tried: map[string]string{}, failed: map[string]int{}}, nil
}

// Close ends all processes.
func (s *Stable) Close() {
	s.mu.Lock()
	s.closed = true
	keeper := s.keeper
	s.mu.Unlock()
	if keeper != nil {
		keeper.Close()
	}
}

// keeping is the keeper of the processes.
func (s *Stable) keeping() (*process.Keeper, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.New("the engines are closed")
	}
	if s.keeper == nil {
		var err error
		if s.keeper, err = process.NewKeeper(); err != nil {
			return nil, err
		}
	}
	return s.keeper, nil
}

// Names are the registered engines in order.
func (s *Stable) Names() []string {
	names := make([]string, len(s.entries))
	for i := range s.entries {
		names[i] = s.entries[i].Name
	}
	return names
}

// Entries are the registered engines in order. The list must not be changed.
func (s *Stable) Entries() []Entry { return s.entries }

// Find finds an engine by name.
func (s *Stable) Find(name string) (*Entry, bool) {
	e, err := s.entry(name)
	return e, err == nil
}

// entry finds an engine by name.
func (s *Stable) entry(name string) (*Entry, error) {
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

// borrow is a process of an engine, one that waits or a new one; used tells which.
func (s *Stable) borrow(e *Entry) (engine *uci.Engine, used bool, err error) {
	if engine, ok := s.waiting(e).(*uci.Engine); ok {
		return engine, true, nil
	}
	engine, err = s.start(e)
	return engine, false, err
}

// waiting is a process of an engine that waits, no more in the stable; nil where
// there is none.
func (s *Stable) waiting(e *Entry) interface{ Close() } { return s.waitingAs(e, "") }

// waitingAs is a process of an engine that waits and was started with a key.
func (s *Stable) waitingAs(e *Entry, key string) interface{ Close() } {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.idle) - 1; i >= 0; i-- {
		if s.idle[i].name == e.Name && s.idle[i].key == key {
			engine := s.idle[i].engine
			s.idle = slices.Delete(s.idle, i, i+1)
			return engine
		}
	}
	return nil
}

// unchanged says where an engine's files are no longer those that its identity is of.
func (s *Stable) unchanged(e *Entry) error {
	s.mu.Lock()
	k, ok := s.known[e.Name]
	s.mu.Unlock()
	if ok && k.info != nil && k.stamp != e.stamp() {
		return fmt.Errorf("engine %s: its files have changed since it was asked what it is: start again", e.Name)
	}
	return nil
}

// forget forgets what is known of an engine and ends the processes that wait.
func (s *Stable) forget(name string) {
	var old []interface{ Close() }
	s.mu.Lock()
	delete(s.known, name)
	s.idle = slices.DeleteFunc(s.idle, func(i stabled) bool {
		if i.name == name {
			old = append(old, i.engine)
		}
		return i.name == name
	})
	s.mu.Unlock()
	for _, engine := range old {
		engine.Close()
	}
}

// start is a new process of an engine, whose files must be those that its identity
// is of.
func (s *Stable) start(e *Entry) (*uci.Engine, error) {
	if err := s.unchanged(e); err != nil {
		return nil, err
	}
	p, err := e.program()
	if err != nil {
		return nil, err
	}
	keeper, err := s.keeping()
	if err != nil {
		return nil, err
	}
	if s.memory > 0 { // one at a time sees what is left
		s.starting.Lock()
		defer s.starting.Unlock()
		s.makeRoom(e)
	}
	engine, err := uci.Start(keeper, p)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return engine, nil
}

// giveBack takes a process after a game without a fault.
func (s *Stable) giveBack(e *Entry, engine interface{ Close() }) { s.giveBackAs(e, engine, "") }

// giveBackAs takes a process that was started with a key.
func (s *Stable) giveBackAs(e *Entry, engine interface{ Close() }, key string) {
	if e.Fresh {
		engine.Close()
		return
	}
	s.mu.Lock()
	s.idle = append(s.idle, stabled{e.Name, key, engine})
	var extra interface{ Close() }
	if len(s.idle) > mostIdle {
		extra = s.idle[0].engine
		s.idle = slices.Delete(s.idle, 0, 1)
	}
	s.mu.Unlock()
	if extra != nil {
		extra.Close()
	}
}
