// Package chess is the ways to play chess that are ours, and the scene that draws a game.
// Engines are registered by name (engines/external).
//
// Files: random.go; scene.go.
package chess
