package replay_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// measuring plays blocks as they are stored, but those that lies reports, and notes the
// largest heap.
type measuring struct {
	arena.Host
	lies   func(block int64) bool // nil for none
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
	played := run(s.From, int(s.To-s.From))
	if m.lies != nil && m.lies(s.From) {
		played.Digests[0]++
	}
	return arena.NewTally(2, 4), observe(played)
}

// logOf returns the log of a study that has a validation of so many blocks.
func logOf(seed, blocks int) []entry.Entry {
	return []entry.Entry{
		{Kind: entry.KindAsk, Payload: json.RawMessage(`{"drawn": 1, "trials": [{"number": 0, "draw": 0, "params": [{"name": "start_squares", "value": "60"}]}]}`)},
		{Kind: entry.KindValidation, Payload: fmt.Appendf(nil, `{"trial": 0, "version": 2, "played": {"phase": "validation", "seed": "%d", "from": 0, "to": %d}}`, seed, blocks)},
	}
}

// setUp reads the long study.
func setUp(t *testing.T) *tuner.Setup {
	setup, err := studyfile.Read("long.yaml", []byte(longStudy), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	return setup
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
	const blocks = 1_000_000
	log := logOf(5, blocks)
	cache, host := &longBlocks{}, &measuring{}
	before := heap()
	told, err := (&replay.Study{Setup: setUp(t), Host: host, Blocks: cache}).Again(t.Context(), slices.Values(log))
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

// A worker that has sent one block in a hundred, is honest at first and then lies in one of ten is
// found before the verdict, and all blocks of one that has sent few are played again. (It was in 193
// of 200 studies and as many tournaments.)
func TestLateLiarOfFewBlocks(t *testing.T) {
	const blocks = 10_000
	setup := setUp(t)
	senders := func(_ context.Context, _ *arena.Series, from, to int64, each func(worker string, from, to int64)) error {
		for b := from; b < to; b++ {
			switch b % 100 {
			case 0:
				each("liar", b, b+1)
			case 1:
				if b < 500 {
					each("newcomer", b, b+1)
				}
			case 2:
			default:
				each("sound", b, b+1)
			}
		}
		return nil
	}
	lies := func(block int64) bool { return block >= blocks/10 && block%1000 == 0 }
	const studies = 40
	inStudies, inTournaments := 0, 0
	for seed := range studies {
		host := &measuring{lies: lies}
		_, err := (&replay.Study{Setup: setup, Host: host, Blocks: &longBlocks{}, Senders: senders}).Again(t.Context(), slices.Values(logOf(seed, blocks)))
		if other, ok := errors.AsType[*tuner.DifferentError](err); ok && other.Workers["liar"] > 0 {
			inStudies++
		} else if err != nil {
			t.Fatal(err)
		}
		few := 0
		for _, b := range host.played {
			if b%100 == 1 && b < 500 {
				few++
			}
		}
		if few != 5 || len(host.played) > 300+3*29+3*2 {
			t.Errorf("%d blocks were played again, %d of the newcomer's 5", len(host.played), few)
		}
		sample := &replay.Sample{Host: &measuring{}, Senders: senders}
		series := arena.Series{Ruleset: setup.Ruleset, Entrants: []arena.Entrant{setup.BaselineEntrant, setup.BaselineEntrant}, Seed: uint64(seed), To: blocks}
		if _, err := sample.Play(t.Context(), series, nil); err != nil {
			t.Fatal(err)
		}
		_, err = sample.Again(t.Context(), &measuring{lies: lies})
		if other, ok := errors.AsType[*tuner.DifferentError](err); ok && other.Workers["liar"] > 0 {
			inTournaments++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if least := studies * 9 / 10; inStudies < least || inTournaments < least {
		t.Errorf("found in %d studies and %d tournaments of %d", inStudies, inTournaments, studies)
	}
}
