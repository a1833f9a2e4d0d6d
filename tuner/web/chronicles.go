package web

import (
	"context"
	"sync"
	"time"

	"sakusen/engines/lru"
	"sakusen/tuner/chronicle"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
)

// Chronicler is the part of a Library that reads studies' logs for pages.
type Chronicler interface {
	// Chronicle begins a chronicle of a study, of which nothing is read yet.
	Chronicle(ctx context.Context, name string) (*chronicle.Chronicle, error)
	// EachEntry hands over at most limit entries of the log of the study with an
	// id, after the given number, in order.
	EachEntry(ctx context.Context, id, after, limit int, each func(entry.Entry) error) error
	// EntriesAt are the entries with the given numbers, at most 1 000.
	EntriesAt(ctx context.Context, id int, seqs []int) (map[int]entry.Entry, error)
	// TrialsAt are the trials with the given numbers, at most 1 000, ascending.
	TrialsAt(ctx context.Context, name string, numbers []int) ([]service.Trial, error)
	// Recent lists at most limit studies before the one with the given id, the
	// youngest first.
	Recent(ctx context.Context, before, limit int) ([]service.Study, error)
	// UnderWay lists at most limit studies that run, the most urgent first.
	UnderWay(ctx context.Context, limit int) ([]service.Study, error)
}

const (
	// chronicleBytes bounds the memory of all chronicles together; the one that is
	// read is kept however long it is.
	chronicleBytes = 128 << 20
	// chronicleChunk is the number of entries that are read at once.
	chronicleChunk = 500
	// chronicleWait is the longest that a page waits for a log to be read. One that
	// is longer is read on while the page is shown with what there is.
	chronicleWait = 100 * time.Millisecond
	// chronicleTime bounds the reading of a log.
	chronicleTime = 5 * time.Minute
)

// sharedChronicle is one study's, shared by all who look at it.
type sharedChronicle struct {
	name string
	id   int

	mu   sync.Mutex // guards what follows
	log  *chronicle.Chronicle
	busy chan struct{} // closed when the reading that goes on has ended; nil while none does
	from time.Time     // when it began
	err  error         // of the last reading

	drawn *lru.Cache[string, *drawing]
}

// chronicles are those that are kept, by the study's id.
type chronicles struct {
	mu  sync.Mutex
	all *lru.Cache[int, *sharedChronicle]
}

func newChronicles() *chronicles {
	return &chronicles{all: lru.New[int, *sharedChronicle](0)}
}

// chronicle is a study's chronicle, begun where it is not there.
func (s *Server) chronicle(ctx context.Context, d *service.StudyDetail) (*sharedChronicle, error) {
	s.chronicles.mu.Lock()
	c, ok := s.chronicles.all.Get(d.ID)
	s.chronicles.mu.Unlock()
	if !ok {
		log, err := s.o.Library.Chronicle(ctx, d.Study.Study)
		if err != nil {
			return nil, err
		}
		c = &sharedChronicle{name: d.Study.Study, id: d.ID, log: log, drawn: lru.New[string, *drawing](drawingsMost)}
	}
	s.chronicles.mu.Lock()
	defer s.chronicles.mu.Unlock()
	if other, ok := s.chronicles.all.Get(d.ID); ok {
		c = other // begun meanwhile
	} else {
		s.chronicles.all.Put(d.ID, c)
	}
	s.chronicles.shrink(chronicleBytes)
	return c, nil
}

// shrink forgets the chronicles that nobody has looked at for longest, until the
// rest takes no more than so many bytes. The one that was looked at last is kept
// however much it takes. The caller holds mu.
func (all *chronicles) shrink(room int) {
	total, latest := 0, true
	for id, c := range all.all.All() {
		total += c.bytes()
		if total > room && !latest {
			all.all.Delete(id)
		}
		latest = false
	}
}

// bytes is what a chronicle takes; one that is being drawn now counts as
// nothing, rather than being waited for.
func (c *sharedChronicle) bytes() int {
	if !c.mu.TryLock() {
		return 0
	}
	defer c.mu.Unlock()
	n := c.log.Bytes()
	for _, d := range c.drawn.All() {
		n += len(d.html)
	}
	return n
}

// read brings a chronicle to at least the given entry and waits for it no longer
// than wait.
func (s *Server) read(ctx context.Context, c *sharedChronicle, entries int, wait time.Duration) error {
	c.mu.Lock()
	if c.log.Entries >= entries {
		c.mu.Unlock()
		return nil
	}
	if c.busy == nil {
		c.busy, c.from = make(chan struct{}), time.Now()
		go s.readOn(context.WithoutCancel(ctx), c, entries)
	} else if wait == chronicleWait {
		wait = max(wait/10, wait-time.Since(c.from)) // others have waited already
	}
	busy := c.busy
	c.mu.Unlock()
	patience := time.NewTimer(wait)
	defer patience.Stop()
	select {
	case <-busy:
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.err
	case <-patience.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readOn reads a log in pieces, so that whoever draws meanwhile waits for one of
// them only.
func (s *Server) readOn(ctx context.Context, c *sharedChronicle, entries int) {
	ctx, cancel := context.WithTimeout(ctx, chronicleTime)
	defer cancel()
	for {
		c.mu.Lock()
		at := c.log.Entries
		c.mu.Unlock()
		var chunk []entry.Entry
		err := s.o.Library.EachEntry(ctx, c.id, at, chronicleChunk, func(e entry.Entry) error {
			chunk = append(chunk, e)
			return nil
		})
		c.mu.Lock()
		for _, e := range chunk {
			if wrong := c.log.Add(e); wrong != nil {
				s.o.Log.Debug("chronicle", "study", c.name, "error", wrong)
			}
		}
		if err != nil || len(chunk) == 0 || c.log.Entries >= entries {
			c.err = err
			close(c.busy)
			c.busy = nil
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
	}
}
