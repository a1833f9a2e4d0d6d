// Package lifeboats holds the rules of Lifeboats (Rette Sich Wer Kann), a game
// of 3 to 6 players that proceeds by nothing but votes: which boat leaks, who
// leaves a full boat that leaks, which boat moves on. Every player has seven
// crew, dealt at random over boats of six seats; there is one boat more than
// players. A boat that has moved three steps is home and its crew saved; at its
// fourth leak it is lost with all players aboard. Most crew saved wins.
//
// A [Position] is the whole game between two votes, and every player sees it; a [View] is a
// position as one seat is asked about it. The referee collects all votes of a seat's round
// before it reveals any, so a player knows the board and never a ballot that is still open.
//
//	func (p *player) Vote(v *lifeboats.View) int {
//		return v.Options().Nth(v.Chance.IntN(v.Options().Len()))
//	}
//
// A player may disclose how it judges what would follow each option (its
// [Model]); others can then predict it. What it favours is worked out once a
// vote, however many ask: see [View.Favourites].
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 2. What the paper
// leaves open are options of the rules: ties of votes and of games. The board
// game itself has more: captains, crew that changes boats, trump cards, chosen
// places, and boats of different worth.
//
// Files in reading order: position.go, rules.go (with ballots and players), referee.go,
// story.go.
package lifeboats
