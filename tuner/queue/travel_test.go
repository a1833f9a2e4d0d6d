package queue

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/tuner/queue/enginestore"
)

// travelling is a daemon whose engine "a" is in its store, with a program of which the test is
// itself the file, and workers that begin with none.
type travelling struct {
	*bench
	here     *toys
	store    *enginestore.Store
	folder   string
	manifest *enginestore.Manifest
}

func newTravelling(t *testing.T) *travelling {
	t.Helper()
	x := &travelling{folder: t.TempDir(), manifest: &enginestore.Manifest{Name: "a"}}
	x.store = enginestore.Open(x.folder, 1<<30)
	if err := errors.Join(x.store.Stage(x.manifest, []string{ownProgram(t)}), x.store.Publish(x.manifest)); err != nil {
		t.Fatal(err)
	}
	x.here = toysOf("a=1")
	x.here.programs[0].Package = x.manifest.Hash()
	x.bench = newBench(t, 1, func(o *Options) { o.Engines, o.Store, o.times = x.here, x.store, hasty })
	return x
}

// ownProgram returns a copy of the test's own program, which others may not delete in the meantime.
func ownProgram(t *testing.T) string {
	t.Helper()
	from, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	path := filepath.Join(t.TempDir(), "program")
	to, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(to, from)
	if err := errors.Join(err, to.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// travels starts a worker that has no engine, and registers those that come.
func (x *travelling) travels(name string, store *enginestore.Store, change func(*WorkOptions)) (*toys, func() error) {
	x.t.Helper()
	there := &toys{}
	c := x.admit(name)
	stop := x.start(c, func(o *WorkOptions) {
		o.Engines, o.times = there, hasty
		o.Accept = &Acceptance{Store: store, Register: func(all []*enginestore.Manifest) (arena.Catalogue, error) {
			var programs []arena.Program
			for _, m := range all {
				programs = append(programs, arena.Program{Name: m.Name, Identity: "1", Way: "way", Package: m.Hash()})
			}
			there.mu.Lock()
			there.programs = programs
			there.mu.Unlock()
			return append(o.Catalogue, there.catalogue()...), nil
		}}
		if change != nil {
			change(o)
		}
	})
	return there, stop
}

// playUntil plays series of the engine until something is so.
func (x *travelling) playUntil(t *testing.T, what string, is func([]Worker, queueCounts) bool) {
	t.Helper()
	for end := suite.Deadline(t); time.Now().Before(end); {
		same(t, x.pool, x.here.series(t, 300, "a", "a"))
		if is(x.queue.Workers()) {
			return
		}
	}
	w, c := x.queue.Workers()
	t.Fatalf("%s: %+v %+v", what, w, c)
}

// A worker that accepts engines fetches what its games need, and plays them; its games are those
// of the daemon. Another one with the same store does so without the daemon's files.
func TestEngineTravels(t *testing.T) {
	x := newTravelling(t)
	store := t.TempDir()
	there, stop := x.travels("one", enginestore.Open(store, 1<<30), nil)
	x.await("it works", working(1))
	x.playUntil(t, "the engine comes", engineOf("one", "a"))
	x.playUntil(t, "games are played with it", func([]Worker, queueCounts) bool { return there.played.Load() > 0 })
	if all, c := x.queue.Workers(); c.Different != 0 || c.Unable != 0 || all[0].Reason != "" {
		t.Errorf("%+v %+v", all, c)
	}
	if err := errors.Join(stop(), os.RemoveAll(filepath.Join(x.folder, "files"))); err != nil {
		t.Fatal(err)
	}
	again, _ := x.travels("two", enginestore.Open(store, 1<<30), nil)
	x.playUntil(t, "games are played with what the store holds", func([]Worker, queueCounts) bool { return again.played.Load() > 0 })
}

// A worker that takes no engines, not this one, or that cannot see who has signed it says what it
// would need; one that gets another file, or the manifest of another daemon, refuses it. The
// daemon hears of each.
func TestEngineIsRefused(t *testing.T) {
	x := newTravelling(t)
	others := RegisterOf(filepath.Join(t.TempDir(), "other.db"))
	foreign, err := others.Add("other", false)
	if err != nil {
		t.Fatal(err)
	}
	x.travels("without", nil, nil)
	x.travels("named", enginestore.Open(t.TempDir(), 1<<30), func(o *WorkOptions) { o.Accept.Names = []string{"b"} })
	x.travels("old", enginestore.Open(t.TempDir(), 1<<30), func(o *WorkOptions) { o.Credentials.Daemon = "" })
	x.travels("foreign", enginestore.Open(t.TempDir(), 1<<30), func(o *WorkOptions) { o.Credentials.Daemon = foreign.Daemon })
	x.travels("small", enginestore.Open(t.TempDir(), 1<<10), nil)
	// The file changes in the daemon's store, under its name.
	path := filepath.Join(x.folder, "files", x.manifest.Programs[0].SHA256)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2]++
	if err := errors.Join(os.Chmod(path, 0o700), os.WriteFile(path, text, 0o700)); err != nil {
		t.Fatal(err)
	}
	store := t.TempDir()
	changed, _ := x.travels("changed", enginestore.Open(store, 1<<30), nil)
	x.await("they work", working(6))
	want := map[string]string{
		"without": "started with --accept-engines, or with --accept a", "named": "not among those of --accept", "old": "do not say by which key",
		"foreign": "is not signed by the daemon", "small": "--store-mb", "changed": "hash differs from its manifest",
	}
	x.playUntil(t, "each says why", func(all []Worker, _ queueCounts) bool {
		for _, w := range all {
			if !strings.Contains(w.Reason, want[w.Name]) || len(w.Engines) > 0 {
				return false
			}
		}
		return true
	})
	if changed.played.Load() > 0 {
		t.Error("an engine with another hash has played")
	}
	for _, folder := range []string{"files", "partial"} {
		if left, err := os.ReadDir(filepath.Join(store, folder)); err != nil || len(left) > 0 {
			t.Errorf("%s: %v %v", folder, left, err)
		}
	}
}

// A worker that asks for what its games do not need, for another's files or in another's name gets
// nothing.
func TestNobodyFetchesForAnother(t *testing.T) {
	x := newTravelling(t)
	more := &enginestore.Manifest{Name: "b"}
	secret := filepath.Join(t.TempDir(), "net")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(x.store.Stage(more, []string{ownProgram(t), secret}), x.store.Publish(more)); err != nil {
		t.Fatal(err)
	}
	x.travels("one", nil, nil) // a is wanted there, since it has slots
	eve := x.admit("eve")
	x.await("it works", working(1))
	x.playUntil(t, "a is wanted", func(all []Worker, _ queueCounts) bool {
		return len(all) > 0 && strings.Contains(all[0].Reason, "--accept-engines")
	})
	v, err := newVoice(eve)
	if err != nil {
		t.Fatal(err)
	}
	connect := func(c Credentials) *nats.Conn {
		t.Helper()
		v, err := newVoice(c)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := nats.Connect(x.queue.Address(), nats.Nkey(v.key, v.pair.Sign), nats.CustomInboxPrefix(inboxRoot+c.Name), nats.MaxReconnects(-1), nats.ReconnectWait(10*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		return conn
	}
	ask := func(conn *nats.Conn, v *voice, r fetchRequest) *nats.Msg {
		t.Helper()
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		for end := suite.Deadline(t); time.Now().Before(end); {
			if answer, err := conn.RequestMsg(v.sign(fetchRoot+v.name, "x", text), time.Second); err == nil {
				return answer
			}
		}
		t.Fatalf("%+v: no answer", r)
		return nil
	}
	conn := connect(eve)
	for what, r := range map[string]fetchRequest{
		"a manifest": {Engine: x.manifest.Hash()}, "a file": {Engine: x.manifest.Hash(), File: x.manifest.Programs[0].SHA256}, "nothing": {}, "a path": {Engine: "../names/a"},
	} {
		if m := ask(conn, v, r); len(m.Data) > 0 || !strings.Contains(m.Header.Get(errorHeader), "no game of this worker needs") {
			t.Errorf("%s: %d bytes, %q", what, len(m.Data), m.Header.Get(errorHeader))
		}
	}
	// One whose games need a asks for files of b, and for what is no file.
	x.queue.mu.Lock()
	one := x.queue.registry.workers["one"]
	x.queue.registry.worker("eve").wants = one.wants
	x.queue.mu.Unlock()
	for what, r := range map[string]fetchRequest{
		"another's net":  {Engine: x.manifest.Hash(), File: more.Files[0].SHA256},
		"another engine": {Engine: more.Hash(), File: more.Files[0].SHA256},
		"a path":         {Engine: x.manifest.Hash(), File: "../../../../etc/passwd"},
		"before a file":  {Engine: x.manifest.Hash(), File: x.manifest.Programs[0].SHA256, From: -5},
	} {
		if m := ask(conn, v, r); len(m.Data) > 0 || m.Header.Get(errorHeader) == "" {
			t.Errorf("%s: %d bytes, %q", what, len(m.Data), m.Header.Get(errorHeader))
		}
	}
	if m := ask(conn, v, fetchRequest{Engine: x.manifest.Hash(), File: x.manifest.Programs[0].SHA256, From: 1 << 50}); len(m.Data) > 0 {
		t.Errorf("behind a file: %d bytes", len(m.Data))
	}
	// The same file again and again is sent a few times.
	limited := false
	for range 2 * mostSent * (int(x.manifest.Size()/mostChunk) + 2) {
		if m := ask(conn, v, fetchRequest{Engine: x.manifest.Hash(), File: x.manifest.Programs[0].SHA256}); m.Header.Get(errorHeader) != "" {
			limited = true
			break
		}
	}
	if !limited {
		t.Error("an engine is sent without a bound")
	}
	// The answer would go to another, and nothing is signed by eve.
	_, before := x.queue.Workers()
	bad := v.sign(fetchRoot+v.name, "x", []byte("{}"))
	bad.Reply = inboxRoot + "one.x"
	if err := conn.PublishMsg(bad); err != nil {
		t.Fatal(err)
	}
	x.await("it is refused", func(_ []Worker, c queueCounts) bool { return c.Malformed > before.Malformed })
	if all, _ := x.queue.Workers(); all[len(all)-1].State == "quarantined" {
		t.Errorf("%+v", all)
	}
}
