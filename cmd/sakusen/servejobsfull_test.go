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
	"testing"
	"time"

	"sakusen/strategies"
	"sakusen/tuner/config"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/web"
)

// A full disk, here a limit on the file's pages, lets a tournament and a run that
// keeps pieces wait; both go on when there is space, to the same results.
func TestServeJobsFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cup.yaml"), []byte(servedCup), 0o644); err != nil {
		t.Fatal(err)
	}
	jobs := []struct {
		path, args string
		body       any
		want       string
	}{
		{"/api/v1/tournaments", "tournament cup.yaml", web.TournamentRequest{File: servedCup}, ""},
		{"/api/v1/experiments/runs", "experiment run tubstap-figure4 --games 12 --simulations 40", web.ExperimentRequest{Name: "tubstap-figure4", Games: 12, Simulations: 40}, ""},
	}
	for i := range jobs {
		jobs[i].want = printedAlone(t, dir, strings.Fields(jobs[i].args)...)
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
	c := &apiClient{base: "http://" + l.Addr().String(), http: http.DefaultClient}
	for i := range jobs {
		var answer struct{ ID int }
		if err := c.call(ctx, http.MethodPost, jobs[i].path, jobs[i].body, &answer); err != nil {
			t.Fatal(err)
		}
		jobs[i].path = fmt.Sprintf("%s/%d", jobs[i].path, answer.ID)
	}
	limit("1") // no more than there are
	eventually := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(90 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("it does not come to this: %s\n%s", what, &said.b)
			}
		}
	}
	for _, name := range []string{"tournament/1", "experiment/2"} {
		eventually(name+" waits", func() bool {
			return said.has("the study goes on when it can\" study="+name) || said.has("study="+name+" error=")
		})
	}
	limit(fmt.Sprint(1 << 30))
	for _, j := range jobs {
		var d web.JobDetail
		eventually(j.path+" is done", func() bool {
			return c.call(ctx, http.MethodGet, j.path, nil, &d) == nil && (d.State == "done" || d.State == "failed")
		})
		if d.State != "done" || ordered(t, string(d.Result)) != j.want {
			t.Errorf("%s: %s %s\n%.500s\nwant\n%.500s", j.path, d.State, d.Message, d.Result, j.want)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
