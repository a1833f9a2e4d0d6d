package replay_test

import (
	"context"
	"encoding/json"
	"iter"
	"runtime"
	"slices"
	"sync"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/replay"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

const longStudy = `version: 1
name: long
game: battleship
tune: {strategy: mp, params: [{name: start_squares, low: 50, high: 100}]}
baseline: R
sampler: {name: uniform, seed: 3, batch: 1}
race: {rungs: [50]}
budget: {trials: 1, games: 8000000}
final: {top: 1, blocks: 200}
validation: {gain_elo: [0, 100], max_blocks: 1000000, plan: fixed}
`

// rowBlocks is the number of blocks of a stored run.
const rowBlocks = 4096

// run returns stored blocks, each a function of its number.
func run(from int64, blocks int) *arena.Run {
	r := arena.NewRun(2, 4, 2, from, blocks)
	r.Blocks = blocks
	for i := range 2 * int64(blocks) {
		r.Digests = append(r.Digests, uint64(2*from+i))
		r.Values = append(r.Values, 2, 0, 40, 17, 40, 5, 0, 0, 40, 17, 45, 5)
	}
	return r
}

// longBlocks has all blocks but those of one row.
type longBlocks struct {
	tuner.Blocks
	reads int
}

func (l *longBlocks) Load(_ context.Context, _ tuner.BlockKey, from, to int64) iter.Seq2[*arena.Run, error] {
	return func(yield func(*arena.Run, error) bool) {
		for at := from / rowBlocks * rowBlocks; at < to; at += rowBlocks {
			if at == 7*rowBlocks {
				continue
			}
			l.reads++
			whole := run(at, rowBlocks)
			if !yield(whole.Slice(max(from, at), min(to, at+rowBlocks)), nil) {
				return
			}
		}
	}
}

// measuring plays blocks as they are stored and notes the largest heap.
type measuring struct {
	arena.Host
	mu     sync.Mutex
	played []int64
	heap   uint64
}

func (m *measuring) Play(_ context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	m.mu.Lock()
	m.played = append(m.played, s.From)
	if len(m.played)%500 == 0 {
		m.heap = max(m.heap, heap())
	}
	m.mu.Unlock()
	return arena.NewTally(2, 4), observe(run(s.From, 1))
}

// heap returns the live heap, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The sample of a long study takes memory for one stored run and not for all, and no run is
// read twice. Which blocks it is is known by their numbers.
func TestSampleOfALongStudy(t *testing.T) {
	setup, err := studyfile.Read("long.yaml", []byte(longStudy), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	const blocks = 1_000_000
	log := []entry.Entry{
		{Kind: entry.KindAsk, Payload: json.RawMessage(`{"drawn": 1, "trials": [{"number": 0, "draw": 0, "params": [{"name": "start_squares", "value": "60"}]}]}`)},
		{Kind: entry.KindValidation, Payload: json.RawMessage(`{"trial": 0, "version": 2, "played": {"phase": "validation", "seed": "5", "from": 0, "to": 1000000}}`)},
	}
	cache, host := &longBlocks{}, &measuring{}
	before := heap()
	told, err := (&replay.Study{Setup: setup, Host: host, Blocks: cache}).Again(t.Context(), slices.Values(log))
	if err != nil {
		t.Fatal(err)
	}
	if most := before + 4<<20; host.heap > most {
		t.Errorf("the heap grew from %d to %d bytes, expected at most %d", before, host.heap, most)
	}
	if rows := blocks/rowBlocks + 1; cache.reads < rows-1 || cache.reads > rows+1 {
		t.Errorf("%d runs were read of %d", cache.reads, rows)
	}
	lost := int64(rowBlocks / 100) // of the row that the cache does not have
	if told.Of != blocks || told.Blocks < blocks/100-lost-1 || told.Blocks > blocks/100-lost+1 || told.Validation != told.Blocks || int64(len(host.played)) != told.Blocks {
		t.Errorf("%+v after %d plays", told, len(host.played))
	}
	seen := map[int64]bool{}
	for _, at := range host.played {
		if part := at / 100; seen[part] || at/rowBlocks == 7 {
			t.Errorf("block %d is played again", at)
		} else {
			seen[part] = true
		}
	}
}
