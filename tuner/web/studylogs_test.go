package web_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// entriesRead returns the number of entries of logs that a server has read for pages.
func entriesRead(t testing.TB, address string) (n int) {
	t.Helper()
	_, text, _ := ask(t, "GET", address+"/metrics", "")
	_, text, found := strings.Cut(text, "\nsakusen_log_entries_read_total ")
	if _, err := fmt.Sscan(text, &n); err != nil || !found {
		t.Fatalf("the metrics do not say how many entries were read: %v", err)
	}
	return n
}

// All viewers of a study share one reading of its log and one drawing. Two hundred viewers read
// nothing twice, later ones read only what was added, and a viewer that has the newest drawing
// gets the answer that nothing is new.
func TestWatchersShare(t *testing.T) {
	s, all := emptyTestService(t), testLog()
	s.log(t, "first", all[:12])
	_, h := serve(t, s, "")
	watch := func() {
		ask(t, "GET", h.URL+"/api/v1/studies/first/trials?order=best&limit=1", "") // waits until the log is read
		var group sync.WaitGroup
		for range 200 {
			group.Go(func() {
				if status, text, _ := ask(t, "GET", h.URL+"/studies/first?part=plots", ""); status != 200 || !strings.Contains(text, "<svg") {
					t.Errorf("%d %.200s", status, text)
				}
			})
		}
		group.Wait()
	}
	watch()
	if n := entriesRead(t, h.URL); n != 12 {
		t.Errorf("%d entries were read of 12", n)
	}
	if status, _, _ := ask(t, "GET", h.URL+"/studies/first?part=plots&seen=12-false", ""); status != 204 {
		t.Errorf("nothing new: %d", status)
	}
	s.log(t, "first", all[12:])
	watch()
	if n := entriesRead(t, h.URL); n != len(all) {
		t.Errorf("%d entries were read of %d", n, len(all))
	}
}
