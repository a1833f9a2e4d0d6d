// Package consent is the games whose rules nobody here knows: two programs of other
// people play, each tells how it sees the position, and where the two do not agree the
// block is void and counted. The game "go" is played by programs that speak GTP, the
// game "ugi" by those that speak UGI, or USI or UAI.
package consent
