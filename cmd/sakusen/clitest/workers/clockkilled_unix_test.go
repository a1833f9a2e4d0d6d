//go:build unix

package workers

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/external/ucitest"
	"sakusen/engines/suite"
	"sakusen/tuner/store/sqlitedb"
)

// clockRules are those of short games by a clock, on machines that do other things too.
const clockRules = "rules: [{name: limit, value: %q}, {name: most_plies, value: 60}, {name: margin, value: 20000}]\n"

// clockJobs are a test of a patch, a tournament and a study by the clock.
var (
	clockPatch = "version: 1\nname: tweak\ntest: {new: dev, base: toy}\n" + fmt.Sprintf(clockRules, "clock:0.5+0.005") + "stages: [{bounds: [0, 1], max_games: 80}]\n"
	clockCup   = "version: 1\nname: cup\ngame: chess\n" + fmt.Sprintf(clockRules, "movetime:6") + "entrants: [dev, toy]\nformat: round_robin\nblocks: 12\nseed: 4\n"
	clockStudy = "version: 1\nname: sense\ngame: chess\n" + fmt.Sprintf(clockRules, "movetime:5") + "tune: {strategy: toy, params: [{name: Sense}]}\nbaseline: toy\nbudget: {games: 160}\n"
)

// clockRecord is what a database holds of games by the clock: what was answered in each, by series,
// block and rotation, and the speeds for which clocks are meant, by study or job and engine.
type clockRecord struct {
	tapes  map[string]string
	speeds map[string]float64
	theirs int64 // games that workers have played
}

func readClock(t *testing.T, dir string) (r clockRecord) {
	t.Helper()
	db, err := sqlitedb.OpenReadOnly(t.Context(), filepath.Join(dir, "sakusen.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r.tapes, r.speeds = map[string]string{}, map[string]float64{}
	if n, err := db.Version(t.Context(), "tapes"); err != nil || n == 0 {
		return r
	}
	err = sqlitedb.Each(t.Context(), db.Reader(), "SELECT series_id || '/' || block || '/' || rotation, hex(tape) FROM block_tapes", nil, func(rows *sql.Rows) error {
		var game, tape string
		err := rows.Scan(&game, &tape)
		r.tapes[game] = tape
		return err
	})
	if err == nil {
		err = sqlitedb.Each(t.Context(), db.Reader(), "SELECT owner || ' ' || engine, nodes FROM reference_speeds", nil, func(rows *sql.Rows) error {
			var of string
			var nodes float64
			err := rows.Scan(&of, &nodes)
			r.speeds[of] = nodes
			return err
		})
	}
	if err == nil {
		err = db.Reader().QueryRow("SELECT 2 * coalesce(sum(blocks), 0) FROM block_credits").Scan(&r.theirs)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A test of a patch, a tournament and a study by the clock go on through two deaths of the daemon,
// the death of a worker and a partition. No game is counted twice, and no acknowledged game is
// lost. The stored answers do not change, nor do the reference speeds of the clocks.
func TestClockKilled(t *testing.T) {
	suite.All(t)
	s, address, dir := clockFleet(t, 1, 2)
	serve := func() { s = clitest.Serve(t, dir, "--workers", "1", "--workers-listen", address) }
	start := func(i int) *workerProcess {
		return startWorker(t, filepath.Join(dir, fmt.Sprintf("w%d", i)), address, i, 2, ucitest.Pace([]int{ucitest.UsualPace / 2, 2 * ucitest.UsualPace}[i]))
	}
	workers := []*workerProcess{start(0), start(1)}
	defer func() {
		for _, w := range workers {
			w.Process.Kill()
			<-w.ended
		}
	}()
	await := func(what string, is func() bool) {
		t.Helper()
		for until := suite.Deadline(t); !is(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("%s: in vain", what)
			}
		}
	}
	await("both workers", func() bool { return working(s) == 2 })
	test := s.Submit("/api/v1/tests", map[string]any{"file": clockPatch})
	cup := s.Submit("/api/v1/tournaments", map[string]any{"file": clockCup})
	clitest.WriteFile(t, dir, "sense.yaml", clockStudy)
	if out, errs, code := s.Run("study", "submit", "sense.yaml"); code != 0 {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	// kill ends the daemon, and returns what is stored, of which no acknowledged game is missing.
	kill := func() clockRecord {
		t.Helper()
		acknowledged := counted(s)
		s.Cmd.Process.Kill()
		s.End()
		r := readClock(t, dir)
		if r.theirs < acknowledged {
			t.Errorf("%d games of workers are stored, and %d were acknowledged", r.theirs, acknowledged)
		}
		serve()
		return r
	}
	await("games of workers", func() bool { return counted(s) > 0 })
	workers[0].Process.Kill()
	<-workers[0].ended
	first := kill()
	workers[0] = start(0)
	await("games after a death", func() bool { return counted(s) > 0 })
	workers[1].Process.Signal(syscall.SIGSTOP)
	await("one is cut off", func() bool { return working(s) == 1 })
	workers[1].Process.Signal(syscall.SIGCONT)
	await("both are back", func() bool { return working(s) == 2 })
	second := kill()
	var report patchOfWorkers
	if err := json.Unmarshal([]byte(s.Done(test)), &report); err != nil {
		t.Fatal(err)
	}
	s.Done(cup)
	await("the study ends", func() bool { state := s.States()["sense"]; return state == "done" || state == "failed" })
	last := readClock(t, dir)
	for i, before := range []clockRecord{first, second} {
		for game, tape := range before.tapes {
			if last.tapes[game] != tape {
				t.Errorf("after death %d: game %s is not what was stored", i+1, game)
			}
		}
		for of, nodes := range before.speeds {
			if last.speeds[of] != nodes {
				t.Errorf("after death %d: the speed of %s was %g and is %g", i+1, of, nodes, last.speeds[of])
			}
		}
	}
	sum := int64(0)
	for _, w := range report.Stages[0].Workers {
		sum += w.Games
	}
	if sum != report.Games || report.Games > 80 || s.States()["sense"] != "done" {
		t.Errorf("%+v, %v", report, s.States())
	}
	if len(first.tapes) == 0 || len(second.speeds) == 0 || last.theirs == 0 {
		t.Errorf("%d games before the first death, %d speeds, %d games of workers", len(first.tapes), len(second.speeds), last.theirs)
	}
	end(s)
	if out, errs, err := clitest.Program(t, dir, nil, "db", "check"); err != nil {
		t.Errorf("%v %s%s", err, out, errs)
	}
	t.Logf("%d games stored, %d before the first death and %d before the second; %d of workers; %+v", len(last.tapes), len(first.tapes), len(second.tapes), last.theirs, report)
}
