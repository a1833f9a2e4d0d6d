package tournament

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"sakusen/engines/arena"
)

// lines hashes the lines "block,rotation,transcript digest" of a series, in
// order: the digest of a match.
type lines struct{ hash hash.Hash }

func newLines() lines { return lines{sha256.New()} }

func (l lines) add(r *arena.Run) {
	for i, d := range r.Digests {
		fmt.Fprintf(l.hash, "%d,%d,%016x\n", r.From+int64(i/r.Rotations), i%r.Rotations, d)
	}
}

func (l lines) sum() string { return hex.EncodeToString(l.hash.Sum(nil)) }
