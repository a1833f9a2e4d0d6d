// Package enginespeed measures beside each other how fast two builds of a program
// search chess positions: nodes per second at a fixed number of nodes, and the time
// to a fixed depth.
//
// Flow: the first build finds how many nodes and plies make a search long enough.
// Then every round starts both builds anew, and the first one twice, and lets each
// search every position, in an order drawn at random that the next round reverses.
// The second copy of the first build is the noise floor. A round is one sample of
// each side, and the gate looks at the samples until it is decided
// ([bench.Sequential]).
//
//	m, err := enginespeed.Run(ctx, enginespeed.Options{Start: start, Rounds: 20})
//	// m.Gate, m.Comparison, m.Report
//
// What is counted is the processor time of the program, so that a machine which
// others use disturbs little; where it has several threads, or the system does not
// tell, it is the time that passes.
package enginespeed
