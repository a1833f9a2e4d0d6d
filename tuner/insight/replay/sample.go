package replay

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
)

// Senders tells each which of the blocks from..to of a series a worker has sent; what it tells
// nothing of was played by this program.
type Senders func(ctx context.Context, s *arena.Series, from, to int64, each func(worker string, from, to int64)) error

// byBlock returns the worker who has sent each of the blocks from..to, empty for none.
func (f Senders) byBlock(ctx context.Context, s *arena.Series, from, to int64) ([]string, error) {
	all := make([]string, to-from)
	if f == nil {
		return all, nil
	}
	return all, f(ctx, s, from, to, func(worker string, first, end int64) {
		for b := first; b < end; b++ {
			all[b-from] = worker
		}
	})
}

// Sample is a host that keeps a sample of what its Host hands out, to play it again
// at the end. It may be used by several goroutines.
type Sample struct {
	arena.Host
	Senders Senders // nil where nothing was played on other machines

	mu      sync.Mutex
	seen    int64
	shared  []drawn            // those below the usual share
	lowest  lowest             // of the others, while there are few
	workers map[string]*lowest // of what each worker has sent, and of what none has
}

// drawn is a block with the number that it has drawn, a hash of what it is.
type drawn struct {
	number uint64
	block  block
}

func (d drawn) compare(other drawn) int { return cmp.Compare(d.number, other.number) }

// lowest is the blocks with the lowest numbers, ascending.
type lowest []drawn

// takes reports whether a number is among the lowest few.
func (l lowest) takes(number uint64, few int) bool {
	return len(l) < few || few > 0 && number < l[few-1].number
}

// add takes a block in, and keeps few.
func (l *lowest) add(d drawn, few int) {
	at, _ := slices.BinarySearchFunc(*l, d, drawn.compare)
	*l = slices.Insert(*l, at, d)
	*l = (*l)[:min(len(*l), few)]
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
		workers, err := p.Senders.byBlock(ctx, &s, r.From, end)
		if err != nil {
			return err
		}
		for from := r.From; from < end; {
			to := min(end, (from/piece+1)*piece)
			part := r.Slice(from, to)
			p.draw(&kept, own, workers[from-r.From:], part)
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

// hashed returns a hash of what a series plays, whatever its length.
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

// draw lets the blocks of a run, each sent by one of workers, draw their numbers.
func (p *Sample) draw(s *arena.Series, own uint64, workers []string, r *arena.Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for b := range int64(r.Blocks) {
		p.seen++
		number := mix(own ^ mix(uint64(r.From+b)))
		shared := number < math.MaxUint64/insight.PerAgain
		few := max(0, insight.LeastAgain-len(p.shared))
		low := !shared && p.lowest.takes(number, few)
		of := p.of(workers[b])
		sent := of.takes(number, leastOfWorker)
		if !shared && !low && !sent {
			continue
		}
		one := drawn{number, block{series: s, record: copied(r.Slice(r.From+b, r.From+b+1))}}
		if shared {
			p.shared = append(p.shared, one)
			p.lowest = p.lowest[:min(len(p.lowest), max(0, few-1))]
		}
		if low {
			p.lowest.add(one, few)
		}
		if sent {
			of.add(one, leastOfWorker)
		}
	}
}

// of returns what is kept of a worker's blocks.
func (p *Sample) of(worker string) *lowest {
	if p.workers == nil {
		p.workers = map[string]*lowest{}
	}
	if p.workers[worker] == nil {
		p.workers[worker] = new(lowest)
	}
	return p.workers[worker]
}

// copied returns a run in memory of its own.
func copied(r *arena.Run) *arena.Run {
	out := *r
	out.Digests, out.Values = slices.Clone(r.Digests), slices.Clone(r.Values)
	return &out
}

// Again plays the sample again on a host that keeps nothing, with some blocks of each worker
// beside it, which it does not count: what it tells is the same wherever the games were played.
// The error is a *tuner.DifferentError where a game is another one.
func (p *Sample) Again(ctx context.Context, host arena.Host) (*entry.Replayed, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := append(slices.Clone(p.shared), p.lowest...)
	out := &entry.Replayed{Of: p.seen}
	slices.SortFunc(all, drawn.compare)
	all = all[:min(int64(len(all)), insight.Again(out.Of, nil))]
	delete(p.workers, "")
	for _, of := range p.workers {
		for _, d := range (*of)[:ofWorker(out.Of, int64(len(*of)), len(p.workers))] {
			d.block.beside = true
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, drawn.compare)
	all = slices.CompactFunc(all, func(a, b drawn) bool { return a.number == b.number })
	var err error
	out.Blocks, out.Games, err = compare(ctx, host, p.Senders, func(yield func(block, error) bool) {
		for i := range all {
			if !yield(all[i].block, nil) {
				return
			}
		}
	})
	out.SetDetectionRate()
	return out, err
}

const (
	// leastOfWorker is the number of a worker's blocks that are played again: one who lies in
	// one of ten of them is found with a chance of 95 %.
	leastOfWorker = 29
	// mostOfWorkers bounds the price of that for all workers, as a part of all blocks.
	mostOfWorkers = 0.5
)

// ofWorker returns how many are played again of what one of several workers has sent of n blocks.
func ofWorker(n, sent int64, workers int) int64 {
	return min(sent, leastOfWorker, max(1, int64(mostOfWorkers*float64(n))/int64(workers)))
}

// picked yields k of the numbers 0..n-1, ascending and evenly spread; which
// ones is a function of seed.
func picked(seed uint64, n, k int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i := range k {
			lo, hi := int64(float64(i)*float64(n)/float64(k)), int64(float64(i+1)*float64(n)/float64(k))
			if i == k-1 {
				hi = n
			}
			at := lo
			if hi > lo {
				at += int64(mix(seed^uint64(i)*0x9e3779b97f4a7c15) % uint64(hi-lo))
			}
			if !yield(at) {
				return
			}
		}
	}
}

// mix returns the finaliser of splitmix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// block is one block with its record.
type block struct {
	series *arena.Series // that it is of
	record *arena.Run    // of the one block
	beside bool          // it is played again because of who has sent it, and is not counted
}

// compared is what became of blocks that were played again.
type compared struct {
	blocks, games int64
	differ        int64            // blocks
	first         *entry.Different // of the first block that differs
	at            int64            // its place
	workers       map[string]int64 // blocks that differ, by who has sent them; "" where the players are to blame
}

// add takes in the block at a place: its games, how it differs unless that is nil, and which
// worker is to blame for that.
func (c *compared) add(place int64, b *block, games int64, diff *entry.Different, worker string) {
	if !b.beside {
		c.blocks, c.games = c.blocks+1, c.games+games
	}
	if diff == nil {
		return
	}
	c.workers[worker]++
	if c.differ++; c.first == nil || place < c.at {
		c.first, c.at = diff, place
	}
}

// compare plays blocks again on the host and compares them with their records.
// Workers of the host are kept busy with several at a time, and no more blocks than those
// are held. The error is a *tuner.DifferentError of the first block that differs, in the
// order given.
func compare(ctx context.Context, host arena.Host, senders Senders, all iter.Seq2[block, error]) (blocks, games int64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type placed struct {
		block
		place int64
	}
	next := make(chan placed)
	var mu sync.Mutex
	out := compared{workers: map[string]int64{}}
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for b := range next {
				games, diff, err := again(ctx, host, &b.block)
				worker := ""
				if err == nil && diff != nil {
					worker, err = blame(ctx, host, senders, &b.block, diff)
				}
				if err != nil {
					cancel(err)
					continue
				}
				mu.Lock()
				out.add(b.place, &b.block, games, diff, worker)
				mu.Unlock()
			}
		})
	}
	place := int64(0)
	for b, err := range all {
		if err != nil {
			cancel(err)
		}
		if ctx.Err() != nil {
			break
		}
		next <- placed{b, place}
		place++
	}
	close(next)
	group.Wait()
	if ctx.Err() != nil {
		return 0, 0, context.Cause(ctx)
	}
	if out.first == nil {
		return out.blocks, out.games, nil
	}
	out.first.Differ, out.first.Replayed = out.differ, out.blocks
	if out.workers[""] == 0 {
		out.first.Workers = out.workers
	}
	return out.blocks, out.games, &tuner.DifferentError{Different: *out.first}
}

// ownTries is how often a block that differs from a worker's record is played once more before the
// worker is to blame.
const ownTries = 2

// blame returns the worker who has sent the record of a block that differs, empty where none has
// or where the block does not come out the same each time that it is played here.
func blame(ctx context.Context, host arena.Host, senders Senders, b *block, diff *entry.Different) (string, error) {
	by, err := senders.byBlock(ctx, b.series, b.record.From, b.record.From+1)
	if err != nil || by[0] == "" {
		return "", err
	}
	for range ownTries {
		_, second, err := again(ctx, host, b)
		if err != nil {
			return "", err
		}
		if second == nil || second.Again != diff.Again || second.Rotation != diff.Rotation {
			return "", nil
		}
	}
	return by[0], nil
}

// again plays one block again: the number of its games, and how it differs from its record,
// nil where it does not.
func again(ctx context.Context, host arena.Host, b *block) (games int64, diff *entry.Different, err error) {
	var now *arena.Run
	series := *b.series
	series.From, series.To = b.record.From, b.record.From+1
	_, err = host.Play(ctx, series, func(r *arena.Run) error {
		if now == nil {
			now = arena.NewRun(r.Seats, r.Components, r.Rotations, r.From, r.Blocks)
		}
		now.Join(r)
		return nil
	})
	if err != nil {
		return 0, nil, err
	}
	if now == nil || now.Blocks != 1 || now.Rotations != b.record.Rotations || now.Components != b.record.Components {
		return 0, nil, fmt.Errorf("block %d: played again it has another shape than its record", series.From)
	}
	width := now.Seats * now.Width()
	for i := range now.Digests {
		if now.Digests[i] == b.record.Digests[i] && slices.Equal(now.Values[i*width:(i+1)*width], b.record.Values[i*width:(i+1)*width]) {
			continue
		}
		diff = &entry.Different{
			Phase: series.Phase.String(), Seed: series.Seed, Block: series.From, Rotation: i,
			Recorded: fmt.Sprintf("%016x", b.record.Digests[i]), Again: fmt.Sprintf("%016x", now.Digests[i]),
		}
		for _, e := range series.Entrants {
			diff.Entrants = append(diff.Entrants, e.Canonical())
		}
		break
	}
	return int64(now.Rotations), diff, nil
}
