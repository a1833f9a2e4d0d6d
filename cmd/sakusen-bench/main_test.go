package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/cmdline"
	"sakusen/cmd/sakusen/cli"
	"sakusen/engines/plain"
	"sakusen/engines/suite"
	"sakusen/strategies"
)

// launched is what a program printed, and its exit code.
type launched struct {
	code     int
	out, err string
}

func launch(stdin string, args ...string) launched {
	var out, errs bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(stdin), &out, &errs)
	return launched{code, out.String(), errs.String()}
}

// Both programs have the same arguments, answers and exit codes, whatever the texts.
func TestSameAnswers(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GITHUB_STEP_SUMMARY", "")
	t.Setenv("SAKUSEN_BENCH_MACHINE_CLASS", "")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := func(value string) string {
		return "pkg: example.com/m\ncpu: x\n" + strings.Repeat("BenchmarkA-8 \t 100 \t "+value+" ns/op \t 3 allocs/op\n", 12) + "PASS\n"
	}
	write("old.txt", text("100.0"))
	write("slow.txt", text("150.0"))
	write("failed.txt", text("100.0")+"--- FAIL: BenchmarkB\nFAIL\texample.com/m\t1s\n")
	write("empty.txt", "PASS\n")
	write("other.txt", strings.ReplaceAll(text("100.0"), "BenchmarkA", "BenchmarkB"))
	write("gate.json", `{"verdict":"regression","exit":1,"failures":[{"name":"A-8","unit":"sec/op","config":{"pkg":"m"},"reason":"up \u001b[2J"}]}`)
	tried := map[int]int{}
	for _, line := range []string{
		"compare old.txt slow.txt", "compare old.txt slow.txt --json", "compare old.txt slow.txt --format markdown", "compare old.txt slow.txt --format csv",
		"compare old.txt slow.txt --format x", "compare old.txt none.txt", "compare old.txt other.txt", "gate old.txt other.txt", "compare - -", "compare old.txt", "compare old.txt - --exact",
		"gate old.txt old.txt", "gate old.txt slow.txt", "gate old.txt slow.txt --json", "gate old.txt failed.txt", "gate empty.txt old.txt", "gate old.txt empty.txt",
		"gate old.txt slow.txt --threshold 2", "gate old.txt slow.txt --alpha 7", "gate --self-test", "gate --self-test old.txt", "gate", "gate a b c", "gate old.txt old.txt --noise slow.txt",
		"comment gate.json", "comment old.txt", "comment gate.json --post", "comment gate.json --when x", "comment gate.json --pull 3",
		"run --gate", "run --steps 3", "run --rounds 0", "run --base main -C nowhere", "run --also x", "run --seed x", "run --until-decided",
		"bisect a", "bisect A x..y -C nowhere", "bisect A x..y --rounds 1", "nothing", "gate --nothing",
	} {
		got := launch(text("100.0"), strings.Fields(line)...)
		var out, errs bytes.Buffer
		p := cli.Process{In: strings.NewReader(text("100.0")), Out: &out, Err: &errs, Env: os.LookupEnv, Games: strategies.All()}
		code := p.Run(context.Background(), append([]string{"bench"}, strings.Fields(line)...))
		renamed := strings.NewReplacer("sakusen bench", "sakusen-bench", "sakusen:", "sakusen-bench:").Replace(errs.String())
		if want := (launched{code, out.String(), renamed}); got != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", line, got, want)
		}
		tried[code]++
	}
	for _, code := range []int{cmdline.Done, cmdline.Negative, cmdline.Mistaken, cmdline.Inconclusive, cmdline.Nothing} {
		if tried[code] == 0 {
			t.Errorf("nothing ended with exit code %d: %v", code, tried)
		}
	}
}

// The help of each command fits into 80 columns and speaks of this program and its folder.
func TestHelp(t *testing.T) {
	for _, name := range []string{"", "run", "compare", "gate", "bisect", "comment"} {
		got := launch("", append(strings.Fields(name), "--help")...)
		if got.code != cmdline.Done || got.err != "" {
			t.Errorf("%s: %+v", name, got)
		}
		for line := range strings.Lines(got.out) {
			if len([]rune(line)) > plain.Width+1 && !strings.HasPrefix(line, "  sakusen-bench ") {
				t.Errorf("%s: %d columns: %s", name, len(line), line)
			}
			if name != "" && strings.Contains(line, "sakusen bench") || strings.Contains(line, "database") || strings.Contains(line, "KEPT") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	if got := launch("", "--version"); !strings.HasPrefix(got.out, "sakusen-bench version 0.") || got.code != cmdline.Done {
		t.Errorf("%+v", got)
	}
}

// What ends the process ends a measurement with the code of an interruption.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"run", "-C", t.TempDir()}, nil, &out, &errs); code != cmdline.Interrupted || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit code %d: %s", code, &errs)
	}
	// Reading from a pipe without a writer ends too.
	in, never := io.Pipe()
	defer never.Close()
	for _, line := range []string{"gate - x", "compare - x", "comment -"} {
		errs.Reset()
		if code := run(ctx, strings.Fields(line), in, &out, &errs); code != cmdline.Interrupted || !strings.Contains(errs.String(), "interrupted") {
			t.Errorf("%s: exit code %d: %s", line, code, &errs)
		}
	}
}

// The program is built without C and stays small.
func TestSize(t *testing.T) {
	suite.All(t)
	file := filepath.Join(t.TempDir(), "sakusen-bench")
	build := exec.Command("go", "build", "-o", file, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	stat, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(12_000_000); stat.Size() > most {
		t.Errorf("%d bytes, expected at most %d", stat.Size(), most)
	}
}
