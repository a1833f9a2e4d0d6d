package cli_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/strategies"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// A study is never in the queue without its file and its urgency: a reader that looks
// when it is created, as after a death, finds them.
func TestEnqueueWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	seen := 0
	var s *store.Store
	look := func(name string) {
		if !strings.HasSuffix(name, ".committed") || s == nil {
			return
		}
		list, err := s.Studies.Waiting(context.Background())
		if err != nil {
			t.Error(err)
		}
		for _, w := range list {
			seen++
			if src, err := s.Study(w.ID).Source(context.Background()); err != nil || src.Text == "" || w.Priority != 3 {
				t.Errorf("at %s: %+v has the file %+v, %v", name, w, src, err)
			}
		}
	}
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{Point: look})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	do, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue()})
	if err != nil {
		t.Fatal(err)
	}
	s = do.Store()
	spec, source, err := cli.NewInside(nil, io.Discard).Spec(fmt.Appendf(nil, clitest.ServedStudy, 0, "RNB", "uniform"), "")
	if err != nil {
		t.Fatal(err)
	}
	signatures, err := spec.Ruleset.Signatures(t.Context(), spec.Strategies()...)
	if err != nil {
		t.Fatal(err)
	}
	if err := do.Studies().Files.Add(t.Context(), service.StudyFile{Setup: spec, Signatures: signatures, Source: source}, 3); err != nil || seen == 0 {
		t.Errorf("%v, seen %d times", err, seen)
	}
}
