package arena

import (
	"context"
	"sync"
	"testing"
	"time"
)

// Slots are handed out by weight, however many ask; one that comes late does
// not catch up.
func TestShares(t *testing.T) {
	p := NewPool(2)
	light, heavy := p.Share(1), p.Share(3)
	held := map[*Share]int{}
	var order []*Share
	// A slot is held for a second of the shares' clock at a time.
	take := func(s *Share) *slot {
		d, err := p.acquire(context.Background(), s, where{here: true}, 0)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := [2]*slot{take(light), take(light)}
	var mu sync.Mutex
	var group sync.WaitGroup
	queue := func(s *Share, n int) {
		for range n {
			group.Go(func() {
				d := take(s)
				mu.Lock()
				held[s]++
				order = append(order, s)
				mu.Unlock()
				p.release(d, s, time.Second)
			})
		}
	}
	queue(light, 40)
	queue(heavy, 40)
	for waiting := 0; waiting < 80; {
		p.mu.Lock()
		waiting = len(p.waiting)
		p.mu.Unlock()
	}
	p.release(first[0], light, 0)
	group.Wait()
	early := 0
	for _, s := range order[:40] {
		if s == heavy {
			early++
		}
	}
	if early < 28 || early > 32 {
		t.Errorf("of the first 40 slots %d went to the share of weight 3, want about 30", early)
	}
	if late := p.Share(1); true {
		p.release(first[1], light, 0)
		d := take(late)
		if late.clock < light.clock-1 && late.clock < heavy.clock-1 {
			t.Errorf("a share that comes late starts at %g, the others are at %g and %g", late.clock, light.clock, heavy.clock)
		}
		p.release(d, late, 0)
	}
	if len(p.free) != 2 || light.busy != 0 || heavy.busy != 0 {
		t.Errorf("%d slots free, %d and %d held", len(p.free), light.busy, heavy.busy)
	}
}

// Who gives up waiting leaves no slot behind.
func TestShareGivesUp(t *testing.T) {
	p := NewPool(1)
	s := p.Share(1)
	d, err := p.acquire(context.Background(), s, where{here: true}, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if d, err := p.acquire(ctx, s, where{here: true}, 0); err == nil {
				p.release(d, s, 0)
			}
		})
	}
	go cancel()
	p.release(d, s, 0)
	group.Wait()
	if len(p.free) != 1 || s.busy != 0 || len(p.waiting) != 0 {
		t.Errorf("%d slots free, %d held, %d waiting", len(p.free), s.busy, len(p.waiting))
	}
}

// Other work takes its turn at the slots, and one that is cut short holds its
// slot until it has ended.
func TestShareDo(t *testing.T) {
	p := NewPool(1)
	light, heavy := p.Share(1), p.Share(2)
	began, end := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	cut := make(chan error)
	go func() {
		cut <- light.Do(ctx, func() { close(began); <-end })
	}()
	<-began
	cancel()
	if err := <-cut; err != context.Canceled {
		t.Errorf("cut short: %v", err)
	}
	done := make(chan error)
	ran := false
	go func() { done <- heavy.Do(t.Context(), func() { ran = true }) }()
	for waiting := 0; waiting == 0; {
		p.mu.Lock()
		waiting = len(p.waiting)
		p.mu.Unlock()
	}
	close(end)
	if err := <-done; err != nil || !ran {
		t.Errorf("after it: %v, ran %v", err, ran)
	}
	if err := light.Do(ctx, func() { t.Error("work of a context that has ended") }); err == nil {
		t.Error("a context that has ended has its turn")
	}
}

// No more games by a clock are played than there are cores and memory for, and none without a clock
// beside them; those that wait for room are not overtaken.
func TestRoom(t *testing.T) {
	p := NewPool(4)
	p.SetRoom(2, 100)
	hold := func(n Needs) func() {
		t.Helper()
		give, err := p.Hold(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		return give
	}
	full := func(n Needs) bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		d := p.take(where{here: true, needs: n})
		if d != nil {
			d.room.add(&d.needs, -1)
			p.free = append(p.free, d)
		}
		return d == nil
	}
	exact, clock := Needs{}, Needs{Timed: true, Memory: 60}
	a, b, c := hold(exact), hold(exact), hold(exact)
	if full(exact) || !full(clock) {
		t.Error("games without a clock take all cores")
	}
	b()
	c()
	d := hold(clock)
	if !full(exact) || !full(clock) {
		t.Error("a game by a clock is disturbed")
	}
	a()
	if !full(clock) || full(Needs{Timed: true, Memory: 40}) {
		t.Error("memory does not bound games by a clock")
	}
	first := make(chan func())
	go func() {
		give, _ := p.Hold(t.Context(), Needs{Timed: true, Threads: 1 << 20})
		first <- give
	}()
	for waiting := 0; waiting == 0; time.Sleep(time.Millisecond) {
		p.mu.Lock()
		waiting = len(p.waiting)
		p.mu.Unlock()
	}
	if !full(exact) {
		t.Error("a game is played before one that waits for the whole machine")
	}
	d()
	give := <-first
	if !full(exact) {
		t.Error("a game is played beside what has the whole machine")
	}
	give()
	hold(Needs{Timed: true, Threads: 9, Memory: 1000})() // alone it is played
	if p.room.used != 0 || p.room.timed != 0 || p.room.held != 0 || len(p.free) != 4 || len(p.waiting) != 0 {
		t.Errorf("%+v", p.room)
	}
}
