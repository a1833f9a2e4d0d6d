// Package uci speaks the Universal Chess Interface and its relatives with programs
// that play: it starts one, reads what options it offers, sets them, and asks for
// moves under a limit. It knows no rules of chess; moves are texts.
//
//	engine, err := uci.Start(keeper, uci.Program{Command: process.Command{Args: []string{"stockfish"}}})
//	err = engine.NewGame([]uci.Setting{{Name: "Hash", Value: "16"}})
//	answer, err := engine.Go("position startpos", uci.Go{Nodes: 1000})
//	fmt.Println(answer.Best, answer.Score)
//
// What a program does wrong is a *Fault, told apart by kind; the game it plays is
// lost by it, and nothing else is disturbed. Every wait has a deadline.
//
// Source: S. Meyer-Kahlen and R. Huber, "Description of the universal chess
// interface" (April 2006).
//
// Files in reading order: engine.go (a running program), answer.go (what it says:
// answers, faults, dialects, options).
package uci
