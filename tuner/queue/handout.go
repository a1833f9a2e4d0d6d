package queue

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"sakusen/engines/arena"
)

// Engines that travel are asked for part by part, in the worker's own name and into its own
// inbox, as its results are sent: JetStream would answer to whatever subject a worker names.

// mostChunk is how many bytes of a file an answer has at most.
const mostChunk = 128 << 10

// errorHeader says why an answer has no part of an engine.
const errorHeader = "Sakusen-Error"

// fetchRequest asks for an engine's manifest, or for a part of one of its files, both by hash.
type fetchRequest struct {
	Engine string `json:"engine"`
	File   string `json:"file,omitempty"` // empty asks for the manifest
	From   int64  `json:"from,omitempty"`
}

// mostFetch bounds a request, bytes.
const mostFetch = 1 << 10

// wantedEngine is an engine that games would be played with at a worker, if it had it.
type wantedEngine struct {
	Name    string `json:"name"`
	Package string `json:"package"` // hash of the manifest
	Size    int64  `json:"size"`    // bytes that its system needs
	// None says why the worker's system can have nothing of it, empty where it can.
	None string `json:"none,omitempty"`
}

// wants is the engines that a worker lacks and that its games would need, with when that was last
// so, and what it was sent of them, and those that it cannot play by a clock. It has a lock of its
// own, which is taken last: the pool is locked when it asks what a worker has.
type wants struct {
	mu     sync.Mutex
	list   []want
	unable map[string]time.Time // by engines: until when it is not asked for such games
}

// plays reports whether a worker has not said of late that it cannot play engines by a clock.
func (w *wants) plays(programs []arena.Program) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !time.Now().Before(w.unable[fmt.Sprint(names(programs))])
}

// refuse notes that games of these engines by a clock cannot be played there, for a while.
func (w *wants) refuse(programs []arena.Program, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unable == nil {
		w.unable = map[string]time.Time{}
	}
	w.unable[fmt.Sprint(names(programs))] = time.Now().Add(d)
}

// forgive forgets what could not be played.
func (w *wants) forgive() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.unable)
}

type want struct {
	program arena.Program
	last    time.Time
	sent    allowance
}

const (
	// mostWants bounds the engines that a worker may want, wantsNow is how long one is told
	// after a game had need of it, and wantsStill how long it may be asked for.
	mostWants            = 64
	wantsNow, wantsStill = time.Minute, time.Hour
	// mostSent is how many times its size of an engine a worker is sent at once, and in each hour more.
	mostSent = 4
)

// note notes the programs that games need and the worker lacks.
func (w *wants) note(has, need []arena.Program) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	for _, p := range need {
		if p.Package == "" || slices.Contains(has, p) {
			continue
		}
		i := slices.IndexFunc(w.list, func(x want) bool { return x.program == p })
		switch {
		case i >= 0:
			w.list[i].last = now
		case len(w.list) < mostWants:
			w.list = append(w.list, want{program: p, last: now})
		default: // in place of what was wanted last long ago
			oldest := 0
			for i := range w.list {
				if w.list[i].last.Before(w.list[oldest].last) {
					oldest = i
				}
			}
			w.list[oldest] = want{program: p, last: now}
		}
	}
}

// now returns the engines that are wanted at the moment.
func (w *wants) now() (all []arena.Program) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.list {
		if time.Since(x.last) < wantsNow {
			all = append(all, x.program)
		}
	}
	return all
}

// find returns the wanted entry of an engine, nil if the engine is not wanted. The caller holds mu.
func (w *wants) find(engine string) *want {
	for i := range w.list {
		if x := &w.list[i]; x.program.Package == engine && time.Since(x.last) < wantsStill {
			return x
		}
	}
	return nil
}

// has reports whether an engine is wanted.
func (w *wants) has(engine string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.find(engine) != nil
}

// spend returns an error where a worker may not be sent so many bytes more of an engine of a size.
func (w *wants) spend(engine string, bytes, size int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	x, most := w.find(engine), float64(mostSent*(size+mostChunk))
	if x != nil && x.sent.exceeded(time.Now(), float64(bytes), most, most/3600) {
		return fmt.Errorf("engine %s was sent to this worker %d times: it is sent again later", x.program.Name, mostSent)
	}
	return nil
}

// handout gives engines of the daemon's store to workers whose games need them.
type handout struct{ q *Queue }

// sign returns the daemon's signature of an engine.
func (h handout) sign(engine string) (string, error) {
	h.q.rolling.Lock()
	seed := h.q.roll.Signer
	h.q.rolling.Unlock()
	if seed == "" {
		return "", errors.New("this daemon has no key to sign engines with: sakusen worker add makes one")
	}
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return "", err
	}
	signature, err := pair.Sign(manifestText(engine))
	return base64.RawURLEncoding.EncodeToString(signature), err
}

// wanted returns the engines that a worker is offered to fetch.
func (h handout) wanted(w *state) (all []wantedEngine) {
	if h.q.o.Store == nil {
		return nil
	}
	for _, p := range w.wants.now() {
		if slices.Contains(w.programs, p) {
			continue
		}
		m, err := h.q.o.Store.Manifest(p.Package)
		if err != nil {
			continue
		}
		x := wantedEngine{Name: p.Name, Package: p.Package}
		if _, x.Size, err = m.Need(w.hello.OS, w.hello.Arch); err != nil {
			x.None = err.Error()
		}
		all = append(all, x)
	}
	return all
}

// take answers a request for a part of an engine.
func (h handout) take(m *nats.Msg) {
	name := m.Subject[len(fetchRoot):]
	err := errors.New("it is too long")
	if len(m.Data) <= mostFetch {
		err = h.q.registry.prove(name, m)
	}
	var r fetchRequest
	if err == nil {
		err = json.Unmarshal(m.Data, &r)
	}
	if err != nil {
		h.q.registry.junk(name, "fetch", len(m.Data), err)
		return
	}
	if m.Reply == "" {
		return
	}
	answer := nats.NewMsg(m.Reply)
	if err := h.fill(name, &r, answer); err != nil {
		answer.Data = nil
		answer.Header.Set(errorHeader, err.Error())
		h.q.o.Log.Warn("a worker gets no part of an engine", "worker", name, "reason", err)
	}
	m.RespondMsg(answer)
}

// fill puts into an answer what a worker asks for.
func (h handout) fill(name string, r *fetchRequest, answer *nats.Msg) error {
	store := h.q.o.Store
	if store == nil {
		return errors.New("this daemon hands out no engines")
	}
	h.q.mu.Lock()
	w := h.q.registry.worker(name)
	quarantined, wants := w.quarantined, w.wants
	h.q.mu.Unlock()
	if quarantined {
		return errors.New("the worker is in quarantine")
	}
	if !wants.has(r.Engine) {
		return fmt.Errorf("no game of this worker needs the engine %.12q", r.Engine)
	}
	m, err := store.Manifest(r.Engine)
	if err != nil {
		return err
	}
	if r.File == "" {
		if answer.Data, err = store.Text(r.Engine); err != nil {
			return err
		}
		signature, err := h.sign(r.Engine)
		answer.Header.Set(signHeader, signature)
		return err
	}
	if err := w.wants.spend(r.Engine, mostChunk, m.Size()); err != nil {
		return err
	}
	if r.From < 0 {
		return fmt.Errorf("expected a place in a file, got %d", r.From)
	}
	chunk := make([]byte, mostChunk)
	n, err := store.Read(r.Engine, r.File, r.From, chunk)
	answer.Data = chunk[:n]
	return err
}

// manifestText returns what the daemon signs of an engine: the hash of its manifest.
func manifestText(hash string) []byte { return []byte("sakusen engine " + hash) }

// signedManifest reports whether the daemon with a public key has signed an engine.
func signedManifest(hash, signature, key string) bool {
	public, err := nkeys.FromPublicKey(key)
	if err != nil {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(signature)
	return err == nil && public.Verify(manifestText(hash), text) == nil
}
