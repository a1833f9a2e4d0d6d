package serve

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/queue"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

const trustStudy = `version: 1
name: trust
game: laboratory
tune: {strategy: point, params: [{name: x1}, {name: x2}]}
baseline: point
sampler: {name: uniform, seed: 4, batch: 4}
race: {rungs: [32, 64]}
budget: {trials: 12, games: 2400}
final: {top: 2, blocks: 100}
validation: {gain_elo: [0, 60], max_blocks: 300}
`

// hub is a daemon's service with a queue, over one file.
type hub struct {
	t       *testing.T
	service *service.Service
	queue   *queue.Queue
	end     func()
	pool    *arena.Pool
}

func openHub(t *testing.T, path string, local int) *hub { return openHubWith(t, path, local, .2) }

// openHubWith has a share of the workers' jobs played again.
func openHubWith(t *testing.T, path string, local int, replay float64, change ...func(*Options)) *hub {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	if os.Getenv("SAKUSEN_QUEUE_LOG") != "" {
		log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	pool := arena.NewOpenPool(local)
	s, err := service.Open(ctx, db, service.Options{Catalogue: strategies.Catalogue(), Pool: pool, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Pool: pool, WorkersListen: "127.0.0.1:0", Commit: "test", WorkersReplay: replay}
	for _, c := range change {
		c(&o)
	}
	q, err := openQueue(ctx, &o, &Endpoint{}, nil, db, s, nil, log)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	var once atomic.Bool
	h := &hub{t, s, q, nil, pool}
	h.end = func() {
		if once.CompareAndSwap(false, true) {
			cancel()
			<-served
			q.Close()
			db.Close()
		}
	}
	t.Cleanup(h.end)
	return h
}

// worker starts a worker, which spoils what it plays where that is given.
func (h *hub) worker(c queue.Credentials, spoil func(*arena.Run)) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		queue.Work(ctx, queue.WorkOptions{
			Server: h.queue.Address(), Credentials: c, Catalogue: strategies.Catalogue(), Build: queue.NewBuild("test"), Cores: 2, Corrupt: spoil,
		})
	}()
	h.t.Cleanup(func() { cancel(); <-ended })
}

func (h *hub) await(study string, state string) *service.StudyDetail {
	h.t.Helper()
	var last string
	for end := suite.Deadline(h.t); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		d, err := h.service.Studies().Show(h.t.Context(), study)
		if err != nil {
			h.t.Fatal(err)
		}
		if last = d.State + " " + d.Message; d.State == state {
			return d
		}
	}
	h.t.Fatalf("study %s is %s, expected %s", study, last, state)
	return nil
}

// digest returns that of the last of studies whose games are all played here.
func digest(t *testing.T, texts ...string) (last string) {
	t.Helper()
	play := alone(t)
	for _, text := range texts {
		last = play(text)
	}
	return last
}

// alone returns what plays studies here, one after the other in one database, and returns their
// digests.
func alone(t *testing.T) func(text string) string {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "alone.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := service.Open(t.Context(), db, service.Options{Catalogue: strategies.Catalogue()})
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) string {
		t.Helper()
		spec, err := studyfile.Read("trust.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
		if err != nil {
			t.Fatal(err)
		}
		signatures, err := spec.Ruleset.Signatures(t.Context(), spec.Strategies()...)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Studies().Tune(t.Context(), service.StudyFile{Setup: spec, Signatures: signatures}, arena.NewPool(1), func(tuner.Progress) {}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Digest
	}
}

// A worker that lies carefully, the same each time, is found by the sample before the verdict,
// which it does not play. It is put in quarantine, its blocks are dropped, and the study or the
// tournament continues by itself and ends as on one machine. One false block is not enough for
// that, and goes too.
func TestCarefulLiar(t *testing.T) {
	for _, c := range []struct {
		name  string
		every int64 // of the blocks are false
		state string
	}{{"many", 3, "quarantined"}, {"one", 0, "working"}} {
		t.Run(c.name, func(t *testing.T) {
			want := digest(t, trustStudy)
			path := filepath.Join(t.TempDir(), "s.db")
			register := queue.RegisterOf(path)
			k, err := register.Add("eve", false)
			if err != nil {
				t.Fatal(err)
			}
			h := openHubWith(t, path, 0, 1e-9)
			var lied atomic.Int64
			h.worker(k, func(r *arena.Run) {
				for b := range r.Blocks {
					at := r.From + int64(b)
					if c.every > 0 && at%c.every != 0 || c.every == 0 && !lied.CompareAndSwap(0, 1) {
						continue
					}
					turn(r, b)
				}
			})
			var failed atomic.Pointer[string]
			h.service.Watch(func(e daemon.Event) {
				if e.State == tuner.Failed {
					failed.Store(&e.Why)
				}
			})
			text := trustStudy
			if c.every == 0 { // all blocks are in the sample
				text = strings.Replace(text, "max_blocks: 300", "max_blocks: 300, replay: 1", 1)
			}
			if _, err := h.service.Studies().Files.Submit(t.Context(), service.Submission{Name: "trust.yaml", Spec: text}); err != nil {
				t.Fatal(err)
			}
			if c.every > 0 {
				for all, _ := h.queue.Workers(); len(all) == 0 || all[0].State != c.state; all, _ = h.queue.Workers() {
					if time.Sleep(10 * time.Millisecond); time.Now().After(suite.Deadline(t)) {
						t.Fatalf("%+v", all)
					}
				}
				sound, err := register.Add("sound", false)
				if err != nil {
					t.Fatal(err)
				}
				h.reload(register)
				h.worker(sound, nil)
			}
			if got := h.await("trust", "done"); got.Result == nil || got.Result.Digest != want {
				t.Errorf("digest %s, expected %s", got.Result.Digest, want)
			}
			if why := failed.Load(); why != nil {
				t.Error(*why)
			}
			all, counts := h.queue.Workers()
			if all[0].Name != "eve" || all[0].State != c.state || counts.Different == 0 {
				t.Errorf("%+v %+v", all, counts)
			}
			if n, err := h.service.Store().Blocks().PlayedBy(t.Context(), "eve", blocks.Scope{}); err != nil || c.every > 0 && n != 0 {
				t.Error(n, err)
			}
		})
	}
}

// turn makes a block of a run false: the moves are those of the game, and who won is not.
func turn(r *arena.Run, block int) {
	first := r.Values[block*r.Rotations*r.Seats*r.Width():][:2*r.Width()]
	for i := range r.Width() {
		first[i], first[r.Width()+i] = first[r.Width()+i], first[i]
	}
}

// reload has the queue know the workers of a register.
func (h *hub) reload(r queue.Register) {
	h.t.Helper()
	roll, err := r.Read()
	if err == nil {
		err = h.queue.SetRoll(roll)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// A study that has met a lying worker's games drops them and begins anew by itself, and
// ends with the digest of one machine; one that had ended before waits to be resumed. The
// worker stays in quarantine over a restart of the daemon.
func TestQuarantineDropsByItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	register := queue.RegisterOf(path)
	keys := map[string]queue.Credentials{}
	for _, name := range []string{"liar", "sound"} {
		c, err := register.Add(name, false)
		if err != nil {
			t.Fatal(err)
		}
		keys[name] = c
	}
	before := strings.Replace(strings.Replace(trustStudy, "name: trust", "name: before", 1), "seed: 4", "seed: 9", 1)
	want := digest(t, before, trustStudy) // the second is a second attempt at one question
	h := openHub(t, path, 0)
	var lies atomic.Bool
	h.worker(keys["liar"], func(r *arena.Run) {
		if lies.Load() {
			for i := range r.Digests {
				r.Digests[i] ^= 1
			}
		}
	})
	submit := func(name, text string) {
		if _, err := h.service.Studies().Files.Submit(t.Context(), service.Submission{Name: name + ".yaml", Spec: text}); err != nil {
			t.Fatal(err)
		}
	}
	submit("before", before)
	h.await("before", "done")
	lies.Store(true)
	submit("trust", trustStudy)
	for end := suite.Deadline(t); ; time.Sleep(10 * time.Millisecond) {
		roll, err := register.Read()
		n, failed := h.service.Store().Blocks().PlayedBy(t.Context(), "liar", blocks.Scope{})
		if err := errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		if len(roll.Quarantined) == 1 && n == 0 {
			break
		}
		if time.Now().After(end) {
			all, counts := h.queue.Workers()
			t.Fatalf("nobody is in quarantine: %+v %+v", all, counts)
		}
	}
	h.worker(keys["sound"], nil)
	if d, err := h.service.Studies().Show(t.Context(), "trust"); err != nil || d.State == "paused" { // it had ended before the liar was found
		if _, failed := h.service.Queue().Resume(t.Context(), daemon.StudyKey("trust")); err != nil || failed != nil {
			t.Fatal(err, failed)
		}
	}
	if got := h.await("trust", "done"); got.Result == nil || got.Result.Digest != want {
		t.Errorf("digest %s, expected %s", got.Result.Digest, want)
	}
	h.end()
	h = openHub(t, path, 1)
	if all, _ := h.queue.Workers(); len(all) != 1 || all[0].Name != "liar" || all[0].State != "quarantined" {
		t.Errorf("after a restart: %+v", all)
	}
	if d := h.await("before", "paused"); !strings.Contains(d.Message, "resume the study") {
		t.Error(d.Message)
	}
	if _, err := h.service.Queue().Resume(t.Context(), daemon.StudyKey("before")); err != nil {
		t.Fatal(err)
	}
	h.await("before", "done")
	if n, err := h.service.Store().Blocks().Count(t.Context()); err != nil || n == 0 {
		t.Error(n, err)
	}
}
