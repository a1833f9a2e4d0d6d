package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/web/api"
)

// Event is a change that watchers are told of.
type Event struct {
	ID   uint64
	Kind string
	Data json.RawMessage
}

const (
	// hubMemory is the number of past events that a returning client can still get.
	hubMemory = 4096
	// watcherRoom is the number of events by which a watcher may lag behind; one that lags
	// further is dropped.
	watcherRoom = 256
)

// Hub sends events to all watchers.
type Hub struct {
	mu       sync.Mutex
	first    uint64 // id before the first event since the start of the server
	last     uint64
	memory   []Event // a ring of the last ones
	watchers map[*Watcher]bool
	streams  *shares
}

// Watcher receives events until it is dropped; then Events is closed.
type Watcher struct {
	Events <-chan Event
	Since  uint64 // id after which its events are
	send   chan Event
}

// newHub makes a hub whose events have ids after the given one. It must be above all ids of
// earlier starts of the server; otherwise a watcher that knows events of an earlier start
// would be told that it has missed none.
func newHub(first uint64) *Hub {
	return &Hub{first: first, last: first, watchers: map[*Watcher]bool{}, streams: newShares(maxWatchers, MostStreams)}
}

// sinceEpoch returns an id above all those of earlier starts of the server: the time in
// microseconds. It holds as long as the clock does not go back and no server had more than
// a million events a second.
func sinceEpoch(now time.Time) uint64 { return uint64(max(0, now.UnixMicro())) }

// Publish sends an event to all watchers. It never blocks.
func (h *Hub) Publish(kind string, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		return // events are plain data, so this cannot happen; there is no caller to tell
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	e := Event{h.last, kind, text}
	if len(h.memory) < hubMemory {
		h.memory = append(h.memory, e)
	} else {
		h.memory[(h.last-h.first-1)%hubMemory] = e
	}
	for w := range h.watchers {
		select {
		case w.send <- e:
		default:
			h.drop(w)
		}
	}
}

// Watch adds a watcher. missed are the remembered events after the one with the id last; complete
// is false if some are no longer remembered, so that the watcher must read everything again.
func (h *Hub) Watch(last uint64, again bool) (w *Watcher, missed []Event, complete bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	send := make(chan Event, watcherRoom)
	w = &Watcher{Events: send, Since: h.last, send: send}
	h.watchers[w] = true
	if !again {
		return w, nil, true
	}
	if last > h.last {
		return w, nil, false // of another start of the server
	}
	oldest := h.last - uint64(len(h.memory)) + 1
	for id := max(last+1, oldest); id <= h.last; id++ {
		missed = append(missed, h.memory[(id-h.first-1)%hubMemory])
	}
	return w, missed, last+1 >= oldest
}

// Leave removes a watcher.
func (h *Hub) Leave(w *Watcher) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(w)
}

// drop closes a watcher once. The caller holds mu.
func (h *Hub) drop(w *Watcher) {
	if h.watchers[w] {
		delete(h.watchers, w)
		close(w.send)
	}
}

// Watchers returns the number of watchers.
func (h *Hub) Watchers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.watchers)
}

// Close drops all watchers.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.watchers {
		h.drop(w)
	}
}

// heartbeat keeps proxies from closing a silent stream.
const heartbeat = 15 * time.Second

// writeTime is the longest that a slow client may take for one event.
const writeTime = 5 * time.Second

// maxWatchers bounds the open streams, and MostStreams those of one client, which are at most half
// of its connections.
const maxWatchers, MostStreams = 1000, 100

// serve streams what happens as server-sent events. A client that comes back
// sends Last-Event-ID and is told what it missed; if that is not remembered, an event
// "reset" tells it to read everything again.
func (h *Hub) serve(w http.ResponseWriter, r *http.Request, client string, in *api.EventsSince) error {
	given := cmp.Or(in.Header, in.Query)
	var last uint64
	if given != "" {
		n, err := strconv.ParseUint(given, 10, 64)
		if err != nil {
			return service.New(service.Invalid, "Last-Event-ID: expected a number")
		}
		last = n
	}
	end := h.streams.begin(client)
	if end == nil {
		w.Header().Set("Retry-After", "10")
		return service.New(service.Unavailable, "too many event streams are open; try again later")
	}
	defer end()
	watcher, missed, complete := h.Watch(last, given != "")
	defer h.Leave(watcher)
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // the server's would end the stream
	head := w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("Cache-Control", "no-store")
	head.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return nil // there is no body to wait for
	}
	send := func(text string) bool {
		control.SetWriteDeadline(time.Now().Add(writeTime)) // a server without this deadline needs none
		_, err := fmt.Fprint(w, text)
		return err == nil && control.Flush() == nil
	}
	begin := "retry: 2000\n\n"
	if !complete {
		begin += "event: reset\ndata: {}\n\n"
	}
	if len(missed) == 0 { // a client that gets no event needs to know the number from which to continue
		begin += fmt.Sprintf("id: %d\n\n", watcher.Since)
	}
	if !send(begin) {
		return nil
	}
	for _, e := range missed {
		if !send(eventText(e)) {
			return nil
		}
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case e, ok := <-watcher.Events:
			if !ok || !send(eventText(e)) {
				return nil
			}
		case <-beat.C:
			if !send(": \n\n") {
				return nil
			}
		case <-r.Context().Done():
			return nil
		}
	}
}

// eventText returns an event as it is sent; its data is one line of JSON.
func eventText(e Event) string {
	return fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", e.ID, e.Kind, e.Data)
}

// recorded informs pages that benchmarks have changed.
func (h *Hub) recorded() { h.Publish("recorded", map[string]string{"of": "benchmarks"}) }
