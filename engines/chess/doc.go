// Package chess is chess: positions, legal moves, notation, results, openings, and
// the game as the arena plays it. Strategies stand in strategies/chess; engines
// of other people in engines/external.
//
//	p := chess.Start()
//	for _, m := range p.Legal(nil) {
//		fmt.Println(p.SAN(m))
//	}
//
// Rules: FIDE Laws of Chess, 2023; notation: the standards of Portable Game
// Notation and of Forsyth and Edwards (S. J. Edwards, 1994) and UCI (S. Meyer-Kahlen
// and R. Huber, 2006). Draws by repetition, fifty moves and too little material are
// given without a claim, as matches of programs do.
//
// Files in reading order: piece.go, position.go, legal.go (attacks and moves), line.go
// (a game so far), notation.go (of positions and moves) and pgn.go, rules.go, book.go (openings), referee.go,
// games.go.
package chess
