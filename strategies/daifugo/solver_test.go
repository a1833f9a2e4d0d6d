package daifugo

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"

	"sakusen/engines/daifugo"
)

// pool shares the work among so many goroutines.
func pool(workers int) Pool {
	return func(n int, work func(int)) {
		var wait sync.WaitGroup
		for w := range workers {
			wait.Go(func() {
				for i := w; i < n; i += workers {
					work(i)
				}
			})
		}
		wait.Wait()
	}
}

func positionsSolved(t *testing.T, s Solver, p Pool) Solver {
	t.Helper()
	for s.Cards() < Top(s.Rules()) {
		s.Next(p)
	}
	return s
}

func fresh(t *testing.T, r daifugo.Rules) Solver {
	t.Helper()
	s, err := New(r, 1<<28)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// However the work is shared, all entries and their number are the same.
func TestPools(t *testing.T) {
	for _, r := range ruleSets {
		one := positionsSolved(t, fresh(t, r), Serial)
		backwards := func(n int, work func(int)) {
			for i := n - 1; i >= 0; i-- {
				work(i)
			}
		}
		for _, p := range []Pool{pool(2), pool(3), backwards} {
			many := positionsSolved(t, fresh(t, r), p)
			if one.Entries() != many.Entries() || !reflect.DeepEqual(saved(t, one), saved(t, many)) {
				t.Errorf("%+v: another order of work gives another layer", r)
			}
		}
	}
}

func saved(t *testing.T, s Solver) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// load returns a Solver that goes on from a saved layer of the given rules.
func load(r daifugo.Rules, limit uint64, in io.Reader) (Solver, error) {
	s, err := New(r, limit)
	if err != nil {
		return nil, err
	}
	return s, LoadInto(s, in)
}

// A solver stopped after any layer and loaded goes on as if nothing happened.
func TestResume(t *testing.T) {
	for _, r := range []daifugo.Rules{{Seats: 3, Cards: 4, Ranks: 3}, {Seats: 5, Cards: 2, Ranks: 4}, {Seats: 7, Cards: 2, Ranks: 5}} {
		whole := positionsSolved(t, fresh(t, r), Serial)
		s := fresh(t, r)
		for s.Cards() < Top(r) {
			s.Next(Serial)
			back, err := load(r, 1<<28, bytes.NewReader(saved(t, s)))
			if err != nil {
				t.Fatal(err)
			}
			s = back
		}
		if !bytes.Equal(saved(t, whole), saved(t, s)) {
			t.Errorf("%+v: resumed after every layer, the last layer differs", r)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	r := daifugo.Rules{Seats: 3, Cards: 3, Ranks: 3}
	s := fresh(t, r)
	for range 4 {
		s.Next(Serial)
	}
	good := saved(t, s)
	damaged := bytes.Clone(good)
	damaged[len(damaged)-20] ^= 1
	for _, c := range []struct {
		name  string
		rules daifugo.Rules
		data  []byte
		want  string
	}{
		{"empty", r, nil, "cut short"},
		{"cut", r, good[:len(good)-1], "cut short"},
		{"other file", r, bytes.Repeat([]byte("x"), 200), "expected a file that begins with"},
		{"other rules", daifugo.Rules{Seats: 3, Cards: 3, Ranks: 2}, good, "expected a layer of {Seats:3 Cards:3 Ranks:2}"},
		{"damaged", r, damaged, "checksum"},
	} {
		if _, err := load(c.rules, 1<<28, bytes.NewReader(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	r := daifugo.Rules{Seats: 3, Cards: 2, Ranks: 3}
	s, err := New(r, 1<<20)
	if err != nil {
		f.Fatal(err)
	}
	for range 3 {
		s.Next(Serial)
		var b bytes.Buffer
		if err := s.Save(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := load(r, 1<<20, bytes.NewReader(data))
		if err == nil && !bytes.Equal(saved(t, s), data[:len(saved(t, s))]) {
			t.Error("a layer that was loaded is saved otherwise")
		}
	})
}

// What a solver allocates is what Estimate says, less the numbering.
func TestEstimate(t *testing.T) {
	for _, r := range append(ruleSets, daifugo.Rules{Seats: 3, Cards: 6, Ranks: 3}) {
		s := positionsSolved(t, fresh(t, r), Serial)
		var bytes uint64
		switch s := s.(type) {
		case *positionsSolver[uint16]:
			bytes = 2 * uint64(cap(s.values)+cap(s.spare))
		case *positionsSolver[uint32]:
			bytes = 4 * uint64(cap(s.values)+cap(s.spare))
		case *positionsSolver[uint64]:
			bytes = 8 * uint64(cap(s.values)+cap(s.spare))
		}
		if e := Estimate(r); bytes > e || bytes*2 < e && e > 1<<20 {
			t.Errorf("%+v: %d bytes of values, estimate %d", r, bytes, e)
		}
	}
}

func TestPositionsRefusals(t *testing.T) {
	for _, c := range []struct {
		rules daifugo.Rules
		limit uint64
		want  string
	}{
		{daifugo.Rules{Seats: 3, Cards: 3, Ranks: 4}, 1 << 30, "ranks: expected 2 to 3"},
		{daifugo.Rules{Seats: 3, Cards: 0, Ranks: 3}, 1 << 30, "cards: expected 1 to"},
		{daifugo.Rules{Seats: 3, Cards: 12, Ranks: 3}, 20 << 30, "GiB for two layers, the limit is 20.0 GiB"},
		{daifugo.Rules{Seats: 4, Cards: 13, Ranks: 4}, 1 << 40, "GiB for two layers"},
	} {
		if _, err := New(c.rules, c.limit); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.rules, err, c.want)
		}
	}
}

func TestValueRefuses(t *testing.T) {
	r := daifugo.Rules{Seats: 3, Cards: 3, Ranks: 3}
	s := fresh(t, r)
	p, _ := daifugo.New(r)
	if _, err := s.Value(&p); err == nil || !strings.Contains(err.Error(), "expected a position with 1 cards, got 9") {
		t.Errorf("a position of a later layer: error %v", err)
	}
	q, _ := daifugo.New(daifugo.Rules{Seats: 3, Cards: 3, Ranks: 2})
	if _, err := s.Value(&q); err == nil {
		t.Error("a position of other rules is valued")
	}
}

func BenchmarkSolver(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules daifugo.Rules
	}{
		{"3x6", daifugo.Rules{Seats: 3, Cards: 6, Ranks: 3}},
		{"4x4", daifugo.Rules{Seats: 4, Cards: 4, Ranks: 4}},
		{"5x4", daifugo.Rules{Seats: 5, Cards: 4, Ranks: 5}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var entries uint64
			for b.Loop() {
				s, err := New(c.rules, 1<<30)
				if err != nil {
					b.Fatal(err)
				}
				for s.Cards() < Top(c.rules) {
					s.Next(Serial)
				}
				entries = s.Entries()
			}
			b.ReportMetric(float64(entries), "entries/op")
			b.ReportMetric(float64(entries)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

func BenchmarkGraph(b *testing.B) {
	p, _ := daifugo.New(daifugo.Rules{Seats: 3, Cards: 5, Ranks: 3})
	n := 0
	for b.Loop() {
		g, err := NewGraph(p, 0)
		if err != nil {
			b.Fatal(err)
		}
		n = g.positions()
	}
	b.ReportMetric(float64(n), "positions/op")
}
