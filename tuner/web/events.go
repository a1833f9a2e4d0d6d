package web

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"sakusen/tuner/service"
)

// heartbeat keeps proxies from closing a silent stream.
const heartbeat = 15 * time.Second

// writeTime is the longest that a slow client may take for one event.
const writeTime = 5 * time.Second

// maxWatchers bounds the open streams.
const maxWatchers = 1000

// events streams what happens as server-sent events. A client that comes back
// sends Last-Event-ID and is told what it missed; where that is not remembered,
// an event "reset" tells it to look at everything anew.
func (s *Server) events(w http.ResponseWriter, r *http.Request) error {
	given := r.Header.Get("Last-Event-ID")
	if given == "" {
		given = r.URL.Query().Get("last")
	}
	var last uint64
	if given != "" {
		n, err := strconv.ParseUint(given, 10, 64)
		if err != nil {
			return service.New(service.Invalid, "Last-Event-ID: expected a number")
		}
		last = n
	}
	if s.Hub.Watchers() >= maxWatchers {
		w.Header().Set("Retry-After", "10")
		return service.New(service.Unavailable, "too many event streams are open; try again later")
	}
	watcher, missed, complete := s.Hub.Watch(last, given != "")
	defer s.Hub.Leave(watcher)
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // the server's would end the stream
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return nil // there is no body to wait for
	}
	send := func(text string) bool {
		control.SetWriteDeadline(time.Now().Add(writeTime)) // where the server has none, so be it
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

// eventText is an event as it is sent; its data is one line of JSON.
func eventText(e Event) string {
	return fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", e.ID, e.Kind, e.Data)
}
