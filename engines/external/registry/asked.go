package registry

import (
	"encoding/json"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/chess"
	"sakusen/engines/daifugo"
	"sakusen/engines/external/asked"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/external/jsonl"
	"sakusen/engines/param"
)

// asked.go seats programs that are asked in lines for the moves of a built-in game.

// Joined is a game with the programs that play it; another game is returned as it is.
func Joined(s *Stable, game *arena.Game) (*arena.Game, error) {
	switch game.Name {
	case chess.Name:
		return joined(game, append(s.Strategies(), chessAsked(s)...))
	case "battleship":
		return joined(game, battleshipAsked(s))
	case "daifugo":
		return joined(game, daifugoAsked(s))
	}
	return game, nil
}

func joined[R, P any](game *arena.Game, more []arena.Strategy[R, P]) (*arena.Game, error) {
	if len(more) == 0 {
		return game, nil
	}
	return arena.Join(game, more...)
}

func chessAsked(s *Stable) []chess.Strategy {
	return seats(s, chess.Name, func(p asked.Program, params json.RawMessage, _ *chess.Rules) chess.Player {
		return asked.Chess(p, params)
	},
		func(r *chess.Rules) bool { return !r.Limit().Exact() })
}

func battleshipAsked(s *Stable) []arena.Strategy[battleship.Rules, battleship.Player] {
	return seats(s, "battleship", asked.Battleship, func(*battleship.Rules) bool { return false })
}

func daifugoAsked(s *Stable) []arena.Strategy[daifugo.Options, daifugo.Player] {
	return seats(s, "daifugo", func(p asked.Program, params json.RawMessage, _ *daifugo.Options) daifugo.Player {
		return asked.Daifugo(p, params)
	},
		func(*daifugo.Options) bool { return false })
}

// seats are the programs of a game as its strategies; timed says that the rules let
// players think by the clock.
func seats[R, P any](s *Stable, game string, player func(asked.Program, json.RawMessage, *R) P, timed func(*R) bool) []arena.Strategy[R, P] {
	var all []arena.Strategy[R, P]
	for i := range s.entries {
		if e := &s.entries[i]; e.Game == game {
			all = append(all, arena.Strategy[R, P]{
				Name: e.Name, Doc: "A registered program that is asked for its moves.", Source: "a program of somebody else",
				Identify: func(r *R) (arena.Identity, error) {
					id, err := identifyAsked(s, e)
					if err == nil && id.Recorded == "" && timed(r) {
						id.Recorded = fmt.Sprintf("engine %s plays by the clock", e.Name)
					}
					return id, err
				},
				New: func() arena.Config[R, P] { return &askedConfig[R, P]{sideConfig{stable: s, entry: e}, player} },
			})
		}
	}
	return all
}

// askedConfig is a program's parameters.
type askedConfig[R, P any] struct {
	side   sideConfig
	player func(asked.Program, json.RawMessage, *R) P
}

// Declare implements arena.Config.
func (c *askedConfig[R, P]) Declare(f *param.Fields, _ *R) { c.side.Declare(f, nil) }

// Player implements arena.Config.
func (c *askedConfig[R, P]) Player(r *R) (P, error) {
	return c.player(&askedProgram{stable: c.side.stable, entry: c.side.entry}, json.RawMessage(c.side.side().Params), r), nil
}

// identifyAsked tells which program it is, and whether it answers the same again.
func identifyAsked(s *Stable, e *Entry) (arena.Identity, error) {
	info, err := s.Describe(e.Name)
	if err != nil {
		return arena.Identity{}, err
	}
	id := arena.Identity{Hash: info.Identity, Way: e.way()}
	switch {
	case e.Recorded:
		id.Recorded = fmt.Sprintf("engine %s is registered as recorded", e.Name)
	case info.Class == recorded:
		id.Recorded = fmt.Sprintf("engine %s says that it is not deterministic", e.Name)
	default:
		c := &sideConfig{stable: s, entry: e}
		if _, err := param.Bind(func(f *param.Fields) { c.Declare(f, nil) }); err != nil {
			return id, err
		}
		id.Recorded, err = s.triedOnce(fmt.Sprintf("%s %s asked", e.Name, info.Identity), func() (string, error) {
			return again(e.Name, func() (string, error) {
				return asked.Sample(&askedProgram{stable: s, entry: e, fresh: true}, e.Game, json.RawMessage(c.side().Params))
			})
		})
	}
	return id, err
}

// askedProgram asks a program. Since every request is whole, any process may answer.
type askedProgram struct {
	stable *Stable
	entry  *Entry
	fresh  bool // a process for every request
}

// Ask implements asked.Program.
func (p *askedProgram) Ask(request map[string]any) ([]byte, error) {
	s, e := p.stable, p.entry
	var c *jsonl.Conn
	if !p.fresh {
		c, _ = s.waiting(e).(*jsonl.Conn)
	}
	if c == nil {
		if err := s.unchanged(e); err != nil {
			return nil, err
		}
		var err error
		if c, err = s.connect(e); err != nil {
			return nil, err
		}
	}
	line, err := c.Ask(request, e.patience())
	if err != nil || p.fresh {
		c.Close()
		return line, err
	}
	s.giveBack(e, c)
	return line, nil
}

// askedGame is the game of a program that is asked for moves, with it as its only
// strategy.
func askedGame(s *Stable, e *Entry) *arena.Game {
	switch e.Game {
	case chess.Name:
		return arena.Enter(chess.Game(), chessAsked(s)...)
	case "battleship":
		return arena.Enter(battleship.Game(), battleshipAsked(s)...)
	case "daifugo":
		return arena.Enter(daifugo.Game(), daifugoAsked(s)...)
	}
	return arena.Enter(elsewhere.Game())
}
