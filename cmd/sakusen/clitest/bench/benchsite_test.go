package bench

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A level that changed and stayed is on the page and sent once.
func TestBenchSite(t *testing.T) {
	db := benchDB(t)
	dir := filepath.Join(t.TempDir(), "public")
	for i := range 16 {
		ns := 100
		if i >= 8 {
			ns = 130
		}
		p := clitest.Launch(t, samples(ns, 3)+"\n", append(db, "record", "--branch", "main", "--commit", fmt.Sprintf("%040x", i+1))...)
		if p.Code != clitest.ExitDone {
			t.Fatal(p)
		}
	}
	sent := 0
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { sent++ }))
	defer hook.Close()
	for i, want := range []string{": 2 series, 1 alarms, 1 sent\n", ": 2 series, 1 alarms, 0 sent\n"} {
		p := clitest.Launch(t, "", append(db, "site", dir, "--webhook", hook.URL)...)
		if p.Code != clitest.ExitDone || !strings.HasSuffix(p.Out, want) || sent != 1 {
			t.Errorf("time %d: %+v, %d sent", i, p, sent)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !strings.Contains(string(text), "worse, up by 29.99 % at 0000000000") || !strings.Contains(string(text), "1 Level") || !strings.Contains(string(text), "29.99 %</strong>") {
		t.Errorf("%s, %v", text, err)
	}
	if p := clitest.Launch(t, "", append(db, "site", dir, "--branch", "none")...); p.Code != clitest.ExitNothing {
		t.Errorf("%+v", p)
	}
	if p := clitest.Launch(t, "", append(db, "site", dir, "--webhook", "ftp://x")...); p.Code != clitest.ExitUsage {
		t.Errorf("%+v", p)
	}
}
