package chess

import "slices"

// Ending is why a game is over.
type Ending uint8

// The endings. From Checkmate to Material the rules of chess say so; the others
// are given by the referee.
const (
	Open       Ending = iota // the game goes on
	checkmate                // the side to move has lost
	stalemate                // a draw, as are the next three
	repetition               // the same position for the third time
	fiftyMoves               // a hundred plies without a capture or a pawn's move
	material                 // too little on the board for any mate
	tooLong                  // the rule most_plies
	agreed                   // both sides have long seen no advantage
	resigned                 // the side to move sees itself lost
	illegal                  // the side to move made no legal move
	Crashed                  // the program of the side to move is gone
	Stalled                  // it did not answer in time, without a clock
	OutOfTime                // its clock has run out
	Garbled                  // it answered what is no move
)

var endings = [...]string{
	"open", "checkmate", "stalemate", "repetition", "fifty moves", "material", "too long", "agreed", "resigned",
	"illegal move", "crash", "stall", "out of time", "protocol",
}

// String returns a short name.
func (e Ending) String() string { return endings[e] }

// fault reports whether the side to move has lost by a fault.
func (e Ending) fault() bool { return e >= illegal }

// Decided reports whether the side to move has lost; an ending that does not decide
// the game is a draw.
func (e Ending) Decided() bool { return e == checkmate || e == resigned || e.fault() }

// Line is a game so far: the position it began from and its moves. It is reused
// for many games.
type Line struct {
	start Position
	now   Position
	moves []Move
	keys  []uint64 // of the positions before each move
	legal []Move   // in the position reached
}

// Reset begins a game.
func (l *Line) Reset(start Position) {
	l.start, l.now = start, start
	l.moves, l.keys = l.moves[:0], l.keys[:0]
	l.legal = l.now.Legal(l.legal[:0])
}

// Start returns the position from which the game began.
func (l *Line) Start() *Position { return &l.start }

// Now returns the position reached. It must not be changed.
func (l *Line) Now() *Position { return &l.now }

// Moves returns the moves made. The list must not be changed or kept.
func (l *Line) Moves() []Move { return l.moves }

// Legal returns the legal moves now. The list must not be changed or kept.
func (l *Line) Legal() []Move { return l.legal }

// IsLegal reports whether a move is legal now.
func (l *Line) IsLegal(m Move) bool {
	return slices.Contains(l.legal, m)
}

// Do makes a legal move.
func (l *Line) Do(m Move) {
	l.keys = append(l.keys, l.now.key)
	l.moves = append(l.moves, m)
	l.now.Do(m)
	l.legal = l.now.Legal(l.legal[:0])
}

// Ending returns what the rules of chess say of the position reached. Mate goes before
// all draws.
func (l *Line) Ending() Ending {
	switch {
	case len(l.legal) == 0 && l.now.Check():
		return checkmate
	case len(l.legal) == 0:
		return stalemate
	case l.now.dead():
		return material
	case l.now.quiet >= 100:
		return fiftyMoves
	case l.times() >= 3:
		return repetition
	}
	return Open
}

// times returns how often the position has been on the board. Positions before the last
// capture or pawn move cannot come back.
func (l *Line) times() int {
	n := 1
	for back := 4; back <= l.now.quiet && back <= len(l.keys); back += 2 {
		if l.keys[len(l.keys)-back] == l.now.key {
			n++
		}
	}
	return n
}

// dead reports whether neither side has the material for any mate: kings alone, with
// a single knight, or with bishops that all stand on squares of one colour.
func (p *Position) dead() bool {
	if p.by[Pawn]|p.by[Rook]|p.by[Queen] != 0 {
		return false
	}
	bishops := p.by[Bishop]
	if p.by[Knight] != 0 {
		return bishops == 0 && p.by[Knight].rest() == 0
	}
	return bishops&dark == 0 || bishops&^dark == 0
}
