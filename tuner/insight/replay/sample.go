package replay

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner/entry"
)

// Sample is a host that keeps a sample of what its Host hands out, to play it again
// at the end. It may be used by several goroutines.
type Sample struct {
	arena.Host

	mu     sync.Mutex
	seen   int64
	shared []drawn // those below the usual share
	lowest heaped  // the lowest of the others, while there are few
}

// drawn is a block with the number that it has drawn, a hash of what it is.
type drawn struct {
	number uint64
	block  block
}

// heaped has the highest number first.
type heaped []drawn

func (h heaped) Len() int           { return len(h) }
func (h heaped) Less(i, j int) bool { return h[i].number > h[j].number }
func (h heaped) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heaped) Push(x any)        { *h = append(*h, x.(drawn)) }
func (h *heaped) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// Play implements arena.Host.
func (p *Sample) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	var strategies []string
	for _, e := range s.Entrants {
		strategies = append(strategies, e.Strategy)
	}
	why, err := s.Ruleset.Recorded(strategies...)
	if err != nil {
		return arena.Tally{}, err
	}
	if why != "" { // what was played is kept, and is never played again
		return p.Host.Play(ctx, s, observe)
	}
	own, kept := hashed(&s), s
	kept.Story, kept.Tell, kept.Watch = nil, nil, nil
	return p.Host.Play(ctx, s, func(r *arena.Run) error {
		end := r.From + int64(r.Blocks)
		for from := r.From; from < end; {
			to := min(end, (from/piece+1)*piece)
			part := r.Slice(from, to)
			p.draw(&kept, own, part)
			if observe != nil {
				if err := observe(part); err != nil {
					return err
				}
			}
			from = to
		}
		return nil
	})
}

// piece is the number of blocks, one after the other, that are drawn from and handed on at a
// time: the sample of a series that its observer ends does not depend on how the host has
// divided it. A sequential test looks as often.
const piece = 8

// hashed is a hash of what a series plays, whatever its length.
func hashed(s *arena.Series) uint64 {
	text := []string{s.Ruleset.Game.Name, s.Ruleset.Hash(), s.Phase.String(), fmt.Sprint(s.Seed)}
	for _, e := range s.Entrants {
		text = append(text, e.Canonical())
	}
	h := uint64(0)
	for _, c := range []byte(strings.Join(text, "\n")) {
		h = mix(h ^ uint64(c))
	}
	return h
}

// draw lets the blocks of a run draw their numbers.
func (p *Sample) draw(s *arena.Series, own uint64, r *arena.Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for b := range int64(r.Blocks) {
		p.seen++
		number := mix(own ^ mix(uint64(r.From+b)))
		shared := number < math.MaxUint64/perShare
		if few := len(p.shared) + len(p.lowest); !shared && few >= least && (len(p.lowest) == 0 || number >= p.lowest[0].number) {
			continue
		}
		one := block{series: s, record: copied(r.Slice(r.From+b, r.From+b+1))}
		if shared {
			p.shared = append(p.shared, drawn{number, one})
		} else {
			heap.Push(&p.lowest, drawn{number, one})
		}
		for len(p.lowest) > 0 && len(p.shared)+len(p.lowest) > least {
			heap.Pop(&p.lowest)
		}
	}
}

// copied is a run in memory of its own.
func copied(r *arena.Run) *arena.Run {
	out := *r
	out.Digests, out.Values = slices.Clone(r.Digests), slices.Clone(r.Values)
	return &out
}

// Again plays the sample again on a host that keeps nothing. The error is a
// *tuner.DifferentError where a game is another one.
func (p *Sample) Again(ctx context.Context, host arena.Host) (*entry.Replayed, error) {
	p.mu.Lock()
	all := append(slices.Clone(p.shared), p.lowest...)
	out := &entry.Replayed{Of: p.seen}
	p.mu.Unlock()
	slices.SortFunc(all, func(a, b drawn) int { return cmp.Compare(a.number, b.number) })
	all = all[:min(int64(len(all)), Size(out.Of, nil))]
	var err error
	out.Blocks, out.Games, err = compare(ctx, host, func(yield func(block, error) bool) {
		for i := range all {
			if !yield(all[i].block, nil) {
				return
			}
		}
	})
	out.Finds()
	return out, err
}
