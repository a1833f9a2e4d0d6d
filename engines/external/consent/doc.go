// Package consent is the games whose rules the two programs that play know and this
// program does not: each tells how it sees the position, and where the two do not agree
// the block is void and counted. The game "go" is played by programs that speak GTP, the
// game "ugi" by those that speak UGI, or USI or UAI.
//
// Files in reading order: rules.go (options of the games and what a player is asked),
// referee.go (a game, and how its block is kept or void).
package consent
