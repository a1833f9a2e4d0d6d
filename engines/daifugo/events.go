package daifugo

// Dealt is shown to whoever watches a game: the hands, before the first move.
type Dealt struct{ Position Position }

// Played is shown to whoever watches a game: a seat has made a move.
type Played struct {
	Seat     int
	Move     Move
	Illegal  bool     // it ends the game
	Position Position // after the move; before it, where it is illegal
}
