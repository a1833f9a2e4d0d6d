package web

import (
	"errors"
	"fmt"
	"html/template"
	"testing"

	"sakusen/engines/lru"
	"sakusen/tuner"
	"sakusen/tuner/insight"
	"sakusen/tuner/service"
	"sakusen/tuner/web/chart"
)

// kept returns the keys in a cache.
func kept[V any](c *lru.Cache[int, V]) []int {
	out := []int{}
	for k := range c.All() {
		out = append(out, k)
	}
	return out
}

// logOfBytes returns a log with a drawing that takes so many bytes and
// no trials.
func logOfBytes(id, size int) *sharedLog {
	c := &sharedLog{id: id, log: insight.NewLog(&tuner.Spec{}, nil), drawn: lru.New[string, *drawing](drawingsMost)}
	c.drawn.Put("all", &drawing{html: template.HTML(make([]byte, size))})
	return c
}

// The logs that were not looked at for longest are forgotten where all take
// too much; the latest is kept however much it takes.
func TestLogsAreForgotten(t *testing.T) {
	all := newStudyLogs(failures{}, pageSet{}, newCounts())
	empty := logOfBytes(0, 0).bytes()
	for id := 1; id <= 4; id++ {
		all.all.Put(id, logOfBytes(id, 1000))
	}
	all.all.Get(1)
	one := 1000 + empty
	all.shrink(4 * one)
	if got := fmt.Sprint(kept(all.all)); got != "[1 4 3 2]" {
		t.Errorf("with room for four: %s", got)
	}
	all.shrink(3*one - 1)
	if got := fmt.Sprint(kept(all.all)); got != "[1 4]" {
		t.Errorf("with room for two: %s", got)
	}
	all.shrink(10)
	if got := fmt.Sprint(kept(all.all)); got != "[1]" {
		t.Errorf("with room for none: %s", got)
	}
}

// A study has a bounded number of drawings, however many parameters and ranges
// people choose, and the last one is among them.
func TestDrawingsAreForgotten(t *testing.T) {
	s, err := New(Options{Hosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	c := &sharedLog{log: insight.NewLog(&tuner.Spec{}, nil), drawn: lru.New[string, *drawing](drawingsMost)}
	d := &service.StudyDetail{}
	for i := range 3 * drawingsMost {
		if _, err := s.studyLogs.draw(c, d, chart.Wanted{From: i}); err != nil {
			t.Fatal(err)
		}
	}
	if n := c.drawn.Len(); n != drawingsMost {
		t.Errorf("%d drawings are kept, want %d", n, drawingsMost)
	}
}

// reelOf returns a film that has ended.
func reelOf(bytes, watchers int, err error) *reel {
	return &reel{bytes: bytes, watchers: watchers, err: err, done: true}
}

// Films that failed are forgotten, and of the others those that were not watched
// for longest, where all take too much or are too many. A film that somebody
// watches stays.
func TestFilmsAreForgotten(t *testing.T) {
	p := newProjector()
	defer p.close()
	p.reels.Put("old", reelOf(10, 0, nil))
	p.reels.Put("watched", reelOf(filmBytes, 1, nil))
	p.reels.Put("large", reelOf(filmBytes-10, 0, nil))
	p.reels.Put("failed", reelOf(1, 0, errors.New("no such game")))
	p.reels.Put("new", reelOf(10, 0, nil))
	p.reels.Put("played", &reel{})
	p.trim()
	var got []string
	for key := range p.reels.All() {
		got = append(got, key)
	}
	if fmt.Sprint(got) != "[played new large watched]" {
		t.Errorf("kept: %v", got)
	}
	for i := range 2 * filmsKept {
		p.reels.Put(fmt.Sprint(i), reelOf(1, 0, nil))
	}
	p.trim()
	if n := p.reels.Len(); n > filmsKept+2 { // and those that are played or watched
		t.Errorf("%d films are kept", n)
	}
	if _, ok := p.reels.Get(fmt.Sprint(2*filmsKept - 1)); !ok {
		t.Error("the last film is forgotten")
	}
}

// Askers without number take bounded memory, and a client that has just asked is not
// forgotten for others.
func TestBucketsAreForgotten(t *testing.T) {
	b := newBuckets(0, 1)
	for i := range 3 * maxBuckets {
		b.take(fmt.Sprint(i))
	}
	if n := b.all.Len(); n != maxBuckets {
		t.Errorf("%d buckets are kept, want %d", n, maxBuckets)
	}
	if b.take(fmt.Sprint(3*maxBuckets - 1)) {
		t.Error("the last asker's bucket is full again")
	}
}

// The last replay files are kept.
func TestRecordsAreForgotten(t *testing.T) {
	r := newShared[string, string](recordsKept)
	first, second := "0", "1"
	r.put(first, "0")
	r.put(second, "1")
	r.get(first)
	for i := range recordsKept - 1 {
		r.put(fmt.Sprint(i+2), "text")
	}
	if _, ok := r.get(second); ok {
		t.Error("a replay file that was not used for longest is still there")
	}
	if text, ok := r.get(first); !ok || text != "0" {
		t.Errorf("a replay file that was used is forgotten: %q", text)
	}
}
