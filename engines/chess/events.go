package chess

// Began is the event of a game's start: the position, and the moves that were
// made before the players began.
type Began struct {
	Start   Position
	Opening []Move
	Limit   Limit
}

// Moved is the event of a move.
type Moved struct {
	Move     Move
	SAN      string
	Position Position // after it
	Reply    Reply    // with what the player told of it
}

// Ended is the event of a game's end.
type Ended struct {
	Position Position // its side to move has lost, where the ending decides
	Ending   Ending
	Said     string // by a player in its fault
}
