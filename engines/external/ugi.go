package external

import (
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/param"
)

// UGI returns the game of the programs that speak UGI, USI or UAI and know its rules
// themselves, nil where none is registered.
func (s *Engines) UGI() *arena.Game {
	var all []strategy
	for i, entries := 0, s.Entries(); i < len(entries); i++ {
		if e := &entries[i]; e.playsChess() && e.Speaks() != "uci" {
			all = append(all, strategy{
				Name: e.Name, Doc: fmt.Sprintf("A registered program that speaks %s.", strings.ToUpper(e.Speaks())), Source: "a program from elsewhere",
				Identify: func(r *rules) (arena.Identity, error) { return registered{s, e}.identifyUGI(r) },
				New: func(f *param.Fields, r *rules) arena.Maker[agreedPlayer] {
					c := &config{registered: registered{s, e}}
					c.declare(f)
					return func() (agreedPlayer, error) { return c.ugiPlayer(r) }
				},
			})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return arena.Enter(ugi(), all...)
}

// ugiPlayer makes a player.
func (c *config) ugiPlayer(r *rules) (agreedPlayer, error) {
	p := &ugiPlayer{registered: c.registered, settings: c.settings()}
	if c.engines.Unkept {
		return p, nil
	}
	id, err := c.identifyUGI(r)
	if err == nil && id.Recorded == "" {
		err = c.engines.trials.settings(c.entry, "ugi "+fmt.Sprint(r.thinks()), fmt.Sprintf("%q", p.settings), func() (string, error) { return p.again(r) })
	}
	return p, err
}

// identifyUGI returns which program it is, and whether it plays the same game again.
func (r registered) identifyUGI(rules *rules) (arena.Identity, error) {
	info, id, err := r.told()
	if err != nil || id.Recorded != "" {
		return id, err
	}
	switch name := r.entry.Name; {
	case info.Class != exact:
		id.Recorded = fmt.Sprintf("engine %s runs %d threads", name, info.Threads)
	case rules.timed():
		id.Recorded, id.Timed = fmt.Sprintf("engine %s plays by the clock, %s", name, rules.thinks()), true
	default:
		p := &ugiPlayer{registered: r, settings: info.Set}
		different, err := r.engines.once(fmt.Sprintf("ugi %s %s %s", name, info.Identity, rules.thinks()), func() (string, error) { return p.again(rules) })
		if err != nil {
			return id, err
		}
		if different != "" {
			id.Recorded = "in fresh processes " + different
		}
	}
	return id, nil
}

// again returns how the first moves of games against itself differ, each in a fresh
// process.
func (p *ugiPlayer) again(r *rules) (string, error) {
	return p.engines.again(p.entry.Name, func() (string, error) {
		fresh := *p
		engine, err := p.engines.pool.start(p.entry)
		if err != nil {
			return "", err
		}
		defer engine.Close()
		if err := engine.newGame(p.settings); err != nil {
			return "", err
		}
		fresh.engine = engine
		v := &view{Rules: r, Start: "startpos"}
		for range triedPlies {
			if s := fresh.Verdict(v); s.State > openGame || s.Fault != chess.Open {
				break
			}
			reply := fresh.Move(v)
			if reply.Fault != chess.Open {
				return "", errors.New(reply.Said)
			}
			v.Moves, v.Turn = append(v.Moves, reply.Move), 1-v.Turn
			if reply.Resigned || reply.Claims {
				break
			}
		}
		return strings.Join(v.Moves, ", "), nil
	})
}

// ugiPlayer is an entrant's program in a game whose rules it knows.
type ugiPlayer struct {
	registered
	settings []Setting
	engine   *uciEngine
	fault    *Fault
}

// Begin implements player.
func (p *ugiPlayer) Begin(*view) error {
	p.fault = nil
	for range 2 {
		engine, _, err := p.engines.pool.borrow(p.entry)
		if err != nil {
			return err
		}
		if err = engine.newGame(p.settings); err == nil {
			p.engine = engine
			return nil
		}
		engine.Close()
		if !errors.As(err, &p.fault) {
			return err
		}
	}
	return nil
}

// position returns the line that tells the game so far.
func (p *ugiPlayer) position(v *view) string {
	if len(v.Moves) == 0 {
		return "position " + v.Start
	}
	return "position " + v.Start + " moves " + strings.Join(v.Moves, " ")
}

// broke ends the program after a fault and returns it as a reply.
func (p *ugiPlayer) broke(err error) reply {
	p.engine.Close()
	p.engine = nil
	if !errors.As(err, &p.fault) {
		p.fault = &Fault{Kind: crash, Said: err.Error()}
	}
	return broken(p.fault)
}

// Move implements player.
func (p *ugiPlayer) Move(v *view) reply {
	if p.engine == nil {
		return broken(p.fault)
	}
	limit := v.Rules.thinks()
	g := SearchLimit{Nodes: limit.Nodes, Depth: limit.Depth, MoveTime: limit.MoveTime, Side: v.Turn}
	if limit.Clock > 0 {
		g.Clock, g.Increment = v.Clock, [2]int64{limit.Increment, limit.Increment}
	}
	a, err := p.engine.search(p.position(v), g)
	if err != nil {
		r := p.broke(err)
		if r.Fault == chess.OutOfTime && limit.Exact() {
			r.Fault = chess.Stalled
		}
		return r
	}
	r := reply{Move: a.Best, Spent: a.Spent.Milliseconds(), Said: a.Said}
	switch strings.ToLower(a.Best) {
	case "resign":
		r.Resigned = true
	case "win":
		r.Claims = true
	case "(none)", "none":
		r.Fault = chess.Garbled
	}
	return r
}

// Moved implements player. Programs take positions without an answer.
func (p *ugiPlayer) Moved(*view) reply { return reply{} }

// Verdict implements player by the questions of UGI; the other dialects have
// none.
func (p *ugiPlayer) Verdict(v *view) verdict {
	if d, _ := findDialect(p.entry.Protocol); !d.queries() {
		return verdict{Turn: -1}
	}
	failed := func(r reply) verdict { return verdict{Fault: r.Fault, Said: r.Said} }
	if p.engine == nil {
		return failed(broken(p.fault))
	}
	if err := p.engine.position(p.position(v)); err != nil {
		return failed(p.broke(err))
	}
	answers, err := p.engine.query("gameover", "p1turn", "result")
	if err != nil {
		return failed(p.broke(err))
	}
	over, first, result := strings.ToLower(answers[0]), strings.ToLower(answers[1]), strings.ToLower(answers[2])
	garbled := verdict{Fault: chess.Garbled, Said: fmt.Sprintf("gameover %q, p1turn %q, result %q", over, first, result)}
	isFirst, known := truth(first)
	isOver, told := truth(over)
	state, said := map[string]state{"p1win": firstWins, "p2win": secondWins, "draw": drawn, "none": openGame}[result]
	switch {
	case !known || !told || !said || isOver == (state == openGame):
		return garbled
	case isOver:
		return verdict{State: state, Turn: -1, Said: result}
	case isFirst:
		return verdict{State: state}
	}
	return verdict{State: state, Turn: 1}
}

// truth returns what true or false says; some programs write 1 and 0.
func truth(text string) (value, ok bool) {
	return text == "true" || text == "1", text == "true" || text == "false" || text == "1" || text == "0"
}

// End implements player.
func (p *ugiPlayer) End(*view) {
	if p.engine != nil {
		p.engines.pool.giveBack(p.entry, p.engine, "")
		p.engine = nil
	}
}
