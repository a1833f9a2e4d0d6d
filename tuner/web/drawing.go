package web

import (
	"fmt"
	"html/template"
	"time"

	"sakusen/tuner/service"
	"sakusen/tuner/web/chart"
)

const (
	// drawingsMost bounds the drawings that are kept of one study: people choose
	// parameters and ranges.
	drawingsMost = 16
	// drawingRest is the least time between two drawings of a running study, and
	// drawingShare the share of the time that drawing may take.
	drawingRest  = time.Second
	drawingShare = 0.05
)

// draw returns a study's plots: the last ones, if nothing has been added since or they are
// recent, or else new ones.
func (s *Server) draw(c *sharedChronicle, d *service.StudyDetail, want chart.Wanted) (*drawing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := fmt.Sprintf("%s %q %q %d %d %t", want.Tab, want.X, want.Y, want.From, want.To, d.Result != nil)
	now := time.Now()
	if old, ok := c.drawn.Get(key); ok {
		rest := max(drawingRest, time.Duration(float64(old.cost)/drawingShare))
		young := now.Sub(old.at) < rest && (d.Result == nil && !old.partial || old.partial && c.busy != nil)
		if old.entries == c.log.Entries || young {
			return old, nil
		}
	}
	v := chart.Draw(c.log, chart.Subject{Name: d.Study.Study, Entries: d.Entries, Result: d.Result}, want)
	v.Version = fmt.Sprintf("%d-%t", c.log.Entries, d.Result != nil)
	html, err := s.pages.Part("study", "drawings", v)
	if err != nil {
		return nil, err
	}
	out := &drawing{html: template.HTML(html), version: v.Version, entries: c.log.Entries, partial: v.Reading < 100, at: now, cost: time.Since(now)}
	c.drawn.Put(key, out)
	return out, nil
}
