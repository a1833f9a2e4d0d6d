// Package arenatest holds the promises that every game keeps, as a battery of
// tests that a game's own test calls:
//
//	func TestConformance(t *testing.T) {
//		arenatest.Run(t, arena.Enter(mygame.Game(), random.Strategy), arenatest.Options{
//			Entrants: []string{"random", "greedy(depth=2)"},
//			Golden:   "testdata/playthrough.txt",
//		})
//	}
//
// The idea of one battery for all games and of playthroughs that a person can
// read follows OpenSpiel (Lanctot et al. 2019).
package arenatest
