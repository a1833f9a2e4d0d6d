package registry

import (
	"fmt"
	"time"

	"sakusen/engines/external/uci"
	"sakusen/engines/param"
)

// Searcher is a process of an engine that searches positions one by one, to measure
// its speed. It is used by one goroutine at a time.
type Searcher struct {
	name     string
	engine   *uci.Engine
	settings []uci.Setting
}

// Searched is a search that has ended.
type Searched struct {
	Nodes int64 // as the engine tells them last; 0 where it tells none
	Depth int   // plies
	// Score is for the side to move, hundredths of a pawn, a mate beyond all others; it
	// counts only if Scored.
	Score  int
	Scored bool
	Best   string
	Wall   time.Duration
	// CPU is the processor time of the process; 0 where the system does not tell.
	CPU time.Duration
}

// Searcher starts an engine with values for its parameters. A search may take as
// long as patience before it is a fault, 0 for the entry's own.
func (s *Engines) Searcher(name string, values param.Values, patience time.Duration) (*Searcher, error) {
	info, err := s.Describe(name)
	if err != nil {
		return nil, err
	}
	e, err := s.entry(name)
	if err != nil {
		return nil, err
	}
	p, err := e.program()
	if err != nil {
		return nil, err
	}
	if patience > 0 {
		p.Deadlines.Move = patience
	}
	keeper, err := s.pool.keeping()
	if err != nil {
		return nil, err
	}
	engine, err := uci.Start(keeper, p)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", name, err)
	}
	set := append([]uci.Setting(nil), info.Set...)
	for _, v := range values {
		set = append(set, uci.Setting{Name: v.Name, Value: v.Text})
	}
	return &Searcher{name: name, engine: engine, settings: set}, nil
}

// Search searches the position of a FEN as the first one of a game.
func (s *Searcher) Search(fen string, g uci.Go) (Searched, error) {
	if err := s.engine.NewGame(s.settings); err != nil {
		return Searched{}, fmt.Errorf("engine %s: %w", s.name, err)
	}
	before, told := s.engine.CPU()
	a, err := s.engine.Go("position fen "+fen, g)
	if err != nil {
		return Searched{}, fmt.Errorf("engine %s: %w", s.name, err)
	}
	r := Searched{Nodes: a.Nodes, Depth: a.Depth, Best: a.Best, Wall: a.Spent, Scored: a.Scored, Score: scoreOf(&a)}
	if after, still := s.engine.CPU(); told && still {
		r.CPU = after - before
	}
	return r, nil
}

// Close ends the process.
func (s *Searcher) Close() { s.engine.Close() }
