package daemon

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
	"sakusen/tuner/store/sqlitedb"
)

// wholeDigests returns the digests of the served studies, run without interruption.
func wholeDigests(t *testing.T) map[string]string {
	t.Helper()
	dir, want := t.TempDir(), map[string]string{}
	clitest.ServedStudies(t, dir)
	for i := range 3 {
		name := fmt.Sprintf("served-%d", i)
		out, errs, err := clitest.Program(t, dir, nil, "tune", name+".yaml", "--json")
		if want[name] = clitest.DigestIn(out); want[name] == "" {
			t.Fatalf("%v %s%s", err, out, errs)
		}
	}
	return want
}

// busy starts a daemon that runs the three studies, and waits until all have
// played something.
func busy(t *testing.T, dir string) *clitest.Daemon {
	t.Helper()
	clitest.ServedStudies(t, dir)
	s := clitest.Serve(t, dir)
	for i := range 3 {
		if _, errs, code := s.Run("study", "submit", fmt.Sprintf("served-%d.yaml", i)); code != 0 {
			t.Fatal(errs)
		}
	}
	return s
}

// finish lets all studies of a database end and compares their digests.
func finish(t *testing.T, dir, what string, want map[string]string) {
	t.Helper()
	for name, digest := range want {
		out, errs, code := (&clitest.Daemon{T: t, Dir: dir}).Run("tune", name+".yaml", "--json")
		if got := clitest.DigestIn(out); got != digest {
			t.Errorf("%s, %s: exit code %d, digest %q, want %s\n%s", what, name, code, got, digest, errs)
		}
	}
}

// A backup of a database that is being written is whole, and studies go on from
// it to the end that they would have had.
func TestServeBackup(t *testing.T) {
	suite.All(t)
	want := wholeDigests(t)
	dir := t.TempDir()
	s := busy(t, dir)
	var copies []string
	n := 4
	for i := range n {
		name := fmt.Sprintf("copy-%d.db", i)
		if out, errs, code := s.Run("db", "backup", name); code != 0 {
			t.Fatalf("%d %s%s", code, out, errs)
		}
		copies = append(copies, name)
	}
	if _, errs, code := s.Run("db", "backup", copies[0]); code != clitest.ExitUsage {
		t.Errorf("over an old backup: %d %s", code, errs)
	}
	s.Cmd.Process.Kill()
	s.End()
	for _, name := range copies {
		there := t.TempDir()
		clitest.ServedStudies(t, there)
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		clitest.WritePrivate(t, there, "sakusen.db", string(text))
		if out, errs, code := (&clitest.Daemon{T: t, Dir: there}).Run("db", "check"); code != 0 {
			t.Errorf("%s: %d %s%s", name, code, out, errs)
		}
		finish(t, there, name, want)
	}
}

// Retention takes blocks away while studies run: they end as they would have.
func TestServeRetention(t *testing.T) {
	suite.All(t)
	want := wholeDigests(t)
	dir := t.TempDir()
	s := busy(t, dir)
	time.Sleep(100 * time.Millisecond)
	s.Cmd.Process.Kill()
	s.End()
	db, err := sqlitedb.Open(t.Context(), filepath.Join(dir, "sakusen.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE block_series SET updated = 1 WHERE series_id % 3 <> 0")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SAKUSEN_RETENTION_BLOCKS_DAYS", "1")
	s = clitest.Serve(t, dir)
	for end := suite.Deadline(t); ; time.Sleep(20 * time.Millisecond) {
		if _, errs, code := s.Run("db", "prune", "--days", "1"); code != 0 && code != clitest.ExitNothing {
			t.Fatalf("prune: %d %s", code, errs)
		}
		done := 0
		for _, state := range s.States() {
			if state == "done" {
				done++
			}
		}
		if done == 3 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the studies do not end: %v", s.States())
		}
	}
	s.Cmd.Process.Kill()
	if said, _ := s.End(); !strings.Contains(said, "msg=pruned") {
		t.Errorf("nothing was pruned: %s", said)
	}
	finish(t, dir, "after retention", want)
}

// watch reads events until there are n, or the stream ends: their kinds and ids.
func watch(s *clitest.Daemon, ctx context.Context, n int, last string) (kinds, ids []string) {
	r, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/api/v1/events", nil)
	if err != nil {
		return nil, nil
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, nil
	}
	defer a.Body.Close()
	for in := bufio.NewScanner(a.Body); len(kinds) < n && in.Scan(); {
		if kind, ok := strings.CutPrefix(in.Text(), "event: "); ok {
			kinds = append(kinds, kind)
		}
		if id, ok := strings.CutPrefix(in.Text(), "id: "); ok {
			ids = append(ids, id)
		}
	}
	return kinds, ids
}

// After the daemon has died and lives again, who comes back with an id of before
// is told to look at everything anew, and ids go on.
func TestServeEventsGoOn(t *testing.T) {
	dir := t.TempDir()
	s := busy(t, dir)
	ctx, cancel := context.WithDeadline(t.Context(), suite.Deadline(t))
	defer cancel()
	_, ids := watch(s, ctx, 5, "")
	if len(ids) < 5 {
		t.Fatal("no events")
	}
	last := ids[len(ids)-1]
	s.Cmd.Process.Kill()
	s.End()
	s = clitest.Serve(t, dir)
	kinds, ids := watch(s, ctx, 3, last)
	if len(kinds) < 3 || kinds[0] != "reset" {
		t.Fatalf("after a restart: %q", kinds)
	}
	before, _ := strconv.ParseUint(last, 10, 64)
	for _, id := range ids {
		after, err := strconv.ParseUint(id, 10, 64)
		if err != nil || after <= before {
			t.Errorf("id %s after %d: %v", id, before, err)
		}
		before = after
	}
	if kinds, again := watch(s, ctx, 2, ids[0]); len(again) == 0 || again[0] != ids[1] || kinds[0] == "reset" {
		t.Errorf("of the same life: %q %q, want %s first", kinds, again, ids[1])
	}
}

// Many streams are served while studies run; clients that never read are dropped
// and hold nothing up. SAKUSEN_STREAMS sets the number of streams.
func TestServeStreams(t *testing.T) {
	n := 40
	if suite.Few() {
		n = 10
	}
	if text := os.Getenv("SAKUSEN_STREAMS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	s := clitest.Serve(t, dir)
	for range 10 {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.(*net.TCPConn).SetReadBuffer(4096)
		fmt.Fprint(c, "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	ctx, cancel := context.WithDeadline(t.Context(), suite.Deadline(t))
	defer cancel()
	var group sync.WaitGroup
	heard := make([]int, n)
	for i := range n {
		group.Go(func() {
			kinds, _ := watch(s, ctx, 60, "")
			heard[i] = len(kinds)
		})
	}
	for end := suite.Deadline(t); ; time.Sleep(5 * time.Millisecond) {
		if _, text := s.Answer("GET", "/metrics", ""); strings.Contains(text, fmt.Sprintf("sakusen_event_watchers %d\n", n+10)) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("not all streams are open")
		}
	}
	clitest.ServedStudies(t, dir)
	for i := range 3 { // of twice the length: a validation that ends early says less
		name := filepath.Join(dir, fmt.Sprintf("served-%d.yaml", i))
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		longer := strings.Replace(string(text), "{trials: 40, games: 20000}", "{trials: 80, games: 40000}", 1)
		if err := os.WriteFile(name, []byte(longer), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		if _, errs, code := s.Run("study", "submit", fmt.Sprintf("served-%d.yaml", i)); code != 0 {
			t.Fatal(errs)
		}
	}
	for end := suite.Deadline(t); ; time.Sleep(50 * time.Millisecond) {
		done := 0
		for _, state := range s.States() {
			if state == "done" {
				done++
			}
		}
		if done == 3 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the studies do not end: %v", s.States())
		}
	}
	group.Wait()
	for i, k := range heard {
		if k < 60 {
			t.Errorf("watcher %d heard %d events", i, k)
		}
	}
	_, text := s.Answer("GET", "/metrics", "")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "sakusen_event_watchers") || strings.HasPrefix(line, "sakusen_heap") || strings.HasPrefix(line, "sakusen_goroutines") {
			t.Log(strings.TrimSpace(line))
		}
	}
}
