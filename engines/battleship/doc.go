// Package battleship holds the rules of Battleship: a rectangular board of up to 16 x 16
// squares, a fleet of straight ships placed freely (touching is allowed, overlapping and
// bending are not), and one shot a turn. There are three answers: miss, hit, or sunk with the
// class of the ship.
//
// A [Board] is geometry, a [Fleet] is the ships. A [Knowledge] is everything a shooter has been
// told, and what follows from it at once. That is the ships afloat, the sunk ships whose place
// is settled, the hits still open, the squares that can hold nothing and the squares still
// unknown. Strategies see a Knowledge and never the enemy's board.
//
// [Game] tells the arena about it. A [Player] places a fleet and shoots from a
// [View], which is a Knowledge and the seat's chance. Attacks never depend on
// one's own board, so the referee lets each side shoot on its own until the
// enemy fleet is sunk. The first player wins if it needs no more shots than
// the second, and metrics tell both the game as played and what would have
// followed.
//
// A shooter's turn reads
//
//	board, _ := battleship.NewBoard(10, 10)
//	k := battleship.NewKnowledge(board, battleship.Classic())
//	unknown := k.Unknown()
//	at := unknown.Nth(unknown.Len() / 2)
//	k.Record(at, battleship.Miss)
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing Strategies in a Classic
// Battleship Game without Considering Opponent Models", 2002, sections 2 and 3. Fleet 5, 4, 3,
// 3, 2 on 10 x 10 squares, no second shot after a hit, only the class of a sunk ship announced,
// squares that obviously hold no ship not counted as unknown (figure 2).
//
// Files in reading order: board.go and set.go, rules.go (with fleets), knowledge.go (what a shooter
// knows), referee.go (with what players see).
package battleship
