// Package model is the attack OM, which thinks about where people put their
// ships: it takes the enemy's placement for one of several, R, ED1, ED2, PK and
// their separated forms, believes each as far as what it has seen agrees, and
// shoots at the square that most likely holds a ship.
//
//	rules.Entrant("model")                      // OM
//	rules.Entrant("model(weight.packed=0)")     // one that never packs
//
// # Belief
//
// Let Nc(K) be the number of placements of component c that agree with the
// answers K. Each component draws its placements evenly, so by Bayes the
// belief in it is in proportion to its prior times Nc(K) / Nc(nothing), and the
// probability of a hit is the mean of the components' under that belief:
//
//	P(s) = sum of belief(c) Nc(K, ship on s) / Nc(K)
//
// R, ED1 and ED2 are counted exactly, as if all squares outside their area had
// been missed (package count). Their separated forms are counted so too, the
// squares beside sunk ships missed as well; that ships afloat may touch each
// other in that count is made up for in Nc by the power of the share of
// separated placements that their pairs have in all pairs of the fleet. Hits
// that touch a settled ship, and sinkings that leave its place open, rule the
// separated forms out. PK has no closed form: it is a sample of fixed size,
// drawn once with a fixed key, that is believed as long as enough of it agrees;
// R always is, so there is something to believe in. With more than five ships
// or so, where not all placements can be counted, R is all that is believed in.
//
// # One game at a time
//
// Nothing is carried from one game to the next: a block's result must not
// depend on the games that its worker has played before. What is learnt over
// games is the prior, the weights, which are parameters for a study to find.
//
// Source: ours. Opponent models are what M. Sakuta and H. Iida, "Evaluation of
// Attacking and Placing Strategies in a Classic Battleship Game without
// Considering Opponent Models", 2002, left for later (section 7).
package model
