package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/strategies"
	"sakusen/tuner/config"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/web"
)

// notes is a log that may be read while it is written.
type notes struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

func (n *notes) has(text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Contains(n.b.String(), text)
}

// A full disk, here a limit on the file's pages, keeps a study from going on; the
// daemon says so and goes on when there is space, to the same end.
func TestServeFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir := t.TempDir()
	servedStudies(t, dir)
	whole := t.TempDir()
	servedStudies(t, whole)
	out, errs, err := program(t, whole, nil, "tune", "served-0.yaml", "--json")
	want := digestIn(out)
	if want == "" {
		t.Fatalf("%v %s%s", err, out, errs)
	}
	path := filepath.Join(dir, "full.db")
	settings, err := config.Load(config.Source{Env: func(string) (string, bool) { return "", false }, Flags: map[string]string{"database": path}})
	if err != nil {
		t.Fatal(err)
	}
	said := new(notes)
	a := &app{
		in: strings.NewReader(""), out: &bytes.Buffer{}, err: said, settings: settings,
		env: func(string) (string, bool) { return "", false }, catalogue: strategies.Catalogue(),
	}
	ctx, cancel := context.WithCancel(t.Context())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f, err := a.front(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- a.serveOn(ctx, l, f, db) }()
	limit := func(pages string) {
		if err := db.Write(ctx, func(tx *sql.Tx) error {
			_, err := tx.Exec("PRAGMA max_page_count = " + pages)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "served-0.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	c := &apiClient{base: "http://" + l.Addr().String(), http: http.DefaultClient}
	if err := c.call(ctx, http.MethodPost, "/api/v1/studies", web.Submission{Spec: string(text)}, nil); err != nil {
		t.Fatal(err)
	}
	limit("1") // no more than there are
	eventually := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(60 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("it does not come to this: %s\n%s", what, &said.b)
			}
		}
	}
	eventually("the log tells of the full disk", func() bool { return said.has("cannot be written") && said.has("disk is full") })
	eventually("the API says that the study waits", func() bool {
		var d web.StudyDetail
		return c.call(ctx, http.MethodGet, "/api/v1/studies/served-0", nil, &d) == nil && strings.Contains(d.Message, "disk is full")
	})
	limit(fmt.Sprint(1 << 30))
	var d web.StudyDetail
	eventually("the study is done", func() bool {
		return c.call(ctx, http.MethodGet, "/api/v1/studies/served-0", nil, &d) == nil && d.State == "done"
	})
	if d.Result == nil || d.Result.Digest != want {
		t.Errorf("%+v, want the digest %s", d.Result, want)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
