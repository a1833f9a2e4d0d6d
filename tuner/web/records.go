package web

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"sync"

	"sakusen/engines/lru"
)

const (
	// longRecord bounds a replay file that is uploaded, bytes. A game of 50 half-turns with
	// 12 units a side takes about 40 thousand.
	longRecord = 256 << 10
	// recordsKept is the number of replay files that a server remembers.
	recordsKept = 16
)

// records are the replay files that were uploaded last, by a digest of their text, so that
// each step of their films has an address.
type records struct {
	mu    sync.Mutex
	texts *lru.Cache[string, string]
}

// recordKey is what names a replay file in addresses.
var recordKey = regexp.MustCompile(`^[0-9a-f]{32}$`)

func newRecords() *records { return &records{texts: lru.New[string, string](recordsKept)} }

// put keeps a replay file and returns its key.
func (r *records) put(text string) string {
	sum := sha256.Sum256([]byte(text))
	key := hex.EncodeToString(sum[:16])
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts.Put(key, text)
	return key
}

// get finds a replay file.
func (r *records) get(key string) (text string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.texts.Get(key)
}
