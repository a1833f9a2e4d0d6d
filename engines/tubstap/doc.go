// Package tubstap holds the rules of TUBSTAP 0.108, the academic platform for turn-based
// strategy games of JAIST (Murayama, Fujiki and Ikeda, 2014). Two teams of up to six kinds of
// unit play on a rectangular map; every unit of a side acts once in a turn; combat has no
// chance.
//
// The flow: ParseMap reads a map, Map.Start gives the State at its first
// turn, the state lists actions (AppendAttacks, AppendMoves, AppendActions),
// does them (Do, EndTurn) and knows when the game is over (Over, Result). Record is the replay of a game, Report its
// line in a table of results. Strategies stand in strategies/tubstap; the
// fast boards for playouts in the folders narrow and wide.
//
//	m, _, err := tubstap.ParseMap(data)
//	s := m.Start(tubstap.Rules{})
//	for !s.Over() {
//		acts = s.AppendActions(acts[:0], s.FirstUnmoved())
//		s.Do(acts[0])
//		if s.TurnDone() {
//			s.EndTurn()
//		}
//	}
//
// Coordinates count the border: playable cells are 1..SizeX-2 by 1..SizeY-2,
// row 0 on top. HP are whole points, turns are half-turns (one side's).
//
// Sources: the behaviour of the published program 0.108 as recorded in
// testdata, and Sagehashi, Muto and Nishino, "The effect of switching
// strategies by the number of legal moves in turn-based strategy games",
// IPSJ SIG Technical Report 2017-GI-37 No. 10, sections 2 and 4.
//
// Files in reading order: rules.go (with kinds of units, terrain and combat), map.go with
// mapparse.go and generate.go, state.go, actions.go, game.go, replay.go (files),
// referee.go.
package tubstap
