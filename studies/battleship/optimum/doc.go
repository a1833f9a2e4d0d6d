// Package optimum bounds from below, and on small boards works out, the expected shots
// that any attack needs to sink a fleet which lies uniformly at random among all its
// placements, ships told apart, and which is announced ship by ship when it sinks.
//
//	b := optimum.NewBound(board, fleet) // any board on which placements can be counted
//	b.Misses, b.Shots                   // no attack expects fewer
//	s, err := optimum.Solve(board, fleet, limit)
//	s.Shots()                           // what the best attack expects
//
// Source: ours; the proof of the bound is told at Bound.
package optimum
