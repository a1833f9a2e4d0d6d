// Package replay plays a sample of the counted blocks again, and compares every game with its
// record. A player that depends on a clock, on a counter that other games change, or on the
// order of a map does not play the same way twice, and measurements of it mean little.
//
//	w := replay.Study{Setup: setup, Host: pool, Blocks: cache}
//	told, err := w.Again(ctx, log) // err is a *tuner.DifferentError
//
// A study does so before its verdict, by a sample of what its log tells of
// ([Study]); a match or a tournament after its last game, by a sample of what it
// was handed ([Sample]). Which blocks are sampled is a function of the games and of
// who has sent them alone, so that it is the same however often they were
// interrupted. Each worker's are among them: else one that has sent few could lie.
package replay
