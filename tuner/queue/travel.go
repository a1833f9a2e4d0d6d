package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner/queue/enginestore"
)

// Acceptance is what a worker does about engines that the daemon would hand out.
type Acceptance struct {
	// Store keeps fetched engines; nil if the worker takes none: it then says which it
	// would need.
	Store *enginestore.Store
	// Names are those that are taken, none for all.
	Names []string
	// Register has these play on this machine, in place of all that were registered so before,
	// and returns the games with them.
	Register func([]*enginestore.Manifest) (arena.Catalogue, error)
}

// traveller takes engines for a worker.
type traveller struct {
	l *worker
	a *Acceptance

	// The rest is guarded by the worker's mu.
	catalogue arena.Catalogue
	here      []*enginestore.Manifest // registered, one of a name
	busy      bool                    // one is being fetched
	settled   map[string]time.Time    // until when those are not tried again, by hash
}

// games returns the games with all engines of the worker.
func (t *traveller) games() arena.Catalogue {
	t.l.mu.Lock()
	defer t.l.mu.Unlock()
	return t.catalogue
}

// want begins to fetch what the daemon says that games need, one engine at a time.
func (t *traveller) want(ctx context.Context, wanted []wantedEngine) {
	for _, w := range wanted {
		t.l.mu.Lock()
		busy, settled := t.busy, time.Now().Before(t.settled[w.Package])
		if !busy && !settled {
			if why := t.refuses(w); why != "" {
				t.settle(w.Package, ever)
				t.l.addLack(why)
				settled = true
			}
		}
		if !busy && !settled {
			t.busy = true
		}
		t.l.mu.Unlock()
		if busy {
			return
		}
		if !settled {
			go t.take(ctx, w)
			return
		}
	}
}

// refuses reports why an engine is not fetched, empty where it is.
func (t *traveller) refuses(w wantedEngine) string {
	size := strconv.FormatInt((w.Size+1<<20-1)>>20, 10) + " MB"
	switch {
	case w.None != "":
		return w.None
	case t.a == nil || t.a.Store == nil:
		return fmt.Sprintf("engine %s: the daemon would hand it out (%s): a worker takes it that is started with --accept-engines, or with --accept %s", w.Name, size, w.Name)
	case len(t.a.Names) > 0 && !slices.Contains(t.a.Names, w.Name):
		return fmt.Sprintf("engine %s: the daemon would hand it out (%s): it is not among those of --accept", w.Name, size)
	case t.l.o.Credentials.Daemon == "":
		return fmt.Sprintf("engine %s: these credentials do not say by which key the daemon signs it: give the worker new ones (sakusen worker remove, add)", w.Name)
	}
	return ""
}

// take fetches an engine and offers it.
func (t *traveller) take(ctx context.Context, w wantedEngine) {
	began := time.Now()
	t.l.o.Log.Info("an engine is wanted", "engine", w.Name, "hash", brief(w.Package), "bytes", w.Size)
	program, err := t.fetch(ctx, w)
	t.l.mu.Lock()
	t.busy = false
	switch {
	case err == nil:
		t.l.programs = slices.DeleteFunc(slices.Clone(t.l.programs), func(p arena.Program) bool { return p.Name == program.Name })
		t.l.programs = append(t.l.programs, program)
		t.l.lacks = slices.DeleteFunc(slices.Clone(t.l.lacks), func(why string) bool { return strings.HasPrefix(why, "engine "+w.Name+": ") })
		t.l.o.Log.Info("an engine is here and is offered", "engine", w.Name, "identity", brief(program.Identity), "seconds", fmt.Sprintf("%.1f", time.Since(began).Seconds()))
	case ctx.Err() != nil, errors.Is(err, errUnanswered): // tried again
		t.l.o.Log.Warn("an engine has not come, and is tried again", "engine", w.Name, "error", err)
	case errors.Is(err, errRefusedPart):
		t.settle(w.Package, time.Minute)
		t.l.addLack(err.Error())
	default:
		t.settle(w.Package, ever)
		t.l.addLack(err.Error())
	}
	t.l.mu.Unlock()
	if ctx.Err() == nil {
		t.l.say(ctx, false)
	}
}

// ever is as long as no worker runs.
const ever = 100 * 365 * 24 * time.Hour

// settle has an engine not be tried again for a while. The caller holds the worker's mu.
func (t *traveller) settle(engine string, pause time.Duration) {
	t.settled[engine] = time.Now().Add(pause)
}

// errRefusedPart says that the daemon gives no part of an engine, which may pass.
var errRefusedPart = errors.New("the daemon says")

// errUnanswered says that the daemon did not answer, as when the connection is lost.
var errUnanswered = errors.New("the daemon did not answer")

// fetch fetches what the store lacks of an engine, and returns it as this machine has it.
func (t *traveller) fetch(ctx context.Context, w wantedEngine) (arena.Program, error) {
	none := arena.Program{}
	text, signature, err := t.ask(ctx, &fetchRequest{Engine: w.Package})
	if err != nil {
		return none, fmt.Errorf("engine %s: %w", w.Name, err)
	}
	m, err := enginestore.ReadManifest(text)
	switch {
	case err != nil:
		return none, fmt.Errorf("engine %s: refused: %w", w.Name, err)
	case m.Hash() != w.Package || m.Name != w.Name:
		return none, fmt.Errorf("engine %s: refused: its manifest has hash %s and name %s, and the daemon told of %s", w.Name, brief(m.Hash()), m.Name, brief(w.Package))
	case !signedManifest(w.Package, signature, t.l.o.Credentials.Daemon):
		return none, fmt.Errorf("engine %s: refused: its manifest is not signed by the daemon of these credentials", w.Name)
	}
	err = t.a.Store.Take(ctx, m, t.played, func(ctx context.Context, f enginestore.File, from int64, to io.Writer) error {
		t.l.o.Log.Info("a file of an engine is fetched", "engine", w.Name, "file", f.Name, "bytes", f.Size-from)
		return t.copy(ctx, w.Package, f, from, to)
	})
	if err != nil {
		return none, err
	}
	if err := t.register(m); err != nil {
		return none, fmt.Errorf("engine %s: %w", w.Name, err)
	}
	p, err := t.l.o.Engines.Program(m.Name)
	if err == nil && p.Package != w.Package {
		err = fmt.Errorf("engine %s: this worker has one of its own of that name, which is another", m.Name)
	}
	return p, err
}

// register has an engine play here, in place of one of its name.
func (t *traveller) register(m *enginestore.Manifest) error {
	t.l.mu.Lock()
	here := slices.DeleteFunc(slices.Clone(t.here), func(x *enginestore.Manifest) bool { return x.Name == m.Name })
	t.l.mu.Unlock()
	here = append(here, m)
	games, err := t.a.Register(here)
	if err != nil {
		return err
	}
	t.l.mu.Lock()
	defer t.l.mu.Unlock()
	t.here, t.catalogue = here, games
	return nil
}

// touch notes in the store which engines a job plays with.
func (t *traveller) touch(j *job) {
	for _, p := range j.Programs {
		if p.Package != "" && t.a != nil && t.a.Store != nil {
			t.a.Store.Touch(p.Package)
		}
	}
}

// played reports whether an engine is played with by a job that this worker has.
func (t *traveller) played(hash string) bool {
	t.l.mu.Lock()
	defer t.l.mu.Unlock()
	for _, x := range t.l.tasks {
		if slices.ContainsFunc(x.Programs, func(p arena.Program) bool { return p.Package == hash }) {
			return true
		}
	}
	return false
}

// copy writes the missing parts of a file, some of whose parts are asked for ahead.
func (t *traveller) copy(ctx context.Context, engine string, f enginestore.File, from int64, to io.Writer) error {
	const ahead = 4
	type part struct {
		data []byte
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	parts := make(chan chan part, ahead)
	go func() {
		defer close(parts)
		for at := from; at < f.Size; at += mostChunk {
			answer := make(chan part, 1)
			select {
			case parts <- answer:
			case <-ctx.Done():
				return
			}
			go func() {
				data, _, err := t.ask(ctx, &fetchRequest{Engine: engine, File: f.SHA256, From: at})
				if err == nil && int64(len(data)) != min(mostChunk, f.Size-at) {
					err = fmt.Errorf("%s: refused: a part at %d has %d bytes", f.Name, at, len(data))
				}
				answer <- part{data, err}
			}()
		}
	}()
	for answer := range parts {
		p := <-answer
		if p.err != nil {
			return p.err
		}
		if _, err := to.Write(p.data); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// ask asks the daemon for a part of an engine, a few times.
func (t *traveller) ask(ctx context.Context, r *fetchRequest) (data []byte, signature string, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, "", err
	}
	for n := 1; ; n++ {
		wait, cancel := context.WithTimeout(ctx, t.l.o.times.server)
		answer, err := t.l.nats.RequestMsgWithContext(wait, t.l.voice.sign(fetchRoot+t.l.voice.name, t.l.session, text))
		cancel()
		switch {
		case err == nil && answer.Header.Get(errorHeader) != "":
			return nil, "", fmt.Errorf("%w: %.300s", errRefusedPart, answer.Header.Get(errorHeader))
		case err == nil:
			return answer.Data, answer.Header.Get(signHeader), nil
		case ctx.Err() != nil:
			return nil, "", ctx.Err()
		case n == 5:
			return nil, "", fmt.Errorf("%w: %w", errUnanswered, err)
		}
		select {
		case <-time.After(t.l.o.times.backOff(n)):
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
}
