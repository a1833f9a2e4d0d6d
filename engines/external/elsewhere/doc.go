// Package elsewhere is the game "external": one whose rules a program of somebody
// else owns. A game is played by asking that program once; what comes back is who
// was best. All seats of a game belong to one program, which is told what each
// plays with.
package elsewhere
