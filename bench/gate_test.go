package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	slow := values("ns/op", 120, 1, 10)
	each := func(times ...float64) (text string) {
		for _, x := range times {
			text += values("ns/op", x, 0, 1)
		}
		return text
	}
	for _, c := range []struct {
		name, old, new string
		policy         Policy
		want           Outcome
	}{
		{"the same", values("ns/op", 100, 1, 10), values("ns/op", 100, 1, 10), Policy{}, Pass},
		{"slower", values("ns/op", 100, 1, 10), slow, Policy{}, Regression},
		{"slower, under the threshold", values("ns/op", 100, 1, 10), values("ns/op", 103, 1, 10), Policy{}, Pass},
		{"slower, under an own threshold", values("ns/op", 100, 1, 10), slow, Policy{Threshold: .3}, Pass},
		{"not known to half a hundredth", values("ns/op", 100, 5, 10), values("ns/op", 100, 5, 10), Policy{Threshold: .005}, Undecided},
		{"slower, inside the noise", values("ns/op", 100, 1, 10), slow, Policy{Noise: map[Series]float64{{Name: "A", Unit: "sec/op"}: .15}}, Undecided},
		{"slower, outside the noise", values("ns/op", 100, 1, 10), slow, Policy{Noise: map[Series]float64{{Name: "A", Unit: "sec/op"}: .05}}, Regression},
		{"a rate that halves, inside the noise", values("games/s", 100, 1, 10), values("games/s", 50, 1, 10), Policy{Noise: map[Series]float64{{Name: "A", Unit: "games/s"}: .6}}, Undecided},
		{"one sample of ten, below a high limit", values("ns/op", 100, 1, 10), values("ns/op", 100, 1, 9) + values("ns/op", 9000, 0, 1), Policy{Threshold: 100}, Pass},
		{"one sample of ten", values("ns/op", 100, 1, 10), values("ns/op", 100, 1, 9) + values("ns/op", 9000, 0, 1), Policy{}, Undecided},
		{"one sample of ten, a count from zero", values("B/op", 0, 0, 10), values("B/op", 0, 0, 9) + values("B/op", 90000, 0, 1), Policy{}, Undecided},
		{"one sample of ten, what the runtime takes", values("B/op", 0, 0, 10), values("B/op", 0, 0, 9) + values("B/op", 504, 0, 1), Policy{}, Pass},
		{"one sample of ten, a rate", values("games/s", 100, 1, 10), values("games/s", 100, 1, 9) + values("games/s", 1, 0, 1), Policy{}, Undecided},
		{"one sample of ten, of no direction", values("hits", 100, 1, 10), values("hits", 100, 1, 9) + values("hits", 9000, 0, 1), Policy{}, Undecided},
		{"one equal sample", values("ns/op", 100, 0, 1), values("ns/op", 100, 0, 1), Policy{}, Undecided},
		{"one equal rate", values("games/s", 100, 0, 1), values("games/s", 100, 0, 1), Policy{}, Undecided},
		{"faster", slow, values("ns/op", 100, 1, 10), Policy{}, Pass},
		{"throughput down", values("MB/s", 100, 1, 10), values("MB/s", 80, 1, 10), Policy{}, Regression},
		{"throughput up", values("MB/s", 80, 1, 10), values("MB/s", 100, 1, 10), Policy{}, Pass},
		{"a rate that halves", values("games/s", 100, 1, 10), values("games/s", 50, 1, 10), Policy{}, Regression},
		{"a rate that doubles", values("games/s", 50, 1, 10), values("games/s", 100, 1, 10), Policy{}, Pass},
		{"a rate of mishaps", values("errors/s", 100, 1, 10), values("errors/s", 50, 1, 10), Policy{}, Undecided},
		{"a rate that may have halved", values("games/s", 100, 400, 6), values("games/s", 90, 300, 6), Policy{}, Undecided},
		{"a latency that may have doubled", values("p99-ns", 100, 400, 6), values("p99-ns", 110, 400, 6), Policy{}, Undecided},
		{"more of a mode than before", values("p99-ns", 100, 1, 99) + values("p99-ns", 300, 0, 1), values("p99-ns", 100, 1, 62) + values("p99-ns", 290, 1, 38), Policy{}, Undecided},
		{"allocations that vary, and may have doubled", values("allocs/op", 10, 0, 9) + values("allocs/op", 20, 0, 1), values("allocs/op", 10, 0, 6) + values("allocs/op", 30, 0, 4), Policy{}, Undecided},
		{"a latency that did not double", values("p99-ns", 100, 20, 10), values("p99-ns", 105, 20, 10), Policy{}, Pass},
		{"no direction, from nothing in some", values("errors", 0, 0, 10), values("errors", 500, 10, 4) + values("errors", 0, 0, 6), Policy{}, Undecided},
		{"no direction, from nothing in one", values("errors", 0, 0, 10), values("errors", 500, 0, 1) + values("errors", 0, 0, 9), Policy{}, Undecided},
		{"no direction, one in one", values("errors", 0, 0, 10), values("errors", 1, 0, 1) + values("errors", 0, 0, 9), Policy{}, Pass},
		{"no direction, by a digit in some", values("hits", .95, 0, 10), values("hits", .96, 0, 3) + values("hits", .95, 0, 7), Policy{}, Pass},
		{"a latency of half of the samples", values("p99-ns", 0, 0, 8) + values("p99-ns", 1, 0, 2), values("p99-ns", 0, 0, 5) + values("p99-ns", 5, 0, 5), Policy{}, Undecided},
		{"no direction, doubled inside the noise", values("score", 1000, 1, 6), values("score", 2000, 1, 6), Policy{Noise: map[Series]float64{{Name: "A", Unit: "score"}: .6}}, Undecided},
		{"counts beside which three are equal by chance", values("allocs/op", 201, 0, 1) + values("allocs/op", 203, 0, 1) + values("allocs/op", 202, 0, 1), values("allocs/op", 204, 0, 3), Policy{}, Undecided},
		{"no direction, may have doubled", values("hits", 100, 400, 6), values("hits", 105, 400, 6), Policy{}, Undecided},
		{"bytes of the runtime", values("B/op", 20, 18, 10), values("B/op", 22, 18, 10), Policy{}, Pass},
		{"no direction", values("hits", 100, 1, 10), values("hits", 50, 1, 10), Policy{}, Undecided},
		{"no direction, from nothing", values("hits", 0, 0, 10), values("hits", 50, 1, 10), Policy{}, Undecided},
		{"no direction, too few samples", values("hits", 100, 0, 1), values("hits", 10, 0, 1), Policy{}, Undecided},
		{"no direction, too few samples, a little", values("hits", 100, 0, 1), values("hits", 97, 0, 1), Policy{}, Pass},
		{"no direction, a little", values("hits", 100, 1, 10), values("hits", 97, 1, 10), Policy{}, Pass},
		{"a latency doubled", values("p99-ns", 100, 1, 10), values("p99-ns", 200, 1, 10), Policy{}, Regression},
		{"bytes halved", values("heap-bytes", 100, 1, 10), values("heap-bytes", 50, 1, 10), Policy{}, Pass},
		{"less below zero", "Unit x better=lower\n" + values("x", -50, 1, 10), values("x", -20, 1, 10), Policy{}, Regression},
		{"more below zero", "Unit x better=lower\n" + values("x", -20, 1, 10), values("x", -50, 1, 10), Policy{}, Pass},
		{"a debt that grows", "Unit x better=higher\n" + values("x", -20, 1, 10), values("x", -50, 1, 10), Policy{}, Regression},
		{"through zero", "Unit x better=lower\n" + values("x", -20, 1, 10), values("x", 50, 1, 10), Policy{}, Undecided},
		{"a rate fell to zero", values("MB/s", 500, 1, 10), values("MB/s", 0, 0, 10), Policy{}, Regression},
		{"a time fell to zero", values("ns/op", 500, 1, 10), values("ns/op", 0, 0, 10), Policy{}, Undecided},
		{"a time from zero", values("ns/op", 0, 0, 10), values("ns/op", 0.2, .01, 10), Policy{}, Regression},
		{"times of zero", values("ns/op", 0, 0, 10), values("ns/op", 0, 0, 10), Policy{}, Pass},
		{"some times of zero", values("ns/op", 100, 1, 10), values("ns/op", 100, 1, 9) + values("ns/op", 0, 0, 1), Policy{}, Undecided},
		{"an allocation more in most samples", values("allocs/op", 3, 0, 6), values("allocs/op", 4, 0, 3) + values("allocs/op", 3, 0, 1), Policy{}, Undecided},
		{"an allocation less in most samples", values("allocs/op", 4, 0, 6), values("allocs/op", 3, 0, 5) + values("allocs/op", 4, 0, 1), Policy{}, Pass},
		{"an allocation more among many, in most samples", values("allocs/op", 100, 0, 6), values("allocs/op", 101, 0, 3) + values("allocs/op", 100, 0, 1), Policy{}, Undecided},
		{"an allocation more in one sample", values("allocs/op", 3, 0, 6), values("allocs/op", 3, 0, 5) + values("allocs/op", 4, 0, 1), Policy{}, Pass},
		{"allocations that explode in some samples", values("allocs/op", 3, 0, 10), values("allocs/op", 3, 0, 6) + values("allocs/op", 300, 0, 4), Policy{}, Undecided},
		{"bytes that explode in two samples", values("B/op", 64, 0, 6), values("B/op", 64, 0, 4) + values("B/op", 9999, 0, 2), Policy{}, Undecided},
		{"instructions that explode in some samples", values("instructions/op", 1000, 40, 20), values("instructions/op", 1000, 40, 13) + values("instructions/op", 9000, 9, 7), Policy{}, Undecided},
		{"allocations that vanish in some samples", values("allocs/op", 3, 0, 10), values("allocs/op", 3, 0, 6) + values("allocs/op", 1, 0, 4), Policy{}, Pass},
		{"a signature that changes now and then", values(SignatureLo, 4000, 0, 10), values(SignatureLo, 4000, 0, 8) + values(SignatureLo, 4001, 0, 2), Policy{}, Undecided},
		{"declared exact, another value once", "Unit plies assume=exact\n" + values("plies", 3, 0, 10), values("plies", 3, 0, 9) + values("plies", 300, 0, 1), Policy{}, Undecided},
		{"a rate of panics", values("panics/s", 100, 1, 10), values("panics/s", 300, 1, 10), Policy{}, Undecided},
		{"waiting a second", values("wait-ns/s", 100, 1, 10), values("wait-ns/s", 300, 1, 10), Policy{}, Undecided},
		{"blocks a second", values("blocks/s", 100, 1, 10), values("blocks/s", 300, 1, 10), Policy{}, Pass},
		{"a mean that explodes in some samples", values("mean-sec/op", 1, .01, 20), values("mean-sec/op", 1, .01, 14) + values("mean-sec/op", 9, .01, 6), Policy{}, Undecided},
		{"no time for some bytes", "BenchmarkA-8 100 0 ns/op 12 MB/s\n" + values("ns/op", 0, 0, 9), "BenchmarkA-8 100 0 ns/op 12 MB/s\n" + values("ns/op", 0, 0, 9), Policy{}, Undecided},
		{"from nothing", values("B/op", 0, 0, 10), values("B/op", 8, 0, 10), Policy{}, Regression},
		{"to nothing", values("B/op", 8, 0, 10), values("B/op", 0, 0, 10), Policy{}, Pass},
		{"too few samples", values("ns/op", 100, 1, 4), values("ns/op", 120, 1, 4), Policy{}, Undecided},
		{"too few samples, constant", values("ns/op", 100, 0, 4), values("ns/op", 100, 0, 4), Policy{}, Undecided},
		{"looks worse", values("ns/op", 100, 60, 10), values("ns/op", 122, 60, 10), Policy{}, Undecided},
		{"beyond the limit, one sample not", each(101.9, 100.7, 101.3, 100.3, 101.4, 100.6, 100.4), each(109, 108.4, 108.7, 109.6, 109.1, 100), Policy{}, Undecided},
		{"too noisy to tell", values("ns/op", 100, 90, 10), values("ns/op", 103, 90, 10), Policy{}, Undecided},
		{"noisy, but a fifth is ruled out", values("ns/op", 100, 25, 10), values("ns/op", 100, 25, 10), Policy{}, Pass},
		{"noisy bytes", values("B/op", 100, 90, 10), values("B/op", 103, 90, 10), Policy{}, Pass},
		{"worse beyond the limit, its interval not", values("ns/op", 100, 3, 10), values("ns/op", 106, 3, 10), Policy{}, Undecided},
		{"an allocation more", values("allocs/op", 3, 0, 3), values("allocs/op", 4, 0, 1), Policy{}, Regression},
		{"an allocation less", values("allocs/op", 4, 0, 3), values("allocs/op", 3, 0, 3), Policy{}, Pass},
		{"an allocation more, once", values("allocs/op", 3, 0, 1), values("allocs/op", 4, 0, 1), Policy{}, Undecided},
		{"an allocation more, twice", values("allocs/op", 3, 0, 2), values("allocs/op", 4, 0, 2), Policy{}, Undecided},
		{"the same allocation, once", values("allocs/op", 3, 0, 1), values("allocs/op", 3, 0, 1), Policy{}, Pass},
		{"an allocation more, declared", "Unit allocs/op assume=exact\n" + values("allocs/op", 3, 0, 1), values("allocs/op", 4, 0, 1), Policy{}, Regression},
		{"a signature", values(SignatureHi, 4, 0, 1), values(SignatureHi, 3, 0, 1), Policy{}, Regression},
		{"fewer nodes, no direction", values("nodes/op", 4, 0, 3), values("nodes/op", 3, 0, 3), Policy{}, Regression},
		{"fewer nodes", "Unit nodes/op better=lower\n" + values("nodes/op", 4, 0, 3), values("nodes/op", 3, 0, 3), Policy{}, Pass},
		{"missing", values("ns/op", 1, 0, 9) + "BenchmarkB 1 3 allocs/op\n", "BenchmarkB 1 3 allocs/op\n", Policy{}, Undecided},
		{"missing, allowed", values("ns/op", 1, 0, 9) + "BenchmarkB 1 3 allocs/op\n", "BenchmarkB 1 3 allocs/op\n", Policy{AllowMissing: true}, Pass},
		{"all missing", values("ns/op", 1, 0, 9), "BenchmarkB 1 3 allocs/op\n", Policy{}, Undecided},
		{"all missing, allowed", values("ns/op", 1, 0, 9), "BenchmarkB 1 3 allocs/op\n", Policy{AllowMissing: true}, Undecided},
		{"a failure", values("ns/op", 1, 0, 9), values("ns/op", 1, 0, 9) + "FAIL\tp\t1s\n", Policy{}, Undecided},
		{"a failure of the old side", values("ns/op", 1, 0, 9) + "FAIL\tp\t1s\n", values("ns/op", 1, 0, 9), Policy{}, Undecided},
		{"a failure and a regression", values("ns/op", 100, 1, 10), slow + "FAIL\tp\t1s\n", Policy{}, Regression},
		{"an end on one side", values("ns/op", 1, 0, 9) + "PASS\n", values("ns/op", 1, 0, 9), Policy{}, Undecided},
		{"an end on both", values("ns/op", 1, 0, 9) + "PASS\n", values("ns/op", 1, 0, 9) + "PASS\n", Policy{}, Pass},
	} {
		var sides [2]*Run
		for i, text := range []string{c.old, c.new} {
			r, err := Read(strings.NewReader(text), "side", ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			sides[i] = r
		}
		cmp := Compare(sides[0], sides[1], Options{})
		g := Judge(cmp, c.policy)
		if g.Outcome != c.want {
			t.Errorf("%s: got %s, want %s: %+v", c.name, g.Outcome, c.want, g.Report(cmp))
		}
	}
}

func TestSelfTest(t *testing.T) {
	g, c, err := SelfTest(Policy{})
	if err != nil || g.Outcome != Regression || c.Paired != 3 {
		t.Errorf("%+v, %v", g, err)
	}
	// A policy that lets everything pass is found out.
	if _, _, err := SelfTest(Policy{Threshold: 0.5}); err == nil || !strings.Contains(err.Error(), "with a time 20 % slower it says pass") {
		t.Errorf("%v", err)
	}
}

func TestNoiseFloor(t *testing.T) {
	one, _ := Read(strings.NewReader(values("ns/op", 100, 0, 5)), "one", ReadOptions{})
	other, _ := Read(strings.NewReader(values("ns/op", 104, 0, 5)), "other", ReadOptions{})
	floor := NoiseFloor(one, other)
	if got := floor[Series{Name: "A", Unit: "sec/op"}]; got < 0.0399 || got > 0.0401 {
		t.Errorf("%v", floor)
	}
}

// What is worse without failing is still reported.
func TestJudgeNotes(t *testing.T) {
	slow := values("ns/op", 120, 1, 10)
	for _, c := range []struct {
		new    string
		policy Policy
		want   string
	}{
		{values("ns/op", 103, 1, 10), Policy{}, "worse: up by 2.99 % (q=1.1e-05), but not beyond the limit of 5.0 %"},
		{slow, Policy{Noise: map[Series]float64{{Name: "A", Unit: "sec/op"}: .15}}, "but not beyond the limit of 30.0 %"},
	} {
		old, err := Read(strings.NewReader(values("ns/op", 100, 1, 10)), "old", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		run, err := Read(strings.NewReader(c.new), "new", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		g := Judge(Compare(old, run, Options{}), c.policy)
		if list := append(g.Notes, g.Doubts...); len(list) != 1 || !strings.Contains(list[0].Reason, c.want) {
			t.Errorf("%+v, want %s", list, c.want)
		}
	}
}

// What has no bound is told without a number.
func TestJudgeWithoutBound(t *testing.T) {
	sparse := values("x-bytes", 0, 0, 6) + values("x-bytes", 900, 0, 4)
	for _, c := range []struct{ old, new, want string }{
		{values("B/op", 0, 0, 10), values("B/op", 8, 0, 10), "worse: up from 0 to 8 (p=0.000 n=10, "},
		{sparse, sparse + values("x-bytes", 900, 0, 1), "too noisy to rule out that it is worse by any amount"},
	} {
		sides := [2]*Run{}
		for i, text := range []string{c.old, c.new} {
			sides[i], _ = Read(strings.NewReader(text), "side", ReadOptions{})
		}
		g := Judge(Compare(sides[0], sides[1], Options{}), Policy{})
		if all := slices.Concat(g.Failures, g.Notes); len(all) != 1 || !strings.HasPrefix(all[0].Reason, c.want) {
			t.Errorf("%+v, want %s", all, c.want)
		}
	}
}

// What is worse is told by the way in which it moved: of a rate fewer are worse.
func TestJudgeWords(t *testing.T) {
	for _, c := range []struct {
		unit     string
		old, new float64
		want     string
	}{
		{"B/s", 100, 49, "worse: down by 50.98 %, at least by 50.9 %"},
		{"B/s", 100, 150, "better: up by 49.98 %"},
		{"ns/op", 100, 150, "worse: up by 49.98 %, at least by 49.9 %"},
		{"ns/op", 100, 49, "better: down by 50.98 %"},
		{"games/s", 100, 49, "worse: down by 50.98 %, at least by 50.9 %"},
		{"hits", 100, 49, "went down by 50.98 %, but whether more is better is unknown"},
	} {
		old, err := Read(strings.NewReader(values(c.unit, c.old, .1, 10)), "old", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		run, err := Read(strings.NewReader(values(c.unit, c.new, .1, 10)), "new", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		g := Judge(Compare(old, run, Options{}), Policy{})
		all := slices.Concat(g.Failures, g.Doubts, g.Notes)
		if len(all) != 1 || !strings.HasPrefix(all[0].Reason, c.want) {
			t.Errorf("%s from %g to %g: %+v, want %s", c.unit, c.old, c.new, all, c.want)
		}
	}
	for _, c := range []struct {
		old, new float64
		want     string
	}{{0, 3, "up from 0 to 3"}, {0, -3, "down from 0 to -3"}, {3, 0, "down by 100.00 %"}, {2, 2, "unchanged"}, {100, 300, "up by 200.00 %"}} {
		if got := Moved(c.old, c.new); got != c.want {
			t.Errorf("from %g to %g: %s, want %s", c.old, c.new, got, c.want)
		}
	}
}

// A gate with thousands of findings tells the worst, and how many more there are.
func TestGateIsBounded(t *testing.T) {
	sides := [2]*Run{}
	for k := range sides {
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, "BenchmarkA%d 100 %d ns/op 3 allocs/op\n", i, 100+50*k)
		}
		sides[k], _ = Read(strings.NewReader(b.String()), "side", ReadOptions{})
		sides[k].Warnings = make([]string, 1000)
	}
	var b strings.Builder
	c := Compare(sides[0], sides[1], Options{})
	if err := Judge(c, Policy{}).WriteText(&b, c); err != nil || strings.Count(b.String(), "\n") > 300 || !strings.Contains(b.String(), "doubt and 800 more in doubt: --json tells all") || !strings.Contains(b.String(), "more warnings") {
		t.Errorf("%v, %d lines: %.2000s", err, strings.Count(b.String(), "\n"), b.String())
	}
}
