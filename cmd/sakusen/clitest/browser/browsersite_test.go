package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// The static pages of benchmarks are searched by a web server and from a disk: the names stand
// in several files, which are read as one types. What is found leads to its page, whose
// plot and table are seen. The console stays silent.
func TestBrowserSite(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	site := filepath.Join(dir, "public")
	for run, level := range []int{100, 101} {
		var text strings.Builder
		text.WriteString("goos: linux\ngoarch: amd64\npkg: dice\ncpu: some\n")
		for i := range 400 {
			for k := range 3 {
				fmt.Fprintf(&text, "BenchmarkN%03d/%s-2\t1000\t%d ns/op\n", i, strings.Repeat("é<", 150), level*100+k)
			}
		}
		file := filepath.Join(dir, "bench.txt")
		if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		clitest.Exits(t, dir, clitest.ExitDone, "--db", "b.db", "bench", "record", file, "--branch", "main", "--commit", fmt.Sprintf("%040x", run+1))
	}
	clitest.Exits(t, dir, clitest.ExitDone, "--db", "b.db", "bench", "site", site)
	if files, _ := filepath.Glob(filepath.Join(site, "names-*.js")); len(files) < 3 {
		t.Fatalf("%d files of names", len(files))
	}
	server := httptest.NewServer(http.FileServer(http.Dir(site)))
	defer server.Close()
	b := openBrowser(t, 1440)
	for _, at := range []string{server.URL + "/index.html", "file://" + filepath.ToSlash(site) + "/index.html"} {
		b.do("list", chromedp.Navigate(at), chromedp.WaitVisible("#q", chromedp.ByQuery))
		for _, c := range []struct{ text, found string }{{"no such", "0 found"}, {"dice", "the first 100 that were found"}, {"n399/", "1 found"}} {
			b.do("type", chromedp.Evaluate(`document.getElementById("q").value = ""`, nil), chromedp.SendKeys("#q", c.text, chromedp.ByQuery))
			b.says(c.found)
		}
		b.do("page", chromedp.Click("#hits a", chromedp.ByQuery), chromedp.WaitVisible(".runs", chromedp.ByQuery))
		b.says("dice.N399/é<é<")
		var seen struct{ Rows, Marks, Radius int }
		b.asks(`({Rows: document.querySelectorAll(".runs tbody tr").length, Marks: document.querySelectorAll("circle").length, Radius: Math.round(document.querySelector("circle").getBBox().width / 2)})`, &seen)
		if seen.Rows != 2 || seen.Marks != 2 || seen.Radius != 3 {
			t.Errorf("%s: %+v", at, seen)
		}
		if folder := os.Getenv("SAKUSEN_SCREENSHOTS"); folder != "" {
			var picture []byte
			b.do("picture", chromedp.FullScreenshot(&picture, 100))
			if err := os.WriteFile(filepath.Join(folder, "site.png"), picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, text := range b.said {
		t.Errorf("console: %s", text)
	}
}
