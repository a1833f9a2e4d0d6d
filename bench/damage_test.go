package bench

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// FuzzDamage holds that damage never yields a pass that the clean text would not give. The
// seed makes two good texts, of which the new one is slower, allocates more or neither; each
// byte of damage picks a kind of it and the side. At most one of the sides is cut, and once:
// two that end at the same benchmark are a complete run of fewer benchmarks.
//
//	go test ./bench -run '^$' -fuzz Damage -fuzztime 1000000x
func FuzzDamage(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed, []byte{byte(seed), byte(seed * 7), byte(seed * 31)}[:1+seed%3])
	}
	f.Fuzz(func(t *testing.T, seed uint64, damage []byte) { damaged(t, seed, damage) })
}

var (
	damagedTexts = flag.Int("damaged", 2000, "pairs of texts that TestDamage damages")
	damagedFrom  = flag.Uint64("damaged-from", 0, "number of the first of these pairs")
)

// TestDamage is FuzzDamage for inputs that are drawn, in parts if need be.
//
//	go test ./bench -run TestDamage -damaged 250000 -damaged-from 750000 -timeout 2h
func TestDamage(t *testing.T) {
	t.Parallel()
	var next atomic.Uint64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < uint64(*damagedTexts) && !t.Failed(); i = next.Add(1) - 1 {
				seed := *damagedFrom + i
				random := rand.New(rand.NewPCG(seed, 38))
				damage := make([]byte, 1+random.IntN(4))
				for k := range damage {
					damage[k] = byte(random.IntN(256))
				}
				if !damaged(t, seed, damage) {
					t.Errorf("seed %d, damage %v", seed, damage)
				}
				if i%10_000 == 9_999 {
					t.Logf("%d pairs", i+1)
				}
			}
		})
	}
	workers.Wait()
}

// damaged reports whether damage of texts that are drawn yields no pass that they would not
// give. Where nothing is planted in them there is none.
func damaged(t *testing.T, seed uint64, damage []byte) bool {
	random := rand.New(rand.NewPCG(seed, 37))
	clean, planted := goodTexts(random)
	if !planted {
		return true
	}
	sides, kinds, cut := clean, []string{}, false
	for _, b := range damage[:min(4, len(damage))] {
		d := damages[int(b>>1)%len(damages)]
		side := int(b) & 1
		if side == 0 && d.newOnly {
			side = 1
		}
		if strings.HasPrefix(d.name, "cut") {
			if cut {
				continue
			}
			cut = true
		}
		kinds = append(kinds, fmt.Sprint(d.name, " of side ", side))
		sides[side] = d.do(random, sides[side])
	}
	// A run that is incomplete never passes; one pair in sixteen is judged to its end.
	if got := judged(sides, seed%16 == 0); got == Pass && outcome(t, clean) != Pass && !(outcome(t, clean) == Undecided && fewer(t, clean[1], sides[1])) {
		t.Errorf("%q: pass, the clean texts give %s:\n%s\n----\n%s\n----\n%s\n----\n%s", kinds, outcome(t, clean), clean[0], clean[1], sides[0], sides[1])
		return false
	}
	return true
}

// fewer reports whether damage left equally many results of each benchmark: so does a complete run of
// a smaller -count look, which by chance may rule out what a larger one did not.
func fewer(t *testing.T, clean, damaged string) bool {
	var lines [2]map[Series]int
	for i, text := range []string{clean, damaged} {
		run, err := Read(strings.NewReader(text), "x", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = run.lines
	}
	counts := map[int]bool{}
	for s, n := range lines[0] {
		counts[lines[1][s]] = true
		if lines[1][s] == 0 || lines[1][s] >= n {
			return false
		}
	}
	return len(counts) == 1 && len(lines[0]) == len(lines[1])
}

// TestDamageClean holds that the clean texts are of all kinds.
func TestDamageClean(t *testing.T) {
	found := map[Outcome]int{}
	for seed := range uint64(600) {
		texts, _ := goodTexts(rand.New(rand.NewPCG(seed, 37)))
		found[outcome(t, texts)]++
	}
	if found[Pass] < 50 || found[Regression] < 50 || found[Undecided] == 0 {
		t.Errorf("%v", found)
	}
}

// outcome returns that of the gate; a text that is refused has none.
func outcome(_ *testing.T, texts [2]string) Outcome { return judged(texts, true) }

// judged returns the outcome of the gate, and undecided where a side is incomplete, unless that is to be judged too.
func judged(texts [2]string, incomplete bool) Outcome {
	var sides [2]*Run
	for i, text := range texts {
		var err error
		if sides[i], err = Read(strings.NewReader(text), []string{"old", "new"}[i], ReadOptions{}); err != nil {
			return "refused"
		}
		if !incomplete && len(sides[i].Incomplete()) > 0 {
			return Undecided
		}
	}
	return Judge(Compare(sides[0], sides[1], Options{}), Policy{}).Outcome
}

// goodTexts returns two outputs of go test, in both forms, and whether something is worse in the new one.
func goodTexts(random *rand.Rand) (texts [2]string, planted bool) {
	n := 6 + random.IntN(5)
	packages := 1 + random.IntN(2)
	suffix := []string{"", "-8", "-16"}[random.IntN(3)]
	bad := random.IntN(2 * packages) // the benchmark that changes
	slower := []float64{1, 1, 1.08, 1.3, 2}[random.IntN(5)]
	more := random.IntN(2)
	form := random.IntN(4)
	spread := []float64{2, 2, 2, 2, 30}[random.IntN(5)] // per cent
	for side := range texts {
		var b strings.Builder
		for p := range packages {
			pkg := fmt.Sprintf("example.com/m/p%d", p)
			var lines []string
			line := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)+"\n") }
			line("goos: linux")
			line("goarch: amd64")
			line("pkg: %s", pkg)
			line("cpu: Example CPU @ 2.00GHz")
			for k := range 2 {
				name := []string{"BenchmarkA", "BenchmarkB/size=10-20"}[k] + suffix
				factor, allocs := 1.0, 3
				if side == 1 && 2*p+k == bad {
					factor, allocs = slower, 3+more
				}
				for range n {
					ns := factor * (100 + spread*random.Float64())
					line("%s \t%8d\t%10.1f ns/op\t%8.2f MB/s\t%8d B/op\t%8d allocs/op\t%.1f req/s", name, 1000+random.IntN(100), ns, 8000/ns, 64, allocs, 1e9/ns)
				}
			}
			line("PASS")
			line("ok  \t%s\t1.234s", pkg)
			text := strings.Join(lines, "")
			if form == 0 {
				text = asEvents(text)
			}
			b.WriteString(text)
		}
		texts[side] = b.String()
	}
	return texts, slower > 1 || more > 0
}

// damages are what happens to texts. Some are told on the new side alone: an old text that is
// cut between two packages is one of fewer packages.
var damages = []struct {
	name    string
	newOnly bool
	do      func(random *rand.Rand, text string) string
}{
	{"cut", true, func(random *rand.Rand, text string) string { return text[:random.IntN(len(text)+1)] }},
	{"cut inside a package", false, func(random *rand.Rand, text string) string {
		lines := strings.SplitAfter(text, "\n")
		last := len(lines) - 1
		for last > 0 && !strings.Contains(lines[last], "Benchmark") {
			last--
		}
		first := last
		for first > 0 && last-first < 5 && strings.Contains(lines[first-1], "Benchmark") {
			first--
		}
		whole := strings.Join(lines[:first], "")
		return whole + lines[first][:random.IntN(len(lines[first])+1)]
	}},
	{"log lines", false, func(random *rand.Rand, text string) string {
		return insert(random, text, true, []string{
			"cpu: 31%\n", "pkg: x\n", "cpu: other\npkg: example.com/m/p1\n", "seed: 42\n", `{"level":"info","msg":"loading"}` + "\n", `{"Action":"login"}` + "\n",
			"go: downloading example.com/d v1.0.0\n", "2024/01/01 10:00:00 hello\n", "Benchmark data: 3 files\n", "panic: recovered\n", "\n", "\x1b[31mred\x1b[0m\n", "{\n", "# warning\n",
		})
	}},
	{"logs inside lines", false, func(random *rand.Rand, text string) string {
		at := []int{0}
		for i := range text {
			if strings.HasPrefix(text[i:], "Benchmark") {
				at = append(at, i)
			}
			if text[i] == '\t' {
				at = append(at, i+1)
			}
		}
		i := at[random.IntN(len(at))]
		return text[:i] + []string{"hello\n", "2024/01/01 hello\n", "42 apples\n", "50 %", "\n", "hello ", "\r"}[random.IntN(7)] + text[i:]
	}},
	{"byte order marks", false, func(random *rand.Rand, text string) string {
		if random.IntN(2) == 0 {
			return "\ufeff" + text
		}
		return insert(random, text, false, []string{"\ufeff"})
	}},
	{"UTF-16", false, func(random *rand.Rand, text string) string { return wide(text, random.IntN(2) == 0) }},
	{"zero bytes", false, func(random *rand.Rand, text string) string {
		return insert(random, text, false, []string{"\x00", "\x00\x00\x00\x00"})
	}},
	{"zeros", false, func(random *rand.Rand, text string) string {
		units := []string{" ns/op", " MB/s", " req/s"}
		unit := units[random.IntN(len(units))]
		parts := strings.Split(text, unit)
		all := random.IntN(2) == 0
		for i := range parts[:len(parts)-1] {
			if at := strings.LastIndexAny(parts[i], " t"); at >= 0 && (all || random.IntN(3) == 0) { // t of \t in JSON
				parts[i] = strings.TrimRight(parts[i], "0123456789.") + "0"
			}
		}
		return strings.Join(parts, unit)
	}},
	{"a failure at the end", false, func(random *rand.Rand, text string) string {
		lines := strings.SplitAfter(text, "\n")
		i := random.IntN(len(lines))
		for i > 0 && !strings.Contains(lines[i-1], "Benchmark") {
			i--
		}
		end := []string{
			"--- FAIL: BenchmarkB\n    x_test.go:7: no\nFAIL\nexit status 1\nFAIL\texample.com/m/p0\t0.3s\n", "FAIL\n", "panic: no\n\ngoroutine 1 [running]:\nexit status 2\nFAIL\texample.com/m/p1\t1s\n",
			"BenchmarkA-8 \t--- FAIL: BenchmarkA-8\nFAIL\n", "panic: test timed out after 1s\n", "signal: killed\nFAIL\tx\t1s\n", "fatal error: out of memory\n", "exit status 1\n",
		}[random.IntN(8)]
		return strings.Join(lines[:i], "") + end
	}},
	{"failures", false, func(random *rand.Rand, text string) string {
		return insert(random, text, true, []string{"FAIL\tq [build failed]\n", "--- FAIL: BenchmarkC\n", "FAIL\n", "panic: no\n", "exit status 1\n"})
	}},
	{"cut out lines", true, func(random *rand.Rand, text string) string {
		return eachLine(random, text, func(string) string { return "" })
	}},
	{"lines that stand twice", false, func(random *rand.Rand, text string) string {
		return eachLine(random, text, func(line string) string { return line + line })
	}},
	{"lines with a prefix", false, func(random *rand.Rand, text string) string {
		before := []string{"bench | ", "> ", "    ", "\t", "+", "<span>", "2026-01-01T00:00:00Z ", "[00:00:00] ", "\u00a0", "[p] "}[random.IntN(10)]
		return eachLine(random, text, func(line string) string { return before + line })
	}},
	{"all lines with a time", false, func(random *rand.Rand, text string) string {
		before := []string{"2026-01-01T00:00:00.123Z ", "[2026-01-01T00:00:00Z] ", "[00:00:00] [Step 1/2] ", "00:00:00.123  ", "job\tstep\t2026-01-01T00:00:00Z "}[random.IntN(5)]
		return before + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+before) + "\n"
	}},
	{"lines that are wrapped", false, func(random *rand.Rand, text string) string {
		width := 20 + random.IntN(80)
		return eachLine(random, text, func(line string) string {
			if len(line) > width+1 {
				line = line[:width] + "\n" + line[width:]
			}
			return line
		})
	}},
	{"lines in another order", false, func(random *rand.Rand, text string) string {
		lines := strings.SplitAfter(text, "\n")
		i, j := random.IntN(len(lines)), random.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return strings.Join(lines, "")
	}},
	{"words of a build server", false, func(random *rand.Rand, text string) string {
		return insert(random, text, true, []string{
			"##[group]Run go test\n", "##[endgroup]\n", "##[error]no\n", "section_start:1:bench\r\x1b[0K", "make: *** [Makefile:3: bench] Error 1\n", "FAIL: //q:t (see x)\n",
			"✖  q (1s)\n", "DONE 3 tests in 1s\n", "> Task :bench\n", "Killed: 9\n", "ok  \tq\t0.1s\n", "PASS\n",
			"[31mFAIL[0m\n", "\x16=== NAME\n", "go: errors parsing go.mod:\n", "go: downloading x v1\n", "FAIL q (1s)\n", "EXIT_CODE=1\n", "status=job_failed\n", "exit code 0xC0000005\n", "./x.sh: Zeile 3: 12345 Getötet  x\n",
		})
	}},
	{"lines of units", true, func(random *rand.Rand, text string) string {
		return insert(random, text, true, []string{"Unit allocs/op assume=nothing\n", "Unit ns/op better=higher\n", "Unit req/s better=lower\n", "Unit MB/s better=lower assume=exact\n"})
	}},
	{"a number that is none", false, func(random *rand.Rand, text string) string {
		unit := []string{" ns/op", " B/op", " allocs/op"}[random.IntN(3)]
		parts := strings.Split(text, unit)
		word := []string{"NaN", "+Inf", "1e999", "1,5", "", "1.2.3", "-", "x"}[random.IntN(8)]
		for i := range parts[:len(parts)-1] {
			if random.IntN(3) == 0 {
				parts[i] = strings.TrimRight(parts[i], "0123456789.") + word
			}
		}
		return strings.Join(parts, unit)
	}},
	{"ends of lines", false, func(random *rand.Rand, text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }},
	{"colours", false, func(random *rand.Rand, text string) string {
		return insert(random, text, false, []string{"\x1b[31m", "\x1b[0m", "\x1b]0;title\x07", "\x1b(B", "\x1b7", "\u009b1m", "[0m", "\u200e", "\u2060", "\b", "\x07"})
	}},
	{"every line twice", false, func(_ *rand.Rand, text string) string { return twice(text) }},
	{"the text twice", false, func(_ *rand.Rand, text string) string { return text + text }},
	{"UTF-16, and then not", false, func(random *rand.Rand, text string) string {
		at := strings.LastIndexByte(text[:random.IntN(len(text)+1)], '\n') + 1
		return wide(text[:at], random.IntN(2) == 0) + text[at:]
	}},
}

// eachLine changes a run of lines, or each with some chance.
func eachLine(random *rand.Rand, text string, change func(line string) string) string {
	lines := strings.SplitAfter(text, "\n")
	from, share := random.IntN(len(lines)), random.Float64()
	to := from + random.IntN(8)
	some := random.IntN(2) == 0
	for i, line := range lines {
		if some && random.Float64() < share || !some && i >= from && i <= to {
			lines[i] = change(line)
		}
	}
	return strings.Join(lines, "")
}

// insert puts one of the texts at a place, the beginning of a line where lines is true, up
// to three times.
func insert(random *rand.Rand, text string, lines bool, texts []string) string {
	for range 1 + random.IntN(3) {
		at := random.IntN(len(text) + 1)
		if lines {
			at = strings.LastIndexByte(text[:at], '\n') + 1
		}
		text = text[:at] + texts[random.IntN(len(texts))] + text[at:]
	}
	return text
}
