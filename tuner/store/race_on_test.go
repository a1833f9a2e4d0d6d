//go:build race

package store

// underRace says that this binary is slow: each point is killed at once only.
const underRace = true
