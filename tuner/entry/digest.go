package entry

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
)

// Digest returns the lower-case hexadecimal sha256 of a log, one line "kind payload" an
// entry: the same for two runs of the same study, however often either was killed and
// resumed. Entries of kind [KindReplayed] are left out: how many blocks were played again
// depends on what the cache of blocks held, and not on the study.
func Digest(log []Entry) string {
	var d Digester
	for _, e := range log {
		d.Add(e)
	}
	return d.Sum()
}

// Digester works out the digest of a log that is read entry by entry. The zero value has
// read none.
type Digester struct{ hash hash.Hash }

// Add adds the next entry.
func (d *Digester) Add(e Entry) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	if e.Kind != KindReplayed {
		fmt.Fprintf(d.hash, "%s %s\n", e.Kind, e.Payload)
	}
}

// Sum returns the digest of the entries so far.
func (d *Digester) Sum() string {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	return hex.EncodeToString(d.hash.Sum(nil))
}
