package entry

import (
	"math"
	"slices"
	"testing"

	"sakusen/tuner/stats"
)

// Lengths of every size come back as they were added, in order.
func TestLengthsComeBack(t *testing.T) {
	var want []stats.Lengths
	race := &LengthCollector{}
	for i := range int64(3 * partBlocks) {
		one := stats.Lengths{First: [2]int64{i % 100, 3}, Second: [2]int64{i % 7, math.MaxUint16}}
		switch {
		case i%5000 > 4990:
			one.First[0] += 1 << 16
		case i%3000 == 17:
			one.Second[1] = -i
		case i == 99:
			one.Second[0] = math.MaxInt64
		}
		want = append(want, one)
		race.parts = appendLengths(race.parts, one)
	}
	if got := slices.Collect(race.Lengths()); !slices.Equal(got, want) {
		t.Errorf("%d lengths came back otherwise than %d were added", len(got), len(want))
	}
	race.uneven = true
	if got := slices.Collect(race.Lengths()); len(got) > 0 {
		t.Errorf("%d lengths of games that were decided otherwise", len(got))
	}
}
