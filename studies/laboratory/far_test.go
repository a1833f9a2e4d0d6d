package laboratory

import (
	"fmt"
	"testing"

	"sakusen/engines/suite"
)

// What of the default search serves ground that no parabola fits: a good place that is small
// against the range is not lost, and tops as sharp as a roof are found.
func TestDefaultOnGroundThatNoParabolaFits(t *testing.T) {
	suite.All(t)
	for _, want := range []struct {
		dimensions int
		landscape  string
		games      int
		least      float64 // mean Elo of the answers, of 60
	}{{8, "basin", 5_000, 38}, {4, "sharp", 20_000, 44}} {
		const studies = 4
		sum := 0.0
		for seed := 1; seed <= studies; seed++ {
			spec, err := read("far", fmt.Sprintf("version: 1\nname: far\ngame: laboratory\nrules:\n  - {name: dimensions, value: %d}\n  - {name: landscape, value: %s}\n  - {name: landscape_seed, value: %d}\n  - {name: draw_rate, value: 0.478}\nbaseline: point\ntune: {strategy: point}\nsampler: {seed: %d}\nbudget: {games: %d}\n", want.dimensions, want.landscape, seed, seed, want.games))
			if err != nil {
				t.Fatal(err)
			}
			o, err := Study(t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, seed %d: %.1f Elo", want.landscape, seed, o.Truth)
			sum += o.Truth / studies
		}
		if sum < want.least {
			t.Errorf("%s of %d numbers: %.1f Elo of 60, want %.0f", want.landscape, want.dimensions, sum, want.least)
		}
	}
}
