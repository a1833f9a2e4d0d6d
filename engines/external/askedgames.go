package external

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/chess"
	"sakusen/engines/daifugo"
)

// asker is a program that answers moves asked in JSON (docs/protocol.md), each request with
// all that the player may see, so that it needs to remember nothing. It is safe for concurrent use.
type asker interface {
	// Ask sends a request and returns the line of the answer; an error says that there is
	// none. The request gets an id and must not be used again.
	Ask(request map[string]any) ([]byte, error)
}

// games are the games in which programs can be asked for moves.
var games = []string{"battleship", "chess", "daifugo"}

// ask asks for an answer with the fields of to.
func ask(p asker, params json.RawMessage, seed uint64, request map[string]any, to any) error {
	request["params"], request["seed"] = params, strconv.FormatUint(seed, 10)
	line, err := p.Ask(request)
	if err == nil {
		err = json.Unmarshal(line, to)
	}
	return err
}

// chessPlayer returns a player of chess.
func chessPlayer(p asker, params json.RawMessage) chess.Player {
	return &mover{program: p, params: params}
}

type mover struct {
	program asker
	params  json.RawMessage
	seed    uint64
}

// Begin implements chess.Player.
func (m *mover) Begin(v *chess.View) error {
	m.seed = v.Chance.Uint64()
	return nil
}

// Move implements chess.Player.
func (m *mover) Move(v *chess.View) chess.Reply {
	moves, legal := []string{}, []string{}
	for _, x := range v.Line.Moves() {
		moves = append(moves, x.String())
	}
	for _, x := range v.Line.Legal() {
		legal = append(legal, x.String())
	}
	request := map[string]any{"do": "move", "start": v.Line.Start().FEN(), "moves": moves, "fen": v.Line.Now().FEN(), "legal": legal, "limit": v.Limit.String()}
	if v.Limit.Clock > 0 {
		request["clock"] = v.Clock
	}
	var answer struct{ Move string }
	if err := ask(m.program, m.params, m.seed, request, &answer); err != nil {
		return chess.Reply{Fault: chess.Crashed, Said: err.Error()}
	}
	move, ok := chess.ParseMove(answer.Move)
	if !ok {
		return chess.Reply{Fault: chess.Garbled, Said: fmt.Sprintf("move: expected one such as e2e4, got %.40q", answer.Move)}
	}
	return chess.Reply{Move: move}
}

// End implements chess.Player.
func (m *mover) End(*chess.View) {}

// nowhere is a square of no board: what a program that fails places and shoots at, which
// loses the game.
const nowhere battleship.Square = 1<<8 - 1

// battleshipPlayer returns a player of Battleship.
func battleshipPlayer(p asker, params json.RawMessage, r *battleship.Rules) battleship.Player {
	return &shooter{program: p, params: params, rules: r}
}

type shooter struct {
	program asker
	params  json.RawMessage
	rules   *battleship.Rules
	seed    uint64
}

// ship is a ship as programs are told of it.
type ship struct {
	Class  string `json:"class"`
	Length int    `json:"length"`
}

// placed is where a program places a ship: its first square, and whether it goes down.
type placed struct {
	At       string `json:"at"`
	Vertical bool   `json:"vertical"`
}

// describe begins a request with the board.
func (s *shooter) describe(do string) map[string]any {
	fleet := s.rules.Fleet()
	ships := []ship{}
	for i := range fleet.Ships() {
		ships = append(ships, ship{fleet.Ship(i).Class, fleet.Length(i)})
	}
	return map[string]any{"do": do, "width": s.rules.Board().Width(), "height": s.rules.Board().Height(), "ships": ships}
}

// Place implements battleship.Player.
func (s *shooter) Place(chance *arena.Stream, fleet []battleship.Placement) {
	for i := range fleet {
		fleet[i] = battleship.Placement{Ship: i, Start: nowhere}
	}
	var answer struct{ Ships []placed }
	if ask(s.program, s.params, chance.Uint64(), s.describe("place"), &answer) != nil || len(answer.Ships) != len(fleet) {
		return
	}
	for i, a := range answer.Ships {
		if at, err := s.rules.Board().Parse(a.At); err == nil {
			fleet[i].Start, fleet[i].Vertical = at, a.Vertical
		}
	}
}

// Aim implements battleship.Player.
func (s *shooter) Aim(v *battleship.View) { s.seed = v.Chance.Uint64() }

// sunk is an announcement.
type sunk struct {
	Class string `json:"class"`
	At    string `json:"at"`
}

// Shoot implements battleship.Player.
func (s *shooter) Shoot(v *battleship.View) battleship.Square {
	board := v.Board()
	names := func(set battleship.Set) []string {
		all := []string{}
		for at := range set.All() {
			all = append(all, board.Name(at))
		}
		return all
	}
	request := s.describe("shoot")
	request["hits"], request["misses"], request["open"] = names(v.Hits()), names(v.Misses()), names(board.All().AndNot(v.Shots()))
	announced := []sunk{}
	for i := range v.Sinkings() {
		k := v.Sinking(i)
		announced = append(announced, sunk{v.Fleet().Ship(k.Ship).Class, board.Name(k.At)})
	}
	request["sunk"] = announced
	var answer struct{ At string }
	if ask(s.program, s.params, s.seed, request, &answer) != nil {
		return nowhere
	}
	at, err := board.Parse(answer.At)
	if err != nil {
		return nowhere
	}
	return at
}

// daifugoPlayer returns a player of Daifugo, whose hands are open.
func daifugoPlayer(p asker, params json.RawMessage) daifugo.Player {
	return &chooser{program: p, params: params}
}

type chooser struct {
	program asker
	params  json.RawMessage
}

// Choose implements daifugo.Player. A program that fails plays a card that is not in the game,
// which loses.
func (c *chooser) Choose(p *daifugo.Position, chance *arena.Stream) (daifugo.Move, int64) {
	hands := [][]int{}
	for seat := range p.Rules().Seats {
		hands = append(hands, append([]int{}, p.Hand(seat).Kinds()...))
	}
	legal := []int{}
	for _, m := range p.Moves(nil) {
		legal = append(legal, int(m))
	}
	request := map[string]any{"do": "choose", "hands": hands, "seat": p.Turn(), "table": p.Table(), "last": p.Last(), "legal": legal}
	var answer struct{ Card *int }
	if ask(c.program, c.params, chance.Uint64(), request, &answer) != nil || answer.Card == nil || *answer.Card < 0 || *answer.Card > 255 {
		return 255, 0
	}
	return daifugo.Move(*answer.Card), 0
}

// sample asks a program for a few moves of a game and returns its answers, with commas
// between them: a deterministic program gives the same ones again.
func sample(p asker, game string, params json.RawMessage) (string, error) {
	kept := &keeping{program: p}
	chance := arena.NewStream(1, 1)
	switch game {
	case "battleship":
		r, _ := battleship.NewRules(nil)
		player := battleshipPlayer(kept, params, r)
		player.Place(&chance, make([]battleship.Placement, r.Fleet().Ships()))
		v := &battleship.View{Knowledge: battleship.NewKnowledge(r.Board(), r.Fleet()), Chance: chance}
		player.Aim(v)
		for range 8 {
			at := player.Shoot(v)
			if int(at) >= r.Board().Squares() || v.Shots().Has(at) {
				break
			}
			v.Record(at, battleship.Miss)
		}
	case chess.Name:
		player := chessPlayer(kept, params)
		v := &chess.View{Line: &chess.Line{}, Limit: chess.Limit{Nodes: 1000}, Chance: &chance}
		v.Line.Reset(chess.Start())
		player.Begin(v)
		for range 8 {
			r := player.Move(v)
			if r.Fault != chess.Open || !v.Line.IsLegal(r.Move) {
				break
			}
			v.Line.Do(r.Move)
		}
	case "daifugo":
		position, err := daifugo.New(daifugo.Rules{Seats: 4, Cards: 8, Ranks: 4})
		if err != nil {
			return "", err
		}
		player := daifugoPlayer(kept, params)
		for range 8 {
			m, _ := player.Choose(&position, &chance)
			if !position.Legal(m) {
				break
			}
			position.Play(m)
		}
	}
	return strings.Join(kept.answers, ", "), kept.err
}

// keeping keeps the answers without their ids.
type keeping struct {
	program asker
	answers []string
	err     error
}

func (k *keeping) Ask(request map[string]any) ([]byte, error) {
	line, err := k.program.Ask(request)
	var all map[string]any
	if err == nil && json.Unmarshal(line, &all) == nil {
		delete(all, "id")
		text, _ := json.Marshal(all)
		k.answers = append(k.answers, strings.ReplaceAll(string(text), ", ", ","))
	}
	if k.err == nil {
		k.err = err
	}
	return line, err
}
