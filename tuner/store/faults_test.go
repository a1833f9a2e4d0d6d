//go:build cgo && unix

package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/suite"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/store/sqlitedb/disktest"
)

// trouble is what becomes of the disk under a database, drawn from a seed.
type trouble struct {
	rng      *rand.Rand
	kind     string
	from     int // the call with which it begins
	calls    int
	left     int // calls that are still to fail
	happened bool
	away     func() // takes the file away
}

// troubles are the kinds of faults.
var troubles = []string{"failing syncs", "failing writes", "torn writes", "full disk", "failing reads", "failing truncation", "file replaced", "file removed", "a mixture"}

// plan returns the disk's: where a call fails, and how.
func (w *trouble) plan(c disktest.Call) disktest.Fault {
	w.calls++
	if w.calls < w.from || w.left == 0 {
		return disktest.Fault{}
	}
	kind := w.kind
	if kind == "a mixture" {
		kind = troubles[w.rng.IntN(6)]
	}
	f := disktest.Fault{}
	switch {
	case kind == "failing syncs" && c.Kind == disktest.Sync,
		kind == "failing writes" && c.Kind == disktest.Write,
		kind == "failing reads" && c.Kind == disktest.Read,
		kind == "failing truncation" && (c.Kind == disktest.Truncate || c.Kind == disktest.Delete):
		f.Error = true
	case kind == "torn writes" && c.Kind == disktest.Write:
		f.Error, f.Written = true, w.rng.IntN(c.Bytes)
	case kind == "full disk" && c.Kind == disktest.Write:
		f.Full, f.Written = true, w.rng.IntN(c.Bytes)
	case strings.HasPrefix(kind, "file ") && c.Kind != disktest.Read:
		w.away()
	default:
		return f
	}
	w.happened = true
	w.left--
	return f
}

// faultyRun plays one life of a database on a disk with a fault, and returns what was wrong.
func faultyRun(t *testing.T, seed uint64) (kind string, happened bool, acknowledged, refused int, err error) {
	c := newCrash(t, seed)
	rng := rand.New(rand.NewPCG(seed, 99))
	kind = troubles[int(seed)%len(troubles)]
	w := &trouble{rng: rng, kind: kind, from: 1 + rng.IntN(400), left: 1 + rng.IntN(3)}
	if rng.IntN(3) == 0 {
		w.left = 1 + rng.IntN(40) // for a while
	}
	moved := ""
	w.away = func() {
		moved = filepath.Join(c.dir, "away.db")
		w.left = 1
		_ = os.Rename(c.path(), moved)
		if kind == "file replaced" {
			_ = os.WriteFile(c.path(), []byte("something else"), 0o644)
		}
	}
	c.plan = w.plan
	c.disk.Plan(c.plan)
	lost := false
	restart := rng.IntN(60)
	for i := range 30 {
		if moved == "" && (lost || i == restart) {
			told, err := c.restarted()
			if moved != "" {
				break // while it was closed: that cannot be noticed
			}
			if err != nil {
				return kind, true, acknowledged, refused, err
			}
			lost = false
			if told {
				refused++
			}
		}
		err := c.act()
		switch {
		case err == nil && (lost || moved != ""):
			return kind, true, acknowledged, refused, fmt.Errorf("%s was acknowledged after the file was lost", c.last)
		case err == nil:
			acknowledged++
		default:
			refused++
			said, ok := errors.AsType[*sqlitedb.LostError](err)
			lost = lost || ok
			if kind == "failing syncs" && w.happened && !ok {
				return kind, true, acknowledged, refused, fmt.Errorf("after a failed sync: %w", err)
			}
			if ok && said.What == "" {
				return kind, true, acknowledged, refused, errors.New("a loss without a word")
			}
		}
	}
	var closeErr error
	if c.s != nil {
		closeErr = c.s.DB().Close()
	}
	if kind == "failing syncs" && w.happened && refused == 0 && closeErr == nil {
		return kind, true, acknowledged, refused, errors.New("a sync failed and nobody said so")
	}
	c.plan = nil
	c.disk.Plan(nil)
	end := c.disk.Now()
	if moved != "" { // the right file is put back
		if err := errors.Join(os.RemoveAll(c.path()), os.Rename(moved, c.path())); err != nil {
			return kind, true, acknowledged, refused, err
		}
		return kind, true, acknowledged, refused, c.keeps(c.path(), end)
	}
	for fate := range disktest.Fate(disktest.Fates) {
		at := end
		if fate != disktest.Lost && rng.IntN(2) == 0 {
			at = rng.IntN(end + 1)
		}
		if err := c.holds(at, fate, rng); err != nil {
			return kind, w.happened, acknowledged, refused, fmt.Errorf("cut at %d of %d, what was not synced is %s: %w", at, end, fate, err)
		}
	}
	return kind, w.happened, acknowledged, refused, nil
}

// restarted returns another process in the place of the one that had the database. One
// that cannot open it is started again, until the disk is repaired. told is whether
// anything failed on the way.
func (c *crash) restarted() (told bool, err error) {
	told = c.s.DB().Close() != nil
	for range 5 {
		if c.open() == nil {
			return told, nil
		}
		told = true
	}
	c.plan = nil
	c.disk.Plan(nil)
	if err := c.open(); err != nil {
		return told, fmt.Errorf("it cannot be opened on a sound disk: %w", err)
	}
	return told, nil
}

// At random moments syncs, writes and reads below SQLite fail, writes are torn, the disk is
// full, the file is removed or replaced, and then the power is cut. Nothing that was
// acknowledged is lost, nothing is read that was not written, and after a failed sync or a lost
// file nothing more is acknowledged. SAKUSEN_FAULTS sets the number of runs,
// SAKUSEN_FAULTS_FROM the first seed.
func TestFaults(t *testing.T) {
	lives := 3 * len(troubles)
	if suite.Few() {
		lives = len(troubles) // each of them once
	}
	n, from := numberFrom(t, "SAKUSEN_FAULTS", lives), numberFrom(t, "SAKUSEN_FAULTS_FROM", 1)
	type count struct{ runs, happened, acknowledged, refused int }
	counts := map[string]*count{}
	for seed := from; seed < from+n; seed++ {
		kind, happened, acknowledged, refused, err := faultyRun(t, uint64(seed))
		if err != nil {
			t.Errorf("seed %d, %s: %v", seed, kind, err)
		}
		if counts[kind] == nil {
			counts[kind] = new(count)
		}
		k := counts[kind]
		k.runs++
		k.acknowledged += acknowledged
		k.refused += refused
		if happened {
			k.happened++
		}
	}
	for _, kind := range troubles {
		if k := counts[kind]; k != nil {
			t.Logf("%-18s %4d runs, it happened in %d; %d changes acknowledged, %d refused", kind, k.runs, k.happened, k.acknowledged, k.refused)
		}
	}
}
