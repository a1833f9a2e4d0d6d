package blocks

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// What was answered in a game is stored with its block, once, at most so long, and goes where its block
// goes; and who has lost how many games how is counted by worker.
func TestTapes(t *testing.T) {
	s, key, c := openNew(t), blockKey(1), chance{2, 1, 2, small, false}
	tapes := func(from, to int64) (all []string) {
		t.Helper()
		for tape, err := range s.Tapes(t.Context(), key, from, to) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%d.%d %s", tape.Block, tape.Rotation, tape.Text))
		}
		return all
	}
	if got := tapes(0, 9); got != nil {
		t.Error(got)
	}
	run := c.run(0, 3)
	run.Worker = "w"
	for i := range run.Digests {
		run.Tapes = append(run.Tapes, fmt.Appendf(nil, "t%d", i))
	}
	run.Tapes[1] = bytes.Repeat([]byte("x"), mostTapeKept+1)
	for range 2 {
		if err := s.Save(t.Context(), key, run); err != nil {
			t.Fatal(err)
		}
	}
	run = c.run(3, 1)
	run.Tapes = [][]byte{[]byte("u0"), []byte("u1")}
	if err := s.SaveGames(t.Context(), key, run, []tuner.KeptGame{{Block: 3, Text: "pgn"}}); err != nil {
		t.Fatal(err)
	}
	if got := tapes(0, 9); !slices.Equal(got, []string{"0.0 t0", "1.0 t2", "1.1 t3", "2.0 t4", "2.1 t5", "3.0 u0", "3.1 u1"}) {
		t.Errorf("%q", got)
	}
	other := c.run(2, 1)
	other.Digests[0]++
	other.Tapes = run.Tapes
	if err := s.Save(t.Context(), key, other); err == nil || tapes(2, 3)[0] != "2.0 t4" {
		t.Errorf("%v %q", err, tapes(2, 3))
	}
	if bad, err := s.Check(t.Context(), 5); err != nil || len(bad) > 0 {
		t.Error(bad, err)
	}
	records, err := s.Records(t.Context(), key, 9, []int{0})
	if err != nil || records["w"].Games != 6 || records["w"].Blocks != 3 || records[""].Games != 2 || len(records["w"].Scores) != 5 {
		t.Errorf("%+v, %v", records, err)
	}
	if records, err = s.Records(t.Context(), key, 2, []int{0}); err != nil || len(records) != 1 || records["w"].Games != 4 {
		t.Errorf("of the first two blocks: %+v, %v", records, err)
	}
	if err := s.db.Change(t.Context(), "", func(c *sqlitedb.Change) error { _, err := Drop(c, "w"); return err }); err != nil {
		t.Fatal(err)
	}
	if got := tapes(0, 9); !slices.Equal(got, []string{"3.0 u0", "3.1 u1"}) {
		t.Errorf("%q", got)
	}
}
