package web

import (
	"html/template"
	"sync"
	"time"

	"sakusen/engines/lru"
	"sakusen/tuner/insight/chronicle"
)

const (
	// chronicleBytes bounds the memory of all chronicles together; the one that was read
	// last is kept however large it is.
	chronicleBytes = 128 << 20
	// chronicleChunk is the number of entries that are read at once.
	chronicleChunk = 500
	// chronicleWait is the longest that a page waits for a log to be read. Then the page is
	// shown with what has been read, and the reading goes on.
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
	busy chan struct{} // closed when the current reading ends; nil if there is none
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

// shrink forgets the chronicles that nobody has looked at for longest, until the others
// take at most room bytes. The one looked at last is always kept. The caller holds mu.
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

// bytes is the size of a chronicle; one that is being drawn now counts as nothing, to avoid
// waiting for it.
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

// drawing is the plots of a study as they were drawn once, for all who look.
type drawing struct {
	html    template.HTML
	version string // of what is shown
	entries int
	partial bool // the log had not been read to its end
	at      time.Time
	cost    time.Duration
}
