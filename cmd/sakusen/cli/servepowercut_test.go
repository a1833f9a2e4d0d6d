//go:build cgo && unix

package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sakusen/bench/ledger"
	"strconv"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/store/sqlitedb/disktest"
	"sakusen/tuner/web/api"
)

// acknowledged is what a client was told, as a query that is true of the database
// from then on, until something else is asked for.
type acknowledged struct {
	what, query, name string
	from, until       int // moments of the disk; until 0 is for ever
}

// Whatever a client of the daemon was told, that a study, a tournament or a
// benchmark was taken, that a study was stopped or deleted, its attempt and its
// verdict, survives a cut of the power at any later moment. SAKUSEN_POWER_CUTS sets
// the number of cuts.
func TestServePowerCuts(t *testing.T) {
	suite.All(t)
	cuts := 10
	if text := os.Getenv("SAKUSEN_POWER_CUTS"); text != "" {
		var err error
		if cuts, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	disk, err := disktest.Watch(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	d := serveNarrow(t, dir)
	ctx, c := d.ctx, d.api
	var told []acknowledged
	tell := func(what, name, query string) {
		told = append(told, acknowledged{what: what, name: name, query: query, from: disk.Now()})
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const exists = "SELECT count(*) = 1 FROM sakusen_studies WHERE name = ?"
	small := strings.NewReplacer("{trials: 40, games: 20000}", "{trials: 8, games: 3000}", "max_blocks: 1000", "max_blocks: 100").Replace(clitest.ServedStudy)
	for i := range 12 {
		name := fmt.Sprintf("served-%d", i)
		_, err := client.Call(ctx, c, api.V1.SubmitStudy, &api.Body[service.Submission]{Body: service.Submission{Spec: fmt.Sprintf(small, i, []string{"RNB", "R", "RNB/ED1"}[i%3], "uniform")}})
		of := api.OfStudy{Study: name}
		must(err)
		tell("submission", name, exists)
		taken := len(told) - 1
		_, err = client.Benchmarks{Client: c}.Record(ctx, []service.BenchRun{{Name: "a", Text: fmt.Sprintf("pkg: p\nBenchmarkA 1 %d ns/op\n", i+1), Origin: ledger.Origin{Commit: name}}}, "")
		must(err)
		tell("benchmark", name, "SELECT count(*) = 1 FROM bench_runs WHERE commit_id = ?")
		switch i % 4 {
		case 0, 1:
			d.eventually(name+" is done", func() bool {
				s, err := client.Call(ctx, c, api.V1.GetStudy, &of)
				return err == nil && s.State == "done"
			})
			tell("verdict", name, "SELECT count(*) = 1 FROM study_records JOIN sakusen_studies USING (study_id) JOIN entries e USING (study_id) WHERE name = ? AND state = 'done' AND result IS NOT NULL AND e.kind = 'validation'")
			tell("attempt", name, "SELECT count(*) > 0 FROM validation_attempts WHERE study = ?")
		case 2:
			_, err = client.Call(ctx, c, api.V1.StopStudy, &api.ActOnStudy{OfStudy: of})
			must(err)
			tell("stop", name, "SELECT count(*) = 1 FROM study_records JOIN sakusen_studies USING (study_id) WHERE name = ? AND state IN ('stopped', 'done')")
		case 3:
			_, err = client.Call(ctx, c, api.V1.StopStudy, &api.ActOnStudy{OfStudy: of})
			must(err)
			told[taken].until = disk.Now()
			d.eventually(name+" is deleted", func() bool {
				_, err := client.Call(ctx, c, api.V1.DeleteStudy, &of)
				return err == nil
			})
			tell("deletion", name, "SELECT count(*) = 0 FROM sakusen_studies WHERE name = ?")
		}
	}
	end := disk.Now()
	d.end()
	rng := rand.New(rand.NewPCG(8, 9))
	held := 0
	for range cuts {
		at := rng.IntN(end + 1)
		for fate := range disktest.Fate(disktest.Fates) {
			held += afterCut(t, disk, at, fate, rng, told)
		}
	}
	t.Logf("%d cuts of %d kinds; of %d things that clients were told %d were looked up", cuts, disktest.Fates, len(told), held)
}

// afterCut looks up what was told before a moment in what a cut then has left.
func afterCut(t *testing.T, disk *disktest.Disk, at int, fate disktest.Fate, rng *rand.Rand, told []acknowledged) (held int) {
	t.Helper()
	dir := t.TempDir()
	if err := disk.Image(dir, at, fate, rng); err != nil {
		t.Fatal(err)
	}
	db, err := sqlitedb.Open(t.Context(), filepath.Join(dir, "full.db"), sqlitedb.Options{})
	if err != nil {
		t.Errorf("cut at %d, %s: %v", at, fate, err)
		return 0
	}
	defer db.Close()
	for _, a := range told {
		if a.from > at || a.until > 0 && a.until <= at {
			continue
		}
		held++
		var holds bool
		if err := db.Reader().QueryRow(a.query, a.name).Scan(&holds); err != nil || !holds {
			t.Errorf("cut at %d, what was not synced is %s: the %s of %s, told at %d, is gone (%v)", at, fate, a.what, a.name, a.from, err)
		}
	}
	if r, err := db.Check(t.Context()); err != nil || !r.OK() {
		t.Errorf("cut at %d, %s: %+v %v", at, fate, r, err)
	}
	return held
}
