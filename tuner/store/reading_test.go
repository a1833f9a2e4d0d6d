package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// No list reads more rows than it shows: every table is searched by a key, none
// is scanned.
func TestFlatPlans(t *testing.T) {
	s := openNew(t)
	mustCreate(t, s, "one")
	for name, q := range map[string]struct {
		text string
		args []any
	}{
		"studies": {listing + "WHERE s.study_id > ? ORDER BY s.study_id LIMIT ?", []any{0, 10}},
		"recent":  {listing + "WHERE s.study_id < ? ORDER BY s.study_id DESC LIMIT ?", []any{10, 10}},
		"details": {listing + "WHERE s.name = ?", []any{"one"}},
		"log":     {"SELECT seq, kind, payload FROM entries WHERE study_id = ? AND seq > ? ORDER BY seq LIMIT ?", []any{1, 5, 10}},
		"entries": {"SELECT seq, kind, payload FROM entries WHERE study_id = ? AND seq IN (?, ?)", []any{1, 1, 5}},
		"trials":  {"SELECT trial_id FROM sakusen_trials WHERE study_id = ? AND number >= ? ORDER BY number LIMIT ?", []any{1, 5, 10}},
	} {
		rows, err := s.db.Reader().Query("EXPLAIN QUERY PLAN "+q.text, q.args...)
		if err != nil {
			t.Fatal(name, err)
		}
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(step, "SCAN") || strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s: %s", name, step)
			}
			// The incumbent is looked for among the entries of its kind.
			if strings.HasPrefix(step, "SEARCH e ") && !strings.Contains(step, "entries_by_kind (study_id=? AND kind=?)") {
				t.Errorf("%s: %s", name, step)
			}
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReading(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "one")
	for i := range 5 {
		kind := entry.KindRung
		if i == 3 {
			kind = entry.KindIncumbent
		}
		err := l.Append(t.Context(), logEntry(kind, `{"trial":%d}`, i), func(trials tuner.Trials) error { return trials.Create(i) })
		if err != nil {
			t.Fatal(err)
		}
	}
	var read []string
	if err := s.Study(l.ID()).EachEntry(t.Context(), 1, 2, func(e entry.Entry) error {
		read = append(read, string(e.Payload))
		return nil
	}); err != nil || strings.Join(read, " ") != `{"trial":1} {"trial":2}` {
		t.Errorf("entries %q, %v", read, err)
	}
	at, err := s.Study(l.ID()).EntriesAt(t.Context(), []int{5, 2, 9})
	if err != nil || len(at) != 2 || string(at[5].Payload) != `{"trial":4}` || at[2].Kind != entry.KindRung {
		t.Errorf("entries at 5, 2 and 9: %v, %v", at, err)
	}
	trials, err := s.Study(l.ID()).TrialsAt(t.Context(), []int{4, 0, 1, 4, 77})
	var numbers []int
	for _, x := range trials {
		numbers = append(numbers, x.Number)
	}
	if err != nil || fmt.Sprint(numbers) != "[0 1 4]" {
		t.Errorf("trials %v, %v", numbers, err)
	}
	if _, err := s.Study(l.ID()).TrialsAt(t.Context(), make([]int, mostPlaces+1)); err == nil {
		t.Error("any number of trials is read at once")
	}
	mustCreate(t, s, "two")
	recent, err := s.Studies.Find(t.Context(), Filter{Sort: "newest", Limit: 1})
	if err != nil || len(recent) != 1 || recent[0].Name != "two" || recent[0].Incumbent != nil || recent[0].Trials != 0 {
		t.Errorf("the youngest: %+v, %v", recent, err)
	}
	older, err := s.Studies.Find(t.Context(), Filter{Sort: "newest", Skip: 1, Limit: 5})
	if err != nil || len(older) != 1 || older[0].Trials != 5 || string(older[0].Incumbent) != `{"trial":3}` {
		t.Errorf("older ones: %+v, %v", older, err)
	}
	if err := l.Finish(t.Context(), json.RawMessage(`{"verdict":"pass","front":[1,2]}`)); err != nil {
		t.Fatal(err)
	}
	if d, err := s.Studies.Details(t.Context(), "one"); err != nil || string(d.Summary) != `{"verdict":"pass"}` || d.Entries != 5 {
		t.Errorf("%+v, %v", d, err)
	}
}

// With - before its name an order is the contrary one, where there is one of that name.
func TestContraryOrders(t *testing.T) {
	for by, want := range map[string]string{"name": "s.name, s.study_id DESC", "-name": "s.name DESC NULLS LAST, s.study_id DESC", "-games": "coalesce(r.games, 0) NULLS LAST, s.study_id DESC", "-": "", "--name": "", "-size": ""} {
		if got := sorting(orders, by); got != want {
			t.Errorf("%q: %q, want %q", by, got, want)
		}
	}
	s := openNew(t)
	for by := range orders {
		if by == "" {
			continue
		}
		if _, err := s.Studies.Find(t.Context(), Filter{Sort: by, Limit: 2}); err != nil {
			t.Error(by, err)
		}
		if Sorted("-" + by) {
			if _, err := s.Studies.Find(t.Context(), Filter{Sort: "-" + by, Limit: 2}); err != nil {
				t.Error("-"+by, err)
			}
		}
	}
}
