// Package daifugo has the rules of Daifugo, simplified and played with open
// hands unless asked otherwise: who may play what, when the table clears, who finishes where.
//
// Every seat holds at most one card of each kind 1..C. On an empty table the
// player to move must play a card; otherwise a strictly higher card than the
// table's is played, or the player passes, which is always allowed and has no later effect.
// When the turn comes round to the seat that played last, the table clears. A player
// who holds no card any more is out. The first player who goes out has rank 1, the next
// rank 2, and so on. If only ranks 1..K are asked for, the game ends as soon as K-1 players
// are out, and rank K means "K-th or worse".
//
// With the option hands=hidden a player sees its own hand, how many cards the others
// hold and what was played (View); the rules are the same.
//
// Place in the flow: strategies/daifugo searches positions of this
// package, strategies/daifugo solves all of them, and the players
// under strategies/daifugo choose moves in them. Nothing here chooses.
//
//	p, err := daifugo.New(daifugo.Rules{Seats: 3, Cards: 3, Ranks: 3})
//	if err != nil { ... }
//	p.Play(daifugo.Move(1)) // seat 0 plays its 1; the turn is seat 1's
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", section 4.1. What the paper leaves open (who leads after a player
// went out, that a player who passed may play again) was settled by the node
// counts it prints.
//
// Files in reading order: position.go, rules.go (with the game of one seat), opening.go (with closed
// hands, and positions in canonical form), referee.go.
package daifugo
