package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		p := launch(t, samples(ns, 3)+"\n", append(db, "record", "--branch", "main", "--commit", fmt.Sprintf("%040x", i+1))...)
		if p.code != exitDone {
			t.Fatal(p)
		}
	}
	sent := 0
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { sent++ }))
	defer hook.Close()
	for i, want := range []string{": 2 series, 1 alarms, 1 sent\n", ": 2 series, 1 alarms, 0 sent\n"} {
		p := launch(t, "", append(db, "site", dir, "--webhook", hook.URL)...)
		if p.code != exitDone || !strings.HasSuffix(p.out, want) || sent != 1 {
			t.Errorf("time %d: %+v, %d sent", i, p, sent)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !strings.Contains(string(text), "worse, up by 29.99 % at 0000000000") || !strings.Contains(string(text), "same") {
		t.Errorf("%s, %v", text, err)
	}
	if p := launch(t, "", append(db, "site", dir, "--branch", "none")...); p.code != exitNothing {
		t.Errorf("%+v", p)
	}
	if p := launch(t, "", append(db, "site", dir, "--webhook", "ftp://x")...); p.code != exitUsage {
		t.Errorf("%+v", p)
	}
}
