package asked

import (
	"encoding/json"
	"fmt"

	"sakusen/engines/chess"
)

// Chess is a player of chess.
func Chess(p Program, params json.RawMessage) chess.Player {
	return &mover{program: p, params: params}
}

type mover struct {
	program Program
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
