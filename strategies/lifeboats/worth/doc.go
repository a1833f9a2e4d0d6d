// Package worth is how players of Lifeboats judge a position: the worth of each
// boat, from it the advantage of each player, and from them how far ahead a
// player is of the others, the strongest counting most. It is all that a level-0
// player knows, and what others predict it by.
//
//	B = A[steps to go] + L[leaks] + C[players aboard] + R[rank]   a boat afloat
//	B = D                                                         a boat home
//	V = sum over boats of B x crew aboard                         of a player
//	E = V - sum over opponents r of V_r^X V_r / sum over s of V_s^X
//
// With X = 0 the opponents' mean is what counts, with large X the best of them.
// L[0], C[1] and the last rank's R are 0, the origin of the scale; multiplying
// all weights by a positive number changes no vote.
//
//	m := worth.New(&weights, rules.Players())
//	var e lifeboats.Values
//	m.Evaluate(position, seat, &e)
//
// A vote changes one boat and the ranks of some others, so each option's
// advantages are the present ones plus a multiple of the boat's crew and of the
// crew at each distance; nothing is copied or summed again. The powers, most of
// the work, are multiplications for whole X to 16 and else two table look-ups
// with short polynomials (about 1e-13 relative).
//
// Source: T. Kasuya, R. Suzuki and T. Arita, "Evolution of players for a board
// game based on majority voting" (in Japanese), section 3, formulas 1 to 3. The
// clipping of negative advantages, and what a full boat's leak is worth, are
// choices of ours where the paper is silent.
package worth
