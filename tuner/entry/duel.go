package entry

// Duel is the payload of a duel entry: a pair of trials that met each other. Both
// are complete with it.
type Duel struct {
	Duel     int      `json:"duel"` // from 0, over the whole study
	A        int      `json:"a"`
	B        int      `json:"b"`
	From     int64    `json:"from"`     // its first block; no two duels share one
	Evidence Evidence `json:"evidence"` // from A's side

	Played *Played `json:"played,omitempty"`
}
