package bench

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/store/sqlitedb"
)

// million is a flag: how long commands take on a database of a million samples is
// measured, not tested:
//
//	go test ./cmd/sakusen/clitest/bench -run BenchMillion -v -million-samples
var million = flag.Bool("million-samples", false, "measure bench commands on a database of a million samples")

// A database of 100 series with ten values in each run; each is a process of the
// program. Without the flag it has few runs.
func TestBenchMillion(t *testing.T) {
	runs := 30
	if *million {
		runs = 1000
	}
	dir := t.TempDir()
	db := filepath.Join(dir, "b.db")
	began := time.Now()
	fill(t, db, runs)
	t.Logf("%d samples recorded in %s", runs*1000, time.Since(began))
	file := filepath.Join(dir, "new.txt")
	if err := os.WriteFile(file, []byte(millionText(6)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"compare run:1 latest", clitest.ExitDone, "B99-2"},
		{"compare commit:c1 " + file + " --json", clitest.ExitDone, `"verdict"`},
		{"gate run:1 " + file, clitest.ExitDone, "gate: pass"},
		{"export run:7", clitest.ExitDone, "BenchmarkB99-2"},
		{"history B42-2", clitest.ExitDone, fmt.Sprintf("run:%d", runs)},
		{"history --json", clitest.ExitDone, `"changes"`},
		{"history", clitest.ExitDone, "B99-2"},
		{"accept B42-2 --reason wanted", clitest.ExitDone, ""},
	} {
		cmd := exec.Command(os.Args[0], append([]string{"--db", db, "bench"}, strings.Fields(c.line)...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), clitest.AsProgram+"=1")
		began := time.Now()
		out, err := cmd.Output()
		if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v, exit code %d, %.300s", c.line, err, cmd.ProcessState.ExitCode(), out)
		}
		t.Logf("%-40s wall %s, user %s", strings.ReplaceAll(c.line, dir, ""), time.Since(began).Round(time.Millisecond), cmd.ProcessState.UserTime().Round(time.Millisecond))
	}
}

// millionText returns one run: a thousand samples.
func millionText(n int) string {
	var b strings.Builder
	b.WriteString("pkg: example.com/m\n")
	for i := range 100 {
		for k := range 10 {
			fmt.Fprintf(&b, "BenchmarkB%d-2 1 %d ns/op\n", i, 1000+n%7+k+n/300*200)
		}
	}
	return b.String()
}

func fill(t *testing.T, path string, runs int) {
	t.Helper()
	ctx := context.Background()
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	l, err := ledger.Open(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	for n := range runs {
		run, err := bench.Read(strings.NewReader(millionText(n)), "run", bench.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := l.Record(ctx, run, ledger.Origin{Commit: fmt.Sprint("c", n), Branch: "main"}); err != nil {
			t.Fatal(err)
		}
	}
}
