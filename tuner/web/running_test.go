package web_test

import (
	"strings"
	"testing"
)

// What runs stands before what was queued since, once, and on the first page
// alone.
func TestListBeginsWithWhatRuns(t *testing.T) {
	_, h := serve(t, &shelf{state: "running", old: "of-last-week"}, "")
	_, page, _ := ask(t, "GET", h.URL+"/", "")
	old, first := strings.Index(page, `href="/studies/of-last-week"`), strings.Index(page, `href="/studies/first"`)
	if old < 0 || first < old {
		t.Errorf("the running study stands at %d, the youngest at %d", old, first)
	}
	if n := strings.Count(page, `href="/studies/first"`); n != 1 {
		t.Errorf("a running study of the page is listed %d times", n)
	}
	if _, page, _ = ask(t, "GET", h.URL+"/?before=9", ""); strings.Contains(page, "of-last-week") {
		t.Error("older pages list what runs")
	}
}
