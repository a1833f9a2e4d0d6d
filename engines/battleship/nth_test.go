package battleship

import (
	"math/rand/v2"
	"testing"
)

func TestNth(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 2000 {
		set := Set{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
		if i&1 == 0 {
			set = set.And(Set{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}).AndNot(Set{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()})
		}
		if i&2 == 0 {
			set.w2, set.w3 = 0, 0
		}
		n := 0
		for s := range set.All() {
			if got := set.Nth(n); got != s {
				t.Fatalf("%v: square %d is %d, want %d", set, n, got, s)
			}
			n++
		}
		if n != set.Len() {
			t.Fatalf("%v: %d squares, Len %d", set, n, set.Len())
		}
	}
}

func BenchmarkNth(b *testing.B) {
	set := Set{0x123456789abcdef, 0xf0f0f0f0, 0, 0}
	n, sum := uint64(1), Square(0)
	size := uint64(set.Len())
	for b.Loop() {
		n = n*6364136223846793005 + 1442695040888963407
		sum += set.Nth(int((n >> 33) % size))
	}
	_ = sum
}
