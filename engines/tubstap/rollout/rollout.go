// Package rollout says what a tree search asks of a board, and holds the
// plain board: short, slow and right. The fast boards in ../narrow and
// ../wide promise the same answers from the same random numbers.
//
// A board stands on a root state. A search walks down from it (Reset, then
// Turn and Do for each node), lists the actions there (Expand), and plays on
// at random to the end (Playout). Everything is seen from the root's mover,
// the root side; nothing is allocated once lists have grown.
//
//	b.Reset()
//	b.Do(children[i])
//	reward := b.Playout(&chance)
//
// Source: M-UCT (Muto and Nishino; Sagehashi, Muto and Nishino 2017, section
// 3.2) as implemented in TUBSTAP 0.108.
package rollout

import "sakusen/engines/tubstap"

// Weights are the worth of a kind's HP, for Sketch and Gain.
type Weights [tubstap.Kinds]int32

// Move is an action packed for a tree: unit, target and cell. Its meaning
// belongs to the board that listed it (Board.Action).
type Move uint32

// Config is the rules of a playout, as the search wants it.
type Config struct {
	// Attack is the chance that a unit action is drawn from the attacks, if
	// there are any, in per cent. The program has 80.
	Attack int
	// Corrected playouts begin with the side to move and end at once when a
	// side has no unit; the program's begin with the root side and notice
	// only after both sides have moved.
	Corrected bool
	// Equal is the reward, in halves, for a lead in HP equal to the map's
	// threshold: 2 in the program's playouts, 1 by the rules.
	Equal int
	// Candidates, if 2 or more, is the number of attacks drawn for one action of a
	// corrected playout. The one of greatest gain is made, if its gain is above 0;
	// otherwise the unit moves or another attack is drawn. Gains are in weights of Worth.
	Candidates int
	Worth      Weights
}

// Reference is the program's own configuration.
func Reference() Config { return Config{Attack: 80, Equal: 2} }

// Expansion says how a node is entered before its children are done.
type Expansion struct {
	Clear bool // both sides' units become unmoved
	Bump  bool // a half-turn is counted
	Root  bool // the root side moves
}

// Board is a root state with a position below it.
type Board interface {
	// Reset goes back to the root.
	Reset()
	// Do applies a move listed by Expand in this position.
	Do(m Move)
	// Turn prepares the position for its children, as Expand has told.
	Turn(e Expansion)
	// Expand lists the children of the position and how to enter it; it
	// prepares the position as Turn does. At the root, only the root side's
	// actions are listed and nothing is counted.
	Expand(list []Move, root bool) ([]Move, Expansion)
	// Playout plays to the end and returns the reward of the root side in halves: 0, 1 or
	// 2. The board's position is lost by it.
	Playout(c *Chance) int
	// Sketch plays on for at most so many half-turns, the current one included, on a board
	// of corrected rules. It returns the root side's lead in weighted HP and, if the game
	// is over then, the reward in halves. The board's position is lost by it.
	Sketch(c *Chance, halfTurns int, w *Weights) (lead, reward int, over bool)
	// Gain is what a move of this position changes in the mover's lead at
	// once: weighted HP taken less those lost.
	Gain(m Move, w *Weights) int
	// Advance ends the mover's turn if it is done, as the rules have it (for
	// corrected searches, which do not use Turn), and says whether the game
	// is over and with what reward in halves.
	Advance() (over bool, reward int)
	// Annihilated says whether a side has no unit.
	Annihilated() bool
	// RootMoves says whether the root side is to move, after Advance.
	RootMoves() bool
	// Commit applies a move of the root to the root itself. Moves listed
	// before stay valid.
	Commit(m Move)
	// Action is the move as the rules know it, where it was listed.
	Action(m Move) tubstap.Action
}
