package tubstapnet

import (
	"fmt"

	"sakusen/engines/tubstap"
)

// Told is a finished game as it is told to people and scripts.
type Told struct {
	Game      int    `json:"game"`
	Map       string `json:"map,omitempty"` // a client is not told its name
	Red       string `json:"red"`
	Blue      string `json:"blue"`
	Winner    string `json:"winner"` // red, blue or draw
	Ending    string `json:"ending"` // annihilation, resignation, turnlimit or fault
	HalfTurns int    `json:"half_turns"`
	HP        [2]int `json:"hp"`
	Fault     string `json:"fault,omitempty"`
	Replay    string `json:"replay,omitempty"`
}

// tell describes a game; fault is why it ended early, or nil.
func tell(n int, g *tubstap.Game, winner tubstap.Team, fault error) Told {
	_, end := g.State.Result()
	out := Told{
		Game: n, Map: g.Record.Map.Name, Red: g.Record.Red, Blue: g.Record.Blue, Winner: "draw",
		Ending: end.String(), HalfTurns: g.State.Counter(),
		HP: [2]int{g.State.HP(tubstap.Red), g.State.HP(tubstap.Blue)},
	}
	if winner != tubstap.Nobody {
		out.Winner = winner.String()
	}
	if fault != nil {
		out.Ending, out.Fault = "fault", fault.Error()
	}
	return out
}

// String is the game for people.
func (g Told) String() string {
	where, result := "", "draw"
	if g.Map != "" {
		where = " on " + g.Map
	}
	if g.Winner != "draw" {
		result = g.Winner + " wins"
	}
	text := fmt.Sprintf("game %d%s: red %s against blue %s: %s, %s after %d half-turns, HP %d to %d",
		g.Game, where, g.Red, g.Blue, result, g.Ending, g.HalfTurns, g.HP[0], g.HP[1])
	if g.Fault != "" {
		text += " (" + g.Fault + ")"
	}
	return text
}
