package laboratory

import (
	"flag"
	"os"
	"runtime"
	"strings"
	"testing"
)

var (
	groundSeeds    = flag.Int("ground", 0, "landscapes of each kind of ground on which each search is compared; 0 is none")
	groundFirst    = flag.Int("ground-seed", 1, "seed of the first of them")
	groundGames    = flag.Int64("ground-games", 5_000, "games of a study")
	groundKinds    = flag.String("ground-kinds", "", "kinds, joined by commas; empty is all")
	groundSamplers = flag.String("ground-samplers", "default,spsa", "samplers, joined by commas; LABEL=SAMPLER names the outcomes of one code")
	groundLevel    = flag.Bool("ground-level", false, "nothing is to be found")
	groundKeep     = flag.String("ground-keep", "", "file of outcomes")
)

// What searches find on ground that is drawn.
func TestDrawn(t *testing.T) {
	if *groundSeeds == 0 {
		t.Skip("minutes: -ground 12")
	}
	d := &Drawn{
		Kinds: kindsOf(*groundKinds), Methods: strings.Split(*groundSamplers, ","), First: *groundFirst, Seeds: *groundSeeds,
		Games: *groundGames, Level: *groundLevel, Workers: runtime.GOMAXPROCS(0),
	}
	if *groundKeep != "" {
		k, err := Keep(*groundKeep)
		if err != nil {
			t.Fatal(err)
		}
		defer k.Close()
		d.Kept = k
	}
	if err := d.Write(t.Context(), os.Stdout); err != nil {
		t.Fatal(err)
	}
}
