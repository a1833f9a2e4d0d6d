package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
	"sakusen/tuner/web/films"
)

// queryTicket reads a ticket from the address of a page.
func queryTicket(r *http.Request) (films.Ticket, error) {
	in, err := api.V1.WatchFilm.Decode(r)
	if err == nil {
		err = checkTicket(&in.Ticket)
	}
	return in.Ticket, err
}

// queryRules returns the options of the rules in an address.
func queryRules(q url.Values) map[string]films.Text {
	rules := map[string]films.Text{}
	for name := range q {
		if option, ok := strings.CutPrefix(name, "rule."); ok && q.Get(name) != "" {
			rules[option] = films.Text(q.Get(name))
		}
	}
	return rules
}

// checkTicket holds a ticket to its bounds.
func checkTicket(t *films.Ticket) error {
	t.Seed = films.Text(strings.TrimSpace(string(t.Seed)))
	var bad []string
	fail := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	if len(t.Entrants) > mostEntrants {
		fail("entrants: expected at most %d, got %d", mostEntrants, len(t.Entrants))
	}
	for i, text := range t.Entrants {
		if len(text) > longEntrant {
			fail("entrants[%d]: expected at most %d bytes, got %d", i, longEntrant, len(text))
		}
	}
	if len(t.Rules) > mostRules {
		fail("rules: expected at most %d, got %d", mostRules, len(t.Rules))
	}
	for name, value := range t.Rules {
		if len(name) > longEntrant || len(value) > longRule {
			fail("rules: %.40q: expected at most %d bytes, got %d", name, longRule, len(name)+len(value))
		}
	}
	if t.Seed != "" {
		if _, err := param.ParseSeed(string(t.Seed)); err != nil {
			fail("seed: %v", err)
		}
	}
	if t.Block < 0 || t.Block > mostBlock {
		fail("block: expected an integer from 0 to %d, got %d", int64(mostBlock), t.Block)
	}
	if t.Rotation < 0 || t.Rotation > mostEntrants || t.Opponent < 0 || t.Trial < 0 {
		fail("rotation, opponent, trial: expected no negative number and a rotation of at most %d", mostEntrants)
	}
	switch {
	case t.Record != "" || t.Key != "":
		checkRecord(t, fail)
	case t.Study == "" && t.Game == "":
		fail("expected a game with its entrants, or a study and a trial")
	case t.Study != "" && (t.Game != "" || len(t.Entrants) > 0 || len(t.Rules) > 0 || t.Seed != ""):
		fail("study: expected no game, entrants, rules or seed, which the study has")
	case t.Study != "" && !studyName.MatchString(t.Study):
		fail("study: expected the name of a study, got %.40q", t.Study)
	}
	if t.Instead == "baseline" && t.Study == "" {
		fail("instead: expected also a study and a trial, whose place the baseline takes")
	}
	if len(bad) > 0 {
		return service.New(service.Invalid, "the game cannot be shown", bad...)
	}
	return nil
}

// ticketQuery returns a ticket as an address has it, in a fixed order.
func ticketQuery(t *films.Ticket) url.Values {
	q := api.V1.WatchFilm.Query(&api.StoredFilm{Ticket: *t})
	if t.Study != "" {
		q.Set("trial", strconv.Itoa(t.Trial))
	}
	return q
}

// pairs returns an address's names and values, sorted, for hidden fields.
func pairs(q url.Values) [][2]string {
	var out [][2]string
	for _, name := range slices.Sorted(maps.Keys(q)) {
		for _, value := range q[name] {
			out = append(out, [2]string{name, value})
		}
	}
	return out
}

// checkRecord checks the size of a replay file, or the form of its key.
func checkRecord(t *films.Ticket, fail func(format string, args ...any)) {
	if len(t.Record) > longRecord {
		fail("record: expected at most %d bytes, got %d", longRecord, len(t.Record))
	}
	if t.Key != "" && !recordKey.MatchString(t.Key) {
		fail("record: expected the key of a replay file, got %.40q", t.Key)
	}
	if t.Game == "" || len(t.Entrants) > 0 || t.Seed != "" || t.Study != "" || t.Phase != "" || t.Block != 0 || t.Rotation != 0 {
		fail("record: expected only a game, and rules if needed, beside it")
	}
}

const (
	// longRecord bounds a replay file that is uploaded, bytes. A game of 50 half-turns with
	// 12 units a side takes about 40 thousand.
	longRecord = 256 << 10
	// recordsKept is the number of replay files that a server remembers.
	recordsKept = 16
)

// recordKey is what names a replay file in addresses.
var recordKey = regexp.MustCompile(`^[0-9a-f]{32}$`)

// keepRecord keeps a replay file, so that each step of its film has an address, and returns its
// key: a digest of the text.
func (s filmAPI) keepRecord(text string) string {
	sum := sha256.Sum256([]byte(text))
	key := hex.EncodeToString(sum[:16])
	s.records.put(key, text)
	return key
}

// unpack gets the text of the replay file that a ticket names by its key.
func (s filmAPI) unpack(t *films.Ticket) error {
	if t.Key == "" {
		return nil
	}
	text, ok := s.records.get(t.Key)
	if !ok {
		return service.New(service.NotFound, fmt.Sprintf("this server no longer has that replay file (it keeps the last %d): upload it again", recordsKept))
	}
	t.Record = text
	return nil
}

// bringRecord takes a replay file from the form and redirects to its film.
func (s filmAPI) bringRecord(w http.ResponseWriter, r *http.Request) error {
	t := films.Ticket{Game: r.URL.Query().Get("game")}
	var err error
	if t.Record, err = formRecord(r); err == nil {
		err = checkTicket(&t)
	}
	var studio Studio
	if err == nil {
		studio, err = s.studio()
	}
	if err == nil {
		_, err = studio.Open(r.Context(), t)
	}
	if p, ok := asProblem(err); ok && p.Status == http.StatusBadRequest && s.o.Studio != nil {
		return s.stagePage(w, r, p)
	}
	if err != nil {
		return err
	}
	q := url.Values{"game": {t.Game}, "record": {s.keepRecord(t.Record)}}
	http.Redirect(w, r, "/watch/film?"+q.Encode(), http.StatusSeeOther)
	return nil
}

// formRecord returns the replay file of a form, its bytes as they are.
func formRecord(r *http.Request) (string, error) {
	var large *http.MaxBytesError
	switch err := r.ParseMultipartForm(maxBody); { // all in memory: the body is bounded by maxBody
	case errors.As(err, &large):
		return "", problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("expected at most %d bytes", large.Limit))
	case err != nil:
		return "", service.New(service.Invalid, "the replay file cannot be read", "record: expected a form with a file (multipart/form-data)")
	}
	file, _, err := r.FormFile("record")
	if err != nil {
		return "", service.New(service.Invalid, "the replay file cannot be read", "record: expected a replay file")
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err == nil && len(text) == 0 {
		err = service.New(service.Invalid, "the replay file cannot be read", "record: expected a replay file, got an empty one")
	}
	return string(text), err
}
