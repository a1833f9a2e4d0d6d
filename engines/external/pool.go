package external

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"sakusen/engines/chess"
	"sakusen/engines/external/process"
)

// mostIdle bounds the processes that wait for a game.
const mostIdle = 16

// defaultMemory is what a process counts for whose engine has no limit of its own,
// bytes.
const defaultMemory = 256 << 20

// conn is a process: a *uciEngine, a *jsonConn or a *gtpConn.
type conn interface{ Close() }

// pool is the process pool of all engines. It keeps them within the memory that they may take
// together. A game of two engines needs two processes, so one game at a time takes its
// processes: no two games wait for each other, each with one of its two.
type pool struct {
	memory int64 // that all processes may hold together, bytes, 0 for no limit

	starting sync.Mutex // held while a process starts within the memory

	mu     sync.Mutex
	keeper *process.Keeper // nil until something is started
	closed bool
	idle   []idle            // the longest unused first
	stamps map[string]string // of the files that an engine's identity was worked out from
	taking *chess.Line       // the game that takes its processes
}

// idle is a process that waits for a game.
type idle struct {
	name string
	key  string // what it was started with, beside what the registry says
	conn conn
}

// close ends all processes.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	keeper := p.keeper
	p.mu.Unlock()
	if keeper != nil {
		keeper.Close()
	}
}

// keeping returns the keeper of the processes.
func (p *pool) keeping() (*process.Keeper, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("the engines are closed")
	}
	if p.keeper == nil {
		var err error
		if p.keeper, err = process.NewKeeper(); err != nil {
			return nil, err
		}
	}
	return p.keeper, nil
}

// borrow returns a process of an engine, an idle one or a new one; used reports which.
func (p *pool) borrow(e *Entry) (engine *uciEngine, used bool, err error) {
	if engine, ok := p.waiting(e, "").(*uciEngine); ok {
		return engine, true, nil
	}
	engine, err = p.start(e)
	return engine, false, err
}

// waiting takes an idle process that was started with a key out of the pool; nil if there
// is none.
func (p *pool) waiting(e *Entry, key string) conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.idle) - 1; i >= 0; i-- {
		if p.idle[i].name == e.kept() && p.idle[i].key == key {
			engine := p.idle[i].conn
			p.idle = slices.Delete(p.idle, i, i+1)
			return engine
		}
	}
	return nil
}

// expect has the processes of an engine start only while its files have a stamp.
func (p *pool) expect(name, stamp string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stamps == nil {
		p.stamps = map[string]string{}
	}
	p.stamps[name] = stamp
}

// unchanged returns an error where an engine's files are no longer those that its identity is of.
func (p *pool) unchanged(e *Entry) error {
	p.mu.Lock()
	stamp, ok := p.stamps[e.kept()]
	p.mu.Unlock()
	if e.Place != nil {
		return e.Place()
	}
	if ok && stamp != e.stamp() {
		return fmt.Errorf("engine %s: its files have changed since it was asked what it is: start again", e.Name)
	}
	return nil
}

// forget ends the processes of an engine that wait, and forgets what its files were.
func (p *pool) forget(name string) {
	var old []conn
	p.mu.Lock()
	delete(p.stamps, name)
	p.idle = slices.DeleteFunc(p.idle, func(i idle) bool {
		if i.name == name {
			old = append(old, i.conn)
		}
		return i.name == name
	})
	p.mu.Unlock()
	for _, engine := range old {
		engine.Close()
	}
}

// start returns a new process of an engine, whose files must be those that its
// identity is of.
func (p *pool) start(e *Entry) (*uciEngine, error) {
	if err := p.unchanged(e); err != nil {
		return nil, err
	}
	program, err := e.program()
	if err != nil {
		return nil, err
	}
	keeper, err := p.keeping()
	if err != nil {
		return nil, err
	}
	if p.memory > 0 { // one at a time sees what is left
		p.starting.Lock()
		defer p.starting.Unlock()
		p.makeRoom(e)
	}
	engine, err := startUCI(keeper, program)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return engine, nil
}

// giveBack takes a process that was started with a key, after a game without a fault.
func (p *pool) giveBack(e *Entry, engine conn, key string) {
	if e.Fresh {
		engine.Close()
		return
	}
	p.mu.Lock()
	p.idle = append(p.idle, idle{e.kept(), key, engine})
	var extra conn
	if len(p.idle) > mostIdle {
		extra = p.idle[0].conn
		p.idle = slices.Delete(p.idle, 0, 1)
	}
	p.mu.Unlock()
	if extra != nil {
		extra.Close()
	}
}

// enter waits for a game's turn to take its processes, where they are bounded.
func (p *pool) enter(game *chess.Line) {
	for p.memory > 0 {
		p.mu.Lock()
		if p.taking == nil || p.taking == game {
			p.taking = game
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
}

// leave ends the turn of a game that has its processes, or is over.
func (p *pool) leave(game *chess.Line) {
	if p.memory > 0 {
		p.mu.Lock()
		if p.taking == game {
			p.taking = nil
		}
		p.mu.Unlock()
	}
}

// makeRoom waits until a process of an engine may start; those that wait for a game
// end.
func (p *pool) makeRoom(e *Entry) {
	for p.memory > 0 && p.keeper.Allowed()+e.Memory > p.memory {
		p.mu.Lock()
		var old conn
		if len(p.idle) > 0 {
			old = p.idle[0].conn
			p.idle = p.idle[1:]
		}
		closed := p.closed
		p.mu.Unlock()
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

// connect starts a program that is asked in lines.
func (p *pool) connect(e *Entry) (*jsonConn, error) {
	command, err := e.process(e.Command[1:])
	if err != nil {
		return nil, err
	}
	keeper, err := p.keeping()
	if err != nil {
		return nil, err
	}
	patience := e.Deadlines.Start
	if patience <= 0 {
		patience = 10 * time.Second
	}
	c, err := startJSON(keeper, command, patience)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return c, nil
}
