package external

import (
	"encoding/json"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/chess"
	"sakusen/engines/daifugo"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/param"
)

// Joined returns a game with the programs that play it; another game as it is.
func (s *Engines) Joined(game *arena.Game) (*arena.Game, error) {
	switch game.Name {
	case chess.Name:
		return joined(game, append(s.strategies(), s.chessAsked()...))
	case "battleship":
		return joined(game, s.battleshipAsked())
	case "daifugo":
		return joined(game, s.daifugoAsked())
	}
	return game, nil
}

func joined[R, P any](game *arena.Game, more []arena.Strategy[R, P]) (*arena.Game, error) {
	if len(more) == 0 {
		return game, nil
	}
	return arena.Join(game, more...)
}

func (s *Engines) chessAsked() []chess.Strategy {
	return builtin[chess.Rules, chess.Player]{
		name: chess.Name,
		player: func(p asker, params json.RawMessage, _ *chess.Rules) chess.Player {
			return chessPlayer(p, params)
		},
		timed: func(r *chess.Rules) bool { return !r.Limit().Exact() },
	}.strategies(s)
}

func (s *Engines) battleshipAsked() []arena.Strategy[battleship.Rules, battleship.Player] {
	return builtin[battleship.Rules, battleship.Player]{
		name: "battleship", player: battleshipPlayer, timed: func(*battleship.Rules) bool { return false },
	}.strategies(s)
}

func (s *Engines) daifugoAsked() []arena.Strategy[daifugo.Options, daifugo.Player] {
	return builtin[daifugo.Options, daifugo.Player]{
		name: "daifugo",
		player: func(p asker, params json.RawMessage, _ *daifugo.Options) daifugo.Player {
			return daifugoPlayer(p, params)
		},
		timed: func(*daifugo.Options) bool { return false },
	}.strategies(s)
}

// builtin is a built-in game for whose moves programs are asked.
type builtin[R, P any] struct {
	name   string
	player func(asker, json.RawMessage, *R) P
	timed  func(*R) bool // that the rules let players think by the clock
}

// strategies returns the programs of the game as its strategies.
func (g builtin[R, P]) strategies(s *Engines) []arena.Strategy[R, P] {
	var all []arena.Strategy[R, P]
	for i, entries := 0, s.Entries(); i < len(entries); i++ {
		if e := &entries[i]; e.Game == g.name {
			all = append(all, arena.Strategy[R, P]{
				Name: e.Name, Doc: "A registered program that is asked for its moves.", Source: "a program from elsewhere",
				Identify: func(r *R) (arena.Identity, error) {
					id, err := registered{s, e}.identifyAsked()
					if err == nil && id.Recorded == "" && g.timed(r) {
						id.Recorded, id.Timed = fmt.Sprintf("engine %s plays by the clock", e.Name), true
					}
					return id, err
				},
				New: func(f *param.Fields, r *R) arena.Maker[P] {
					c := &sideConfig{registered: registered{s, e}}
					c.declare(f)
					return func() (P, error) {
						return g.player(&askedProgram{registered: c.registered}, json.RawMessage(c.side().Params), r), nil
					}
				},
			})
		}
	}
	return all
}

// identifyAsked returns which program it is, and whether it answers the same again.
func (r registered) identifyAsked() (arena.Identity, error) {
	info, id, err := r.toldInLines()
	if err != nil || id.Recorded != "" {
		return id, err
	}
	e, c := r.entry, &sideConfig{registered: r}
	if _, err := param.Bind(c.declare); err != nil {
		return id, err
	}
	id.Recorded, err = r.engines.once(fmt.Sprintf("%s %s asked", e.Name, info.Identity), func() (string, error) {
		return r.engines.again(e.Name, func() (string, error) {
			return sample(&askedProgram{registered: r, fresh: true}, e.Game, json.RawMessage(c.side().Params))
		})
	})
	return id, err
}

// askedProgram asks a program. Since every request is whole, any process may answer.
type askedProgram struct {
	registered
	fresh bool // a process for every request
}

// Ask implements asker.
func (p *askedProgram) Ask(request map[string]any) ([]byte, error) {
	pool, e := &p.engines.pool, p.entry
	var c *jsonConn
	if !p.fresh {
		c, _ = pool.waiting(e, "").(*jsonConn)
	}
	if c == nil {
		if err := pool.unchanged(e); err != nil {
			return nil, err
		}
		var err error
		if c, err = pool.connect(e); err != nil {
			return nil, err
		}
	}
	line, err := c.ask(request, e.patience())
	if err != nil || p.fresh {
		c.Close()
		return line, err
	}
	pool.giveBack(e, c, "")
	return line, nil
}

// askedGame returns the game of a program that is asked for moves, with it as its only
// strategy.
func (s *Engines) askedGame(game string) *arena.Game {
	switch game {
	case chess.Name:
		return arena.Enter(chess.Game(), s.chessAsked()...)
	case "battleship":
		return arena.Enter(battleship.Game(), s.battleshipAsked()...)
	case "daifugo":
		return arena.Enter(daifugo.Game(), s.daifugoAsked()...)
	}
	return arena.Enter(elsewhere.Game())
}
