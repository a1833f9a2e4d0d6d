package blocks

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"sakusen/engines/arena"
)

// Runs that come at the same time are stored together, and none is acknowledged before it is
// committed: another connection sees each as soon as Save returns. One that differs from what
// is stored is refused alone.
func TestSavedTogether(t *testing.T) {
	b := openNew(t)
	c := chance{2, 1, 2, small, false}
	key := blockKey(1)
	if err := b.Save(t.Context(), key, c.run(0, 10)); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range int64(60) {
		group.Go(func() {
			key := blockKey(uint64(1 + i%3))
			if i%20 == 19 {
				key = blockKey(1)
				wrong := c.run(5, 3)
				wrong.Digests[1]++
				var impure *ImpureError
				if err := b.Save(t.Context(), key, wrong); !errors.As(err, &impure) || impure.Block != 5 {
					t.Error(err)
				}
				return
			}
			run := c.run(10+4*i, 4)
			if err := b.Save(t.Context(), key, run); err != nil {
				t.Error(err)
				return
			}
			got, err := loaded(t, b, key, run.From, run.From+4)
			if err != nil || len(got) != 1 || !slices.Equal(got[0].Digests, run.Digests) {
				t.Errorf("%v: %d runs are there when Save has returned", err, len(got))
			}
		})
	}
	group.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Save(ctx, key, c.run(5000, 1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// While one transaction is being committed others gather: no caller returns before its end, and
// all that wait are in the next.
func TestGroupWaitsForItsCommit(t *testing.T) {
	var g group
	var mu sync.Mutex
	var sizes []int
	begun, end := make(chan struct{}, 10), make(chan struct{})
	commit := func(together []*saving) error {
		mu.Lock()
		sizes = append(sizes, len(together))
		mu.Unlock()
		begun <- struct{}{}
		<-end
		return nil
	}
	var told sync.WaitGroup
	var acknowledged int
	save := func() {
		told.Go(func() {
			if err := g.save(&saving{run: &arena.Run{}}, commit); err != nil {
				t.Error(err)
			}
			mu.Lock()
			acknowledged++
			mu.Unlock()
		})
	}
	save()
	<-begun
	for range 5 {
		save()
	}
	for waiting := 0; waiting < 5; {
		g.mu.Lock()
		waiting = len(g.waiting)
		g.mu.Unlock()
	}
	mu.Lock()
	if acknowledged != 0 {
		t.Errorf("%d were told before the commit", acknowledged)
	}
	mu.Unlock()
	close(end)
	told.Wait()
	if !slices.Equal(sizes, []int{1, 5}) {
		t.Errorf("%d runs were stored together, expected 1 and then 5", sizes)
	}
}
