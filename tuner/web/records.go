package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"sync"

	"sakusen/engines/lru"
)

const (
	// longRecord bounds a replay file that is brought, bytes. One of 50 half-turns
	// with 12 units a side takes some 40 thousand.
	longRecord = 256 << 10
	// recordsKept is the number of replay files that a server remembers.
	recordsKept = 16
)

// records are the replay files that were brought last, by a digest of their
// text, so that each step of their films has an address.
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

// checkRecord holds a ticket for a replay file to its bounds.
func (t *Ticket) checkRecord(fail func(format string, args ...any)) {
	if len(t.Record) > longRecord {
		fail("record: expected at most %d bytes, got %d", longRecord, len(t.Record))
	}
	if t.brought != "" && !recordKey.MatchString(t.brought) {
		fail("record: expected the key of a replay file, got %.40q", t.brought)
	}
	if t.Game == "" || len(t.Entrants) > 0 || t.Seed != "" || t.Study != "" || t.Phase != "" || t.Block != 0 || t.Rotation != 0 {
		fail("record: expected a game and nothing but rules beside it")
	}
}

// unpack fetches the replay file that a ticket names by its key.
func (s *Server) unpack(t *Ticket) error {
	if t.brought == "" {
		return nil
	}
	text, ok := s.records.get(t.brought)
	if !ok {
		return problem(http.StatusNotFound, fmt.Sprintf("this server no longer has that replay file (it keeps the last %d): bring it again", recordsKept))
	}
	t.Record = text
	return nil
}

// bringRecord takes a replay file from the form and leads to its film.
func (s *Server) bringRecord(w http.ResponseWriter, r *http.Request) {
	t := Ticket{Game: r.URL.Query().Get("game")}
	var err error
	if t.Record, err = formRecord(r); err == nil {
		err = t.check()
	}
	var house Theatre
	if err == nil {
		house, err = s.theatre()
	}
	if err == nil {
		_, err = house.Open(r.Context(), t)
	}
	if p, ok := asProblem(err); ok && p.Status == http.StatusBadRequest && s.o.Theatre != nil {
		s.stagePage(w, r, p)
		return
	}
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	q := url.Values{"game": {t.Game}, "record": {s.records.put(t.Record)}}
	http.Redirect(w, r, "/watch/film?"+q.Encode(), http.StatusSeeOther)
}

// formRecord is the replay file of a form, its bytes as they are.
func formRecord(r *http.Request) (string, error) {
	var large *http.MaxBytesError
	switch err := r.ParseMultipartForm(maxBody); { // all of it in memory: no longer body comes through
	case errors.As(err, &large):
		return "", problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("expected at most %d bytes", large.Limit))
	case err != nil:
		return "", problem(http.StatusBadRequest, "the replay file cannot be read", "record: expected a form with a file (multipart/form-data)")
	}
	file, _, err := r.FormFile("record")
	if err != nil {
		return "", problem(http.StatusBadRequest, "the replay file cannot be read", "record: expected a replay file")
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err == nil && len(text) == 0 {
		err = problem(http.StatusBadRequest, "the replay file cannot be read", "record: expected a replay file, got an empty one")
	}
	return string(text), err
}
