package entry

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Digest returns the lower-case hexadecimal sha256 of a log, one line "kind payload" an
// entry: the same for two runs of the same study, however often either was killed and
// resumed. Entries of kind [KindReplayed] are left out: how many blocks were played again
// depends on what the cache of blocks held, and not on the study.
func Digest(log []Entry) string {
	h := sha256.New()
	for _, e := range log {
		if e.Kind != KindReplayed {
			fmt.Fprintf(h, "%s %s\n", e.Kind, e.Payload)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
