package entry

import (
	"fmt"
	"math"
)

// Replayed is the payload of a replayed entry: how many of a study's blocks were played
// again before its verdict, all of which were the same games. A log that has no such entry
// has a verdict before which nothing was played again. It is no part of a log's digest.
type Replayed struct {
	Blocks     int64 `json:"blocks"`
	Validation int64 `json:"validation"` // of them, blocks of the validation
	Of         int64 `json:"of"`         // blocks that the log tells of
	Games      int64 `json:"games"`      // that it took, beside those of the budget
	// OneIn is the rate at which a player must play blocks otherwise, one in so many
	// on average, to be found with a chance of 95 %; 0 where nothing was replayed.
	OneIn int64 `json:"one_in"`
}

// missed is the chance that a player that plays one block in OneIn otherwise is
// not found.
const missed = 0.05

// Finds works out OneIn: n blocks, each of which differs with the chance q, show a
// difference with the chance 1 - (1-q)^n.
func (r *Replayed) Finds() {
	r.OneIn = 0
	if r.Blocks > 0 {
		r.OneIn = max(1, int64(-1/math.Expm1(math.Log(missed)/float64(r.Blocks))))
	}
}

// String says it for people.
func (r *Replayed) String() string {
	if r.Blocks == 0 {
		return fmt.Sprintf("none of %d blocks", r.Of)
	}
	proof := ""
	if r.Validation > 0 {
		proof = fmt.Sprintf(" (%d of the validation)", r.Validation)
	}
	return fmt.Sprintf("%d of %d blocks%s, all the same; so a player that plays 1 block in %d otherwise is found with a chance of 95 %%",
		r.Blocks, r.Of, proof, r.OneIn)
}

// Different is the payload of an entry that ends a study: a block was played again
// and was another game. Nothing follows it.
type Different struct {
	Phase    string   `json:"phase"`
	Seed     uint64   `json:"seed,string"`
	Block    int64    `json:"block"`
	Entrants []string `json:"entrants"` // canonical, in the order of the seats
	Rotation int      `json:"rotation"` // of the first game that differs
	Recorded string   `json:"recorded"` // its transcript digest, sixteen hexadecimal digits
	Again    string   `json:"again"`
	// Differ is how many of the Replayed blocks were other games.
	Differ   int64 `json:"differ"`
	Replayed int64 `json:"replayed"`
}
