package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"sakusen/tuner/store/goptunadb"
	"slices"
	"strings"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
)

// Header is what a study is: fixed when it is created, except that the budget
// may grow.
type Header struct {
	Name       string
	Direction  goptuna.StudyDirection // empty: minimize
	Game       string
	Strategy   string
	Baseline   string // canonical entrant, empty for none
	Spec       string // the study file with all defaults, as JSON
	SpecHash   string // sha256 of all but the budget
	Signatures string // of the game and the strategies
	// The budget, in trials and in games.
	BudgetTrials int
	BudgetGames  int64
	// Question, unless nil, is what a study that is created will ask: its attempt gets
	// its number then, so that numbers follow the order in which studies are submitted.
	Question *tuner.Question
}

var (
	// ErrStudyNotFound says that no study has the name or id.
	ErrStudyNotFound = goptunadb.ErrStudyNotFound
	// ErrStudyExists says that the name of a new study is taken.
	ErrStudyExists = goptunadb.ErrStudyExists
	// ErrJobNotFound says that no tournament or experiment has the id.
	ErrJobNotFound = errors.New("job not found")
	// ErrNoCredit says that a worker has played none of the blocks in question.
	ErrNoCredit = errors.New("the worker has played none of its blocks")
)

// ForeignStudyError says that a study has no log, and so cannot be run, proved or read as
// evidence: a program keeps it with Goptuna's API.
type ForeignStudyError struct{ Study string }

func (e *ForeignStudyError) Error() string {
	return fmt.Sprintf("study %q is kept by a program with Goptuna's API: it has trials, but no log and no game here; it can be listed, shown, exported and deleted", e.Study)
}

// otherWriterError says that a log in the file is not as long as this process
// has left it: another process writes to the same study.
type otherWriterError struct {
	Want int // entries that this process knows of
	Have int // entries in the file
}

func (e *otherWriterError) Error() string {
	return fmt.Sprintf("the file has %d entries where this process has left %d: another process writes to this study; nothing was added", e.Have, e.Want)
}

// reserved stands for the winner of an attempt as long as the search goes on. No
// entrant is written so.
const reserved = "?"

// ConflictError says that a stored study cannot go on as it was asked to: it has another spec,
// was made by code that plays differently, or its budget was to shrink.
type ConflictError struct{ Study, What string }

func (e *ConflictError) Error() string { return fmt.Sprintf("study %q%s", e.Study, e.What) }

// Admits checks whether a stored study may continue with the given spec; otherwise it returns
// a [*ConflictError].
func (h *Header) Admits(want *Header) error {
	refuse := func(format string, args ...any) error { return &ConflictError{h.Name, fmt.Sprintf(format, args...)} }
	const shrinks = ": budget.%s: expected at least the present %d, got %d: a budget only grows"
	switch {
	case h.SpecHash != want.SpecHash:
		differs := append([]string{""}, specDifference(h.Spec, want.Spec)...)
		return refuse(" exists with another spec (%.12s, given %.12s)%s", h.SpecHash, want.SpecHash, strings.Join(differs, "\n  "))
	case h.Signatures != want.Signatures:
		return refuse(" was made by other code: signatures %s, now %s", h.Signatures, want.Signatures)
	case want.BudgetTrials < h.BudgetTrials:
		return refuse(shrinks, "trials", h.BudgetTrials, want.BudgetTrials)
	case want.BudgetGames < h.BudgetGames:
		return refuse(shrinks, "games", h.BudgetGames, want.BudgetGames)
	}
	return nil
}

// maxDifferences bounds what an error message lists.
const maxDifferences = 10

// specDifference says by field where two specs, which are JSON, differ. The budget, which may
// differ, is left out.
func specDifference(stored, given string) []string {
	var a, b any
	if decodeExact(stored, &a) != nil || decodeExact(given, &b) != nil {
		return nil
	}
	var found []string
	differing("", a, b, &found)
	if len(found) > maxDifferences {
		more := len(found) - maxDifferences
		found = append(found[:maxDifferences], fmt.Sprintf("and %d more", more))
	}
	return found
}

// decodeExact keeps numbers as they are written.
func decodeExact(text string, into *any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

func differing(path string, a, b any, found *[]string) {
	if path == "budget" || reflect.DeepEqual(a, b) {
		return
	}
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			keys := maps.Clone(x)
			maps.Copy(keys, y)
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				differing(strings.TrimPrefix(path+"."+key, "."), x[key], y[key], found)
			}
			return
		}
	case []any:
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				differing(fmt.Sprintf("%s[%d]", path, i), x[i], y[i], found)
			}
			return
		}
	}
	*found = append(*found, fmt.Sprintf("%s: stored %s, given %s", path, brief(a), brief(b)))
}

// brief returns a value as JSON, "nothing" if it is absent.
func brief(v any) string {
	if v == nil {
		return "nothing"
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	short := strings.TrimSpace(text.String())
	if len(short) > 80 {
		short = short[:77] + "..."
	}
	return short
}
