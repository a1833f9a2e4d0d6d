package web_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"sakusen/tuner/entry"
	"sakusen/tuner/service"
	"sakusen/tuner/web"
)

// growing is a shelf whose log is so long as it says, and that counts what is
// read of it.
type growing struct {
	*shelf
	length, read atomic.Int64
}

func (g *growing) EachEntry(ctx context.Context, id, after, limit int, each func(entry.Entry) error) error {
	limit = min(limit, int(g.length.Load())-after)
	return g.shelf.EachEntry(ctx, id, after, limit, func(e entry.Entry) error {
		g.read.Add(1)
		return each(e)
	})
}

func (g *growing) Study(ctx context.Context, name string) (*service.StudyDetail, error) {
	d, err := g.shelf.Study(ctx, name)
	d.Entries = int(g.length.Load())
	return d, err
}

// Whoever watches a study has a share in one reading of its log and in one
// drawing: two hundred read nothing twice, later ones what was added alone, and
// who has what is shown is told that there is nothing new.
func TestWatchersShare(t *testing.T) {
	g := &growing{shelf: &shelf{state: "running"}}
	g.length.Store(12)
	s, err := web.New(web.Options{Library: g, Control: g.shelf, Hosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	defer h.Close()
	watch := func() {
		ask(t, "GET", h.URL+"/api/v1/studies/first/history", "") // waits until the log is read
		var group sync.WaitGroup
		for range 200 {
			group.Go(func() {
				if status, text, _ := ask(t, "GET", h.URL+"/studies/first?part=plots", ""); status != 200 || !strings.Contains(text, "<svg") {
					t.Errorf("%d %.200s", status, text)
				}
			})
		}
		group.Wait()
	}
	watch()
	if n := g.read.Load(); n != 12 {
		t.Errorf("%d entries were read of 12", n)
	}
	if status, _, _ := ask(t, "GET", h.URL+"/studies/first?part=plots&seen=12-false", ""); status != 204 {
		t.Errorf("nothing new: %d", status)
	}
	g.length.Store(int64(len(shelfLog())))
	watch()
	if n := g.read.Load(); n != int64(len(shelfLog())) {
		t.Errorf("%d entries were read of %d", n, len(shelfLog()))
	}
}
