package bench

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/suite"
)

var pairs = flag.Int("pairs", 40, "random file pairs of TestBenchstatRandom")

// Random file pairs against benchstat itself, built from the x/perf of go.mod:
// every cell of its tables reads as ours.
//
//	go test ./bench -run BenchstatRandom -v -pairs 2000
func TestBenchstatRandom(t *testing.T) {
	n := *pairs
	if suite.Few() {
		n = min(n, 10)
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "benchstat.exe")
	if out, err := exec.Command("go", "build", "-o", tool, "golang.org/x/perf/cmd/benchstat").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	total := 0
	for seed := range uint64(n) {
		random := rand.New(rand.NewPCG(seed, 8))
		old, new := randomPair(random)
		for name, text := range map[string]string{"old.txt": old, "new.txt": new} {
			// Benchstat leaves zeros in the unit that is printed, and so in a series of their own.
			text = strings.NewReplacer("\t0 ns/op", "\t0 sec/op", "\t0 MB/s", "\t0 B/s", "\t0 p99-ns/op", "\t0 p99-sec/op").Replace(text)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(tool, "-format", "csv", "old.txt", "new.txt")
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var sides [2]*Run
		for i, text := range []string{old, new} {
			if sides[i], err = Read(strings.NewReader(text), "side", ReadOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		cells := checkBenchstat(t, Compare(sides[0], sides[1], Options{}), string(out))
		if total += cells; cells == 0 {
			t.Errorf("seed %d: nothing compared: %s", seed, out)
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s----\n%s----\n%s", seed, old, new, out)
		}
	}
	t.Logf("%d pairs, %d cells", n, total)
	if total < 20*n {
		t.Errorf("only %d cells", total)
	}
}

// randomPair makes two benchmark texts: packages, sub-benchmarks, units with and
// without metadata, missing sides, unequal counts, constants, zeros, ties and
// lines that are no results.
func randomPair(random *rand.Rand) (old, new string) {
	var sides [2]strings.Builder
	both := func(text string) {
		for i := range sides {
			sides[i].WriteString(text)
		}
	}
	if random.IntN(4) > 0 {
		both("goos: linux\ngoarch: amd64\n")
	}
	if random.IntN(5) == 0 {
		both("note: a key of no meaning\n")
	}
	units := []string{"ns/op", "B/op", "allocs/op", "MB/s", "games/s", "p99-ns/op", "hit%", "plies/op"}
	for _, unit := range units[4:] {
		if random.IntN(3) > 0 {
			continue
		}
		line := "Unit " + unit
		for _, word := range []string{" better=higher", " better=lower", " assume=exact", " assume=nothing"}[random.IntN(4):][:1] {
			line += word
		}
		sides[random.IntN(2)].WriteString(line + "\n")
	}
	for pkg := range 1 + random.IntN(3) {
		if random.IntN(6) > 0 || pkg > 0 {
			both(fmt.Sprintf("pkg: example.com/m/p%d\n", pkg))
		}
		if random.IntN(3) == 0 {
			both("cpu: Example CPU @ 2.00GHz\n")
		}
		for b := range 1 + random.IntN(4) {
			name := fmt.Sprintf("Benchmark%c%s%s", 'A'+b, []string{"", "/size=10", "/a b/c:d", "/é/10-20"}[random.IntN(4)], []string{"", "-2", "-16"}[random.IntN(3)])
			name = strings.ReplaceAll(name, " ", "_")
			random.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
			use := units[:1+random.IntN(4)]
			makers := make([][2]func() float64, len(use))
			for i := range use {
				makers[i] = randomValues(random)
			}
			counts := [2]int{sampleCount(random), sampleCount(random)}
			if counts[0]+counts[1] == 0 {
				counts[random.IntN(2)] = 3
			}
			for i := range sides {
				for range counts[i] {
					fmt.Fprintf(&sides[i], "%s \t%d", name, 1+random.IntN(1e6))
					for k, unit := range use {
						fmt.Fprintf(&sides[i], "\t%v %s", makers[k][i](), unit)
					}
					sides[i].WriteByte('\n')
					if random.IntN(20) == 0 {
						sides[i].WriteString("a line that is no result\n")
					}
				}
			}
		}
		both("PASS\nok  \texample.com/m\t1.234s\n")
	}
	// Both files hold at least one result.
	both("BenchmarkLast 1 1 ns/op\n")
	return sides[0].String(), sides[1].String()
}

// sampleCount returns the number of samples of a side; beyond fifty benchstat's
// U-test is an approximation.
func sampleCount(random *rand.Rand) int {
	switch random.IntN(8) {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return 30 + random.IntN(50)
	}
	return 2 + random.IntN(14)
}

// randomValues makes the values of a unit on either side.
func randomValues(random *rand.Rand) [2]func() float64 {
	constant := func(v float64) func() float64 { return func() float64 { return v } }
	scale := math.Pow(10, float64(random.IntN(18)-6))
	noisy := func(center, spread float64) func() float64 {
		return func() float64 { return scale * (center + spread*random.NormFloat64()) }
	}
	ties := func(from int) func() float64 { return func() float64 { return float64(from + random.IntN(4)) } }
	v := float64(random.IntN(1000))
	switch random.IntN(10) {
	case 0:
		return [2]func() float64{constant(v), constant(v)}
	case 1:
		return [2]func() float64{constant(v), constant(v + 1)}
	case 2:
		return [2]func() float64{constant(0), constant(0)}
	case 3:
		return [2]func() float64{constant(0), noisy(1, 0.1)}
	case 4:
		return [2]func() float64{ties(1), constant(0)}
	case 5:
		return [2]func() float64{ties(3), ties(3 + random.IntN(3))}
	case 6:
		return [2]func() float64{noisy(0, 1), noisy(0, 1)}
	case 7:
		return [2]func() float64{noisy(1, 0.02), noisy(1.1, 0.02)}
	case 8:
		return [2]func() float64{noisy(1, 0.3), noisy(1.1, 0.01)}
	}
	return [2]func() float64{noisy(1, 0.05), noisy(1, 0.05)}
}
