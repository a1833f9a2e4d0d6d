package entry

import (
	"testing"

	"sakusen/tuner/stats"
)

// Blocks that are all even say that nothing differed, unless all of them are one game.
func TestEvenBlocks(t *testing.T) {
	for distinct, want := range map[int64]string{10: Even, 1: "no information: all blocks are the same games"} {
		var m Measured
		m.Measure(stats.Blocks{Seats: 2, Counts: []int64{0, 0, 10, 0, 0}, Distinct: distinct})
		if m.Reason != want || m.Elo != nil {
			t.Errorf("%d distinct: %q, %v", distinct, m.Reason, m.Elo)
		}
	}
	var m Measured
	m.Measure(stats.Blocks{Seats: 2, Counts: []int64{0, 10, 0, 0, 0}})
	if m.Reason != "no information: every block scored 0.25" {
		t.Error(m.Reason)
	}
}
