package browser

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// heavyStudy is a study of any number of trials.
const heavyStudy = `version: 1
name: heavy
game: laboratory
rules: [{name: dimensions, value: 4}, {name: headroom, value: 60}, {name: landscape_seed, value: 1}]
tune: {strategy: point}
baseline: point
sampler: {name: uniform, seed: 3, batch: 250}
race: {rungs: [2, 16, 24], keep: 0.3}
budget: {trials: %d, games: 9000000}
final: {top: 5, blocks: 100}
validation: {gain_elo: [0, 30], max_blocks: 400}
`

// mostTransferred is the most that a study's page may take on the wire, bytes.
const mostTransferred = 60 << 10

// The page of a study of 1 500 trials takes at most 60 KiB, compressed. SAKUSEN_LARGE_STUDY
// sets the number of trials; with -v the first paints in Chromium are printed.
func TestBrowserWeight(t *testing.T) {
	suite.All(t)
	trials := 1500
	if text := os.Getenv("SAKUSEN_LARGE_STUDY"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		trials = n
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "heavy.yaml")
	if err := os.WriteFile(file, fmt.Appendf(nil, heavyStudy, trials), 0o644); err != nil {
		t.Fatal(err)
	}
	if p := clitest.Launch(t, "", "--db", filepath.Join(dir, "sakusen.db"), "--quiet", "tune", file); p.Code != 0 && p.Code != clitest.ExitNegative && p.Code != clitest.ExitInconclusive {
		t.Fatalf("tune: %d\n%s", p.Code, p.Err)
	}
	s := clitest.Serve(t, dir)
	b := openBrowser(t, 1440)
	for _, tab := range []string{"", "?tab=trials", "?tab=parameters", "?tab=race", "?tab=spec"} {
		page := s.URL + "/studies/heavy" + tab
		var paints []float64
		for range 5 {
			b.do(page, chromedp.Navigate(page))
			b.waits("a paint", `performance.getEntriesByName("first-contentful-paint").length`)
			var paint float64
			b.asks(`performance.getEntriesByName("first-contentful-paint")[0].startTime`, &paint)
			paints = append(paints, paint)
		}
		ask, err := http.NewRequest("GET", page, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask.Header.Set("Accept-Encoding", "gzip")
		answer, err := http.DefaultClient.Do(ask)
		if err != nil {
			t.Fatal(err)
		}
		size, err := io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s: %d %q %v", page, answer.StatusCode, answer.Header.Get("Content-Encoding"), err)
		}
		first := paints[0]
		slices.Sort(paints)
		t.Logf("%d trials, page %q: %d bytes on the wire; first paint %.0f ms at first, then median %.0f ms", trials, tab, size, first, paints[2])
		if size > mostTransferred {
			t.Errorf("the page %q of %d trials takes %d bytes on the wire, want at most %d", tab, trials, size, mostTransferred)
		}
	}
	b.silent()
}
