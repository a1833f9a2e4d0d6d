// Package tubstapnet speaks TUBSTAP's network protocol: a referee for two
// programs, and a client that lets a player of this program play at a
// TUBSTAP server.
//
// A server sends a command in one line; a client answers "= text" and an
// empty line. After name, opponent, MAP and Color the referee asks the mover
// for one unit action after another (Genmove) and tells it to the other side
// (play). Both ends apply the rules themselves; the referee's word counts.
// A peer that is silent too long, sends no valid answer, or plays an illegal action loses
// its game, and nothing else is harmed.
//
//	result, err := (&tubstapnet.Referee{Map: m}).Play(ctx, red, blue)
//	side, err := (&tubstapnet.Client{Name: "muct", Player: p}).Play(ctx, conn)
//
// Servers listen on the loopback interface unless told otherwise: the
// protocol has neither passwords nor encryption.
//
// Source: the dialogues of the published client and a server, recorded in
// testdata (net_transcript_*.txt).
//
// Files in reading order: wire.go (lines, maps and files), client.go, referee.go.
package tubstapnet

// DefaultAddress is where a server listens and a client connects.
const DefaultAddress = "127.0.0.1:7777"
