package contest_test

import (
	"context"
	"runtime"
	"testing"

	"sakusen/engines/arena"
	"sakusen/tuner/insight/replay"
)

// dealt is a host of games that are not played: each is a function of its block.
type dealt struct{ arena.Host }

func (dealt) Play(_ context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	for from := s.From; from < s.To; {
		to := min(s.To, from+4096)
		r := arena.NewRun(2, 4, 2, from, int(to-from))
		r.Blocks = int(to - from)
		for block := from; block < to; block++ {
			first, second := 30+block%40, 30+block/7%40
			for rotation := range uint64(2) {
				score := int64(0)
				if first <= second {
					score = 2
				}
				r.Digests = append(r.Digests, rotation<<32+uint64(block))
				r.Values = append(r.Values, score, 0, first, 17, first, 5, 2-score, 0, second, 17, second, 5)
				second += block % 3
			}
		}
		if err := observe(r); err != nil {
			return arena.Tally{}, err
		}
		from = to
	}
	return arena.Tally{}, nil
}

// heap returns the live heap, in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A long match keeps less than 36 bytes of a block: the lengths of its games, the digest by
// which it is known again, and every hundredth block whole.
func TestLongMatchIsSmall(t *testing.T) {
	const blocks, most = 200_000, 36
	m := battleship(t, blocks, "RNB", "R")
	before, after := heap(), int64(0)
	m.Progress = func(to, _ int64, _ func() string) {
		if to == blocks {
			after = heap()
		}
	}
	if err := m.Play(t.Context(), &replay.Sample{Host: dealt{}}); err != nil {
		t.Fatal(err)
	}
	if of := (after - before) / blocks; of > most {
		t.Errorf("%d bytes of a block, expected at most %d", of, most)
	} else {
		t.Logf("%d bytes of a block", of)
	}
	r, err := m.Report()
	if err != nil || r.Blocks != blocks || r.Distinct != blocks || r.AllPairs == nil {
		t.Errorf("%+v, %v", r, err)
	}
}
