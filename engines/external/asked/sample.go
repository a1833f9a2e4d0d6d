package asked

import (
	"encoding/json"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/chess"
	"sakusen/engines/daifugo"
)

// Sample asks a program for a few moves of a game and returns its answers, with commas
// between them: a deterministic program gives the same ones again.
func Sample(p Program, game string, params json.RawMessage) (string, error) {
	kept := &keeping{program: p}
	chance := arena.NewStream(1, 1)
	switch game {
	case "battleship":
		r, _ := battleship.NewRules(nil)
		player := Battleship(kept, params, r)
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
		player := Chess(kept, params)
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
		player := Daifugo(kept, params)
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
	program Program
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
