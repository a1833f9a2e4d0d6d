//go:build cgo && unix

package store

import (
	"math/rand/v2"
	"testing"

	"sakusen/tuner/store/sqlitedb/disktest"
)

// The power is cut at random moments, within transactions, checkpoints, opening and closing.
// The disk keeps what was synced, and any part of the rest in any order. Nothing that was
// acknowledged is lost, and nothing is there that was not written. SAKUSEN_POWER_CUTS sets the
// number of cuts; each has every fate of what was not synced.
func TestPowerCuts(t *testing.T) {
	cuts := numberFrom(t, "SAKUSEN_POWER_CUTS", 6)
	const each = 10 // cuts of one life of a database
	rng := rand.New(rand.NewPCG(3, 4))
	looked := 0
	for life := uint64(0); looked < cuts; life++ {
		c := newCrash(t, life)
		for i := range 80 {
			if err := c.act(); err != nil {
				t.Fatalf("life %d, change %d: %v", life, i, err)
			}
			if i == 50 {
				if err := c.s.DB().Close(); err != nil {
					t.Fatal(err)
				}
				if err := c.open(); err != nil {
					t.Fatal(err)
				}
			}
		}
		end := c.disk.Now()
		for range min(each, cuts-looked) {
			looked++
			at := rng.IntN(end + 1)
			for fate := range disktest.Fate(disktest.Fates) {
				if err := c.holds(at, fate, rng); err != nil {
					t.Errorf("life %d, cut at %d of %d, what was not synced is %s: %v", life, at, end, fate, err)
				}
			}
		}
		if err := c.s.DB().Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d cuts of %d kinds", looked, disktest.Fates)
}
