// Study a-study: mp of battleship, exported by sakusen.
// Claimed by the search: 34.9 Elo.
// Validated: pass, +35 Elo [30, 40], 1000 blocks, attempt 1.
// Bounds: a gain above -500 Elo, where -400 is hoped for; alpha 0.0152, beta 0.05.
// Baseline: checkerboard(hunt=classes).
// Seed 7, 2000 games, commit unknown, signature mp:1, study created 2026-01-02T03:04:05Z, spec ab.

package mp

const (
	StartSquares   = 70
	PlaceKind      = "it's"
	Rate           = 0.25
	PlaceSeparated = true
)
