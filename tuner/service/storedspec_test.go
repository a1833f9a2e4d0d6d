package service_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
)

// The specs in a database of an earlier version are the ones that were hashed
// then, so that its studies go on from their records.
func TestOldSpecs(t *testing.T) {
	f, err := os.Open("../entry/testdata/version1.db.gz")
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	text, err := io.ReadAll(z)
	must(t, err)
	path := filepath.Join(t.TempDir(), "old.db")
	must(t, os.WriteFile(path, text, 0o600))
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	must(t, err)
	defer db.Close()
	s, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue()})
	must(t, err)
	seen := 0
	for line, err := range s.Studies().All(t.Context()) {
		must(t, err)
		d, err := service.FindStudy(t.Context(), s.Store(), line.Study)
		must(t, err)
		spec, err := service.StoredSpec(d)
		must(t, err)
		setup, err := tuner.Prepare(spec, strategies.Catalogue())
		must(t, err)
		if setup.Hash() != d.SpecHash {
			t.Errorf("study %q: the stored spec has the hash %s, the record %s", line.Study, setup.Hash(), d.SpecHash)
		}
		seen++
	}
	if seen == 0 {
		t.Error("no study was looked at")
	}
}
