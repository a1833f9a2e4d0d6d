package asked

import (
	"encoding/json"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
)

// nowhere is a square of no board: what a program that fails places and shoots at, which
// loses the game.
const nowhere battleship.Square = 1<<8 - 1

// Battleship is a player of Battleship.
func Battleship(p Program, params json.RawMessage, r *battleship.Rules) battleship.Player {
	return &shooter{program: p, params: params, rules: r}
}

type shooter struct {
	program Program
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
