package contest

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"

	"sakusen/engines/arena"
)

// digest is the digest of games: of the lines "block,rotation,transcript digest" of a
// series, in order.
type digest struct {
	hash hash.Hash
	line []byte
}

func newDigest() *digest { return &digest{hash: sha256.New()} }

// add adds the games of a run.
func (d *digest) add(r *arena.Run) {
	for i, game := range r.Digests[:r.Blocks*r.Rotations] {
		d.line = strconv.AppendInt(d.line[:0], r.From+int64(i/r.Rotations), 10)
		d.line = append(d.line, ',')
		d.line = strconv.AppendInt(d.line, int64(i%r.Rotations), 10)
		d.line = append(d.line, ',')
		for shift := 60; shift >= 0; shift -= 4 {
			d.line = append(d.line, "0123456789abcdef"[game>>shift&15])
		}
		d.hash.Write(append(d.line, '\n'))
	}
}

// sum is the digest of all games added so far, in hexadecimal.
func (d *digest) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }
