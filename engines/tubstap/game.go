package tubstap

import "fmt"

// Game is a game in progress and its record.
type Game struct {
	State  *State
	Record ReplayFile
	turn   Turn
}

// NewGame starts recording at the state, which stands at the start of a
// turn of its map.
func NewGame(s *State) *Game {
	g := &Game{State: s, Record: ReplayFile{Map: s.m, Rule: ruleSet}}
	g.turn = Turn{Index: s.counter, Team: s.mover}
	g.skip()
	return g
}

// Play does one action and ends the turn when it is done. An illegal action changes nothing.
func (g *Game) Play(a Action) error {
	if g.State.Over() {
		return fmt.Errorf("the game is over")
	}
	if err := g.State.Check(a); err != nil {
		return err
	}
	g.turn.Steps = append(g.turn.Steps, g.State.StepOf(a))
	g.State.Do(a)
	if g.State.TurnDone() {
		g.close()
		g.skip()
	}
	return nil
}

// EndTurn lets every unmoved unit stay and ends the turn.
func (g *Game) EndTurn() {
	if g.State.Over() {
		return
	}
	g.stay()
	g.close()
	g.skip()
}

// Resign gives the game up for the mover; its units stay.
func (g *Game) Resign() {
	if g.State.Over() {
		return
	}
	g.stay()
	g.State.resign()
	g.close()
}

func (g *Game) stay() {
	for id := g.State.FirstUnmoved(); id != NoUnit; id = g.State.FirstUnmoved() {
		u := g.State.units[id]
		a := Action{Unit: int16(id), X: u.X, Y: u.Y, Target: NoUnit}
		g.turn.Steps = append(g.turn.Steps, g.State.StepOf(a))
		g.State.Do(a)
	}
}

// close ends the turn in the state and in the record.
func (g *Game) close() {
	g.Record.Turns = append(g.Record.Turns, g.turn)
	g.State.EndTurn()
	g.turn = Turn{Index: g.State.counter, Team: g.State.mover}
}

// skip closes turns in which no unit can act, as when all were loaded
// finished.
func (g *Game) skip() {
	for !g.State.Over() && g.State.TurnDone() {
		g.close()
	}
}
