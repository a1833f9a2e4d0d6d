package registry

import (
	"errors"

	"sakusen/engines/chess"
	"sakusen/engines/external/uci"
)

// player is an entrant's engine in a game.
type player struct {
	registered
	settings []uci.Setting

	engine *uci.Engine // borrowed, nil between games and after a fault
	fault  *uci.Fault  // of the beginning
	line   []byte      // that tells the position
}

// Begin implements chess.Player. A program may have died while it waited after an earlier
// game. That is no fault in this game, so a new one is started.
func (p *player) Begin(v *chess.View) error {
	p.fault = nil
	p.engines.pool.enter(v.Line)
	for {
		engine, used, err := p.engines.pool.borrow(p.entry)
		if err != nil {
			p.engines.pool.leave(v.Line)
			return err
		}
		err = engine.NewGame(p.settings)
		if err == nil {
			p.engine = engine
			return nil
		}
		engine.Close()
		if !errors.As(err, &p.fault) {
			p.engines.pool.leave(v.Line)
			return err
		}
		if !used {
			return nil // it loses by its fault
		}
	}
}

// Move implements chess.Player.
func (p *player) Move(v *chess.View) chess.Reply {
	p.engines.pool.leave(v.Line)
	if p.engine == nil {
		return failed(p.fault, v)
	}
	g := uci.Go{Nodes: v.Limit.Nodes, Depth: v.Limit.Depth, MoveTime: v.Limit.MoveTime, Side: int(v.Side)}
	if v.Limit.Clock > 0 {
		g.Clock = v.Clock
		g.Increment = [2]int64{v.Limit.Increment, v.Limit.Increment}
	}
	a, err := p.engine.Go(p.position(v.Line), g)
	if err != nil {
		p.engine.Close()
		p.engine = nil
		if !errors.As(err, &p.fault) {
			p.fault = &uci.Fault{Kind: uci.Crash, Said: err.Error()}
		}
		return failed(p.fault, v)
	}
	r := chess.Reply{Score: scoreOf(&a), Scored: a.Scored, Depth: a.Depth, Nodes: a.Nodes, Spent: a.Spent.Milliseconds(), Said: a.Said}
	var ok bool
	if r.Move, ok = chess.ParseMove(a.Best); !ok {
		r.Fault = chess.Garbled
	}
	return r
}

// End implements chess.Player.
func (p *player) End(v *chess.View) {
	p.engines.pool.leave(v.Line)
	if p.engine != nil {
		p.engines.pool.giveBack(p.entry, p.engine, "")
		p.engine = nil
	}
}

// position returns the line that tells the game so far.
func (p *player) position(l *chess.Line) string {
	b := append(p.line[:0], "position "...)
	if fen := l.Start().FEN(); fen == chess.StartFEN {
		b = append(b, "startpos"...)
	} else {
		b = append(append(b, "fen "...), fen...)
	}
	for i, m := range l.Moves() {
		if i == 0 {
			b = append(b, " moves"...)
		}
		b = append(append(b, ' '), m.String()...)
	}
	p.line = b
	return string(b)
}

// failed returns a fault as a reply.
func failed(f *uci.Fault, v *chess.View) chess.Reply {
	r := chess.Reply{Fault: chess.Crashed, Said: f.Said}
	switch f.Kind {
	case uci.Stall:
		r.Fault = chess.Stalled
	case uci.Overtime:
		if r.Fault = chess.Stalled; !v.Limit.Exact() {
			r.Fault = chess.OutOfTime
		}
	case uci.Protocol:
		r.Fault = chess.Garbled
	}
	return r
}
