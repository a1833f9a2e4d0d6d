// Package elsewhere is the game "external": one whose rules another program
// owns. A game is played by asking that program once; what comes back is who
// was best. All seats of a game belong to one program, which is told what each
// plays with.
//
// Files in reading order: game.go (the game, what is asked and answered),
// declaration.go (the game that a study file declares).
package elsewhere
