package web

import (
	"context"
	"time"

	"sakusen/engines/lru"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
)

// chronicle is a study's chronicle, begun where it is not there.
func (s *Server) chronicle(ctx context.Context, d *service.StudyDetail) (*sharedChronicle, error) {
	s.chronicles.mu.Lock()
	c, ok := s.chronicles.all.Get(d.ID)
	s.chronicles.mu.Unlock()
	if !ok {
		log, err := s.o.Service.Studies().Chronicle(ctx, d.Study.Study)
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

// read reads a chronicle up to at least the given entry, and waits for that no longer than
// wait.
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

// readOn reads a log in pieces, so that somebody who draws in the meantime waits for one
// piece only.
func (s *Server) readOn(ctx context.Context, c *sharedChronicle, entries int) {
	ctx, cancel := context.WithTimeout(ctx, chronicleTime)
	defer cancel()
	for {
		c.mu.Lock()
		at := c.log.Entries
		c.mu.Unlock()
		var chunk []entry.Entry
		err := s.o.Service.Studies().EachEntry(ctx, c.id, at, chronicleChunk, func(e entry.Entry) error {
			chunk = append(chunk, e)
			return nil
		})
		s.counts.read(len(chunk))
		c.mu.Lock()
		for _, e := range chunk {
			if wrong := c.log.Add(e); wrong != nil {
				s.o.Log.Debug("the log of a study cannot be read", "study", c.name, "error", wrong)
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
