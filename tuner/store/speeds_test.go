package store

import (
	"fmt"
	"maps"
	"path/filepath"
	"sync"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner/store/sqlitedb"
)

// The speeds for which the clocks of a job are meant are those of the machine on which it began, also where
// several of its series begin at a time. Another job has its own, and an engine that comes later too.
func TestFixSpeeds(t *testing.T) {
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			if _, err := s.FixSpeeds(t.Context(), fmt.Sprint("test/", i), arena.Speeds{"a": 100}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, c := range []struct{ own, want arena.Speeds }{
		{arena.Speeds{"a": 50}, arena.Speeds{"a": 100}}, {arena.Speeds{"a": 70, "b": 7}, arena.Speeds{"a": 100, "b": 7}}, {arena.Speeds{"b": 9}, arena.Speeds{"b": 7}},
	} {
		if got, err := s.FixSpeeds(t.Context(), "test/1", c.own); err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%v: %v, %v", c.own, got, err)
		}
	}
	if got, err := s.FixSpeeds(t.Context(), "study 1", arena.Speeds{"a": 5}); err != nil || got["a"] != 5 {
		t.Errorf("%v, %v", got, err)
	}
	if complaints, err := s.Check(t.Context()); err != nil || len(complaints) > 0 {
		t.Errorf("%v, %v", complaints, err)
	}
}
