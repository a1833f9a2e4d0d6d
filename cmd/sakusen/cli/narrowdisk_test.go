package cli_test

import (
	"bytes"
	"context"
	"database/sql"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/cmd/sakusen/cli"
	"sakusen/engines/suite"
	"sakusen/tuner/config"
	"sakusen/tuner/serve"
	"sakusen/tuner/serve/client"
	"sakusen/tuner/store/sqlitedb"
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

// narrowDisk is a daemon in this process whose database can be told to grow no
// further, as on a full disk.
type narrowDisk struct {
	t    *testing.T
	ctx  context.Context
	api  *client.Client
	said *notes // the log
	db   *sqlitedb.DB
	stop context.CancelFunc
	done chan error
}

// serveNarrow starts the daemon on a new database in a folder.
func serveNarrow(t *testing.T, dir string) *narrowDisk {
	t.Helper()
	path := filepath.Join(dir, "full.db")
	none := func(string) (string, bool) { return "", false }
	settings, err := config.Load(config.Source{Env: none, Flags: map[string]string{"database": path}})
	if err != nil {
		t.Fatal(err)
	}
	said := new(notes)
	a := cli.NewInside(settings, said)
	ctx, stop := context.WithCancel(t.Context())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f, err := serve.NewEndpoint(settings, l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	api, err := client.New("http://"+l.Addr().String(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &narrowDisk{
		t: t, ctx: ctx, api: api,
		said: said, db: db, stop: stop, done: make(chan error, 1),
	}
	go func() { d.done <- serve.Serve(ctx, l, f, db, a.DaemonOptions()) }()
	return d
}

// limit bounds the file; what is there already stays.
func (d *narrowDisk) limit(pages string) {
	d.t.Helper()
	if err := d.db.Write(d.ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("PRAGMA max_page_count = " + pages)
		return err
	}); err != nil {
		d.t.Fatal(err)
	}
}

// eventually waits for something to come true.
func (d *narrowDisk) eventually(what string, ok func() bool) {
	d.t.Helper()
	for end := suite.Deadline(d.t); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			d.said.mu.Lock()
			defer d.said.mu.Unlock()
			d.t.Fatalf("it does not come to this: %s\n%s", what, &d.said.b)
		}
	}
}

// end shuts the daemon down.
func (d *narrowDisk) end() {
	d.t.Helper()
	d.stop()
	if err := <-d.done; err != nil {
		d.t.Error(err)
	}
	if err := d.db.Close(); err != nil {
		d.t.Error(err)
	}
}
