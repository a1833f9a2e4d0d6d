package blocks

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
)

// chance makes runs in which block i is always the same, whatever else is in
// the run.
type chance struct {
	seats, components, rotations int
	draw                         func(rng *rand.Rand, field int) int64
	zeroSum                      bool // two seats: the second's score is what the first's leaves of 2
}

func (c chance) run(from int64, blocks int) *arena.Run {
	r := arena.NewRun(c.seats, c.components, c.rotations, from, blocks)
	r.Blocks = blocks
	for b := range blocks {
		rng := rand.New(rand.NewPCG(uint64(from)+uint64(b), 99))
		for range c.rotations {
			r.Digests = append(r.Digests, rng.Uint64())
			for range c.seats {
				for f := range r.Width() {
					r.Values = append(r.Values, c.draw(rng, f))
				}
			}
			if last := len(r.Values) - r.Width(); c.zeroSum {
				r.Values[last] = 2 - r.Values[last-r.Width()]
			}
		}
	}
	return r
}

// likeBattleship draws what two enumerating strategies leave behind: score,
// fault, shots, hits, shots to win, and work of thirty bits over a wide range.
func likeBattleship(rng *rand.Rand, field int) int64 {
	switch field {
	case 0:
		return 2 * rng.Int64N(2)
	case 1:
		return 0
	case 2:
		return 35 + rng.Int64N(30)
	case 3:
		return 17 - int64(math.Abs(rng.NormFloat64()*3))
	case 4:
		return 35 + rng.Int64N(40)
	}
	return int64(math.Exp(17 + 2*rng.NormFloat64()))
}

func small(rng *rand.Rand, _ int) int64 { return rng.Int64N(5) }

func extreme(rng *rand.Rand, _ int) int64 {
	return []int64{math.MinInt64, math.MaxInt64, 0, -1, 1, 1 << 40, int64(rng.Uint64())}[rng.IntN(7)]
}

// wide draws numbers of so many bits.
func wide(width uint) func(*rand.Rand, int) int64 {
	return func(rng *rand.Rand, _ int) int64 { return rng.Int64N(math.MaxInt64>>(63-width)) - 1<<(width-1) }
}

func TestPackUndone(t *testing.T) {
	for _, c := range []chance{
		{2, 4, 2, likeBattleship, false}, {2, 0, 1, small, false}, {2, 4, 2, extreme, false}, {5, 3, 5, small, false}, {1, 2, 1, small, false}, {3, 1, 3, extreme, false},
		{2, 2, 2, func(*rand.Rand, int) int64 { return -7 }, false}, {2, 0, 2, wide(1), false}, {2, 0, 2, wide(33), false}, {2, 0, 2, wide(63), false},
	} {
		for _, blocks := range []int{1, 2, 8, 63, 64, 129} {
			r := c.run(11, blocks)
			packed := packRun(r)
			back, err := unpackRun(packed, 11, blocks)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(back.Values, r.Values) || !slices.Equal(back.Digests, r.Digests) || back.From != 11 ||
				[3]int{back.Seats, back.Components, back.Rotations} != [3]int{c.seats, c.components, c.rotations} {
				t.Errorf("%d seats, %d blocks: unpacked differs", c.seats, blocks)
			}
			for cut := 0; cut < len(packed); cut += 1 + len(packed)/300 {
				if _, err := unpackRun(packed[:cut], 11, blocks); err == nil {
					t.Fatalf("%d of %d bytes were accepted", cut, len(packed))
				}
			}
		}
	}
}

// Bytes that are no run are an error that names series and blocks, whether or not they fit
// their checksum, and ask for no more memory than a whole run takes.
func TestDamagedRunIsNamed(t *testing.T) {
	l := labelOf(blockKey(5))
	whole := packRun(chance{2, 4, 2, likeBattleship, true}.run(40, 30))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	refused := 0
	for at := range whole {
		for _, p := range []packedRow{{packed: slices.Clone(whole)}, {packed: slices.Clone(whole[:at])}, {packed: slices.Concat(whole[:at], whole[at:at+1], whole[at:])}} {
			if at < len(p.packed) {
				p.packed[at] ^= 0xff
			}
			p.first, p.blocks, p.sum = 40, 30, l.sum(40, 30, p.packed)
			for _, sound := range []bool{true, false} {
				if !sound {
					p.sum++
				}
				_, err := p.run(&l)
				if err != nil {
					refused++
				}
				if !sound && err == nil || err != nil && !strings.Contains(err.Error(), "blocks 40 to 70 of dice under seed 5") {
					t.Fatalf("byte %d: %v", at, err)
				}
			}
		}
	}
	runtime.ReadMemStats(&after)
	if refused < 4*len(whole) {
		t.Errorf("%d of %d are refused", refused, 6*len(whole))
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / uint64(6*len(whole)); each > 1<<16 {
		t.Errorf("%d bytes are asked for each", each)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add(packRun(chance{2, 4, 2, likeBattleship, true}.run(0, 8)), 8)
	f.Add(packRun(chance{3, 1, 3, extreme, false}.run(0, 2)), 2)
	f.Add([]byte{packFormat, 1, 0, 1}, 1)
	// Bytes that ask for far more than they hold.
	f.Add(append([]byte{packFormat, 64, 0xff, 7, 64}, make([]byte, 100)...), maxBlocks)
	f.Fuzz(func(t *testing.T, packed []byte, blocks int) {
		r, err := unpackRun(packed, 0, blocks)
		if err != nil {
			return
		}
		again, err := unpackRun(packRun(r), 0, blocks)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("packed again: %v", err)
		}
	})
}

func BenchmarkPack(b *testing.B) {
	r := chance{2, 4, 2, likeBattleship, true}.run(0, maxBlocks)
	packed := packRun(r)
	b.Run("pack", func(b *testing.B) {
		for b.Loop() {
			packRun(r)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*r.Blocks), "ns/block")
	})
	b.Run("unpack", func(b *testing.B) {
		for b.Loop() {
			if _, err := unpackRun(packed, 0, r.Blocks); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*r.Blocks), "ns/block")
	})
	b.Run("save", func(b *testing.B) {
		s := openNew(b)
		seed := uint64(0)
		for b.Loop() {
			seed++
			if err := s.Save(b.Context(), blockKey(seed), r); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*r.Blocks), "ns/block")
	})
}
