package bench

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
)

// How modules of other people are measured, and how often the gate errs on them, is measured,
// not tested: it takes an hour, and the module proxy. The rows are those of
// docs/research/benchmarks-measured.md.
//
//	go test ./cmd/sakusen/clitest/bench -run PublicModules -v -modules all -timeout 5h
var (
	modules       = flag.String("modules", "", "modules that TestPublicModules measures: a part of their paths, or all")
	modulesTime   = flag.String("modules-benchtime", "100ms", "-benchtime of TestPublicModules")
	modulesBudget = flag.String("modules-budget", "10m", "--budget of TestPublicModules")
	modulesOlder  = flag.Bool("modules-older", true, "TestPublicModules measures against the earlier versions as well")
	modulesPlain  = flag.Bool("modules-plain", true, "TestPublicModules takes the time of go test -count 6 as well")
)

// publicModule is a module with two of its versions.
type publicModule struct {
	path, old, new string
	packages       string // that are measured, below its folder
	bench          string // pattern
	kind           string // what is special about it
	folder         string // of the module in its repository, empty for the top
	submodule      string // folder that becomes a submodule of git
	beside         []besideModule
}

// besideModule is another module of the same repository, of the same versions.
type besideModule struct {
	path, folder string
	young        bool // the earlier version does not need it
}

// publicModules are twenty of many kinds. The module proxy has no repositories: two commits are
// made of two versions, with the other modules of the repository that they name, and
// submodules where it says so.
var publicModules = []publicModule{
	{path: "github.com/google/btree", old: "v1.1.2", new: "v1.1.3", packages: ".", bench: "^Benchmark(InsertG|GetG)$", kind: "small"},
	{path: "github.com/cespare/xxhash/v2", old: "v2.2.0", new: "v2.3.0", packages: ".", bench: "^Benchmark(Sum64|DigestBytes)$", kind: "assembler"},
	{path: "github.com/tidwall/gjson", old: "v1.20.1", new: "v1.20.2", packages: ".", bench: "^Benchmark(Valid|ValidBytes)$", kind: "small"},
	{path: "github.com/valyala/fastjson", old: "v1.6.7", new: "v1.6.10", packages: ".", bench: "^Benchmark(ParseUint64|ArenaTypicalUse)$", kind: "test data, in parallel"},
	{path: "github.com/BurntSushi/toml", old: "v1.5.0", new: "v1.6.0", packages: ".", bench: "^Benchmark(Escapes|Key)$", kind: "many files of test data"},
	{path: "github.com/pelletier/go-toml/v2", old: "v2.4.2", new: "v2.4.3", packages: "./benchmark", bench: "^Benchmark(Unmarshal|Marshal)$/SimpleDocument", kind: "package of benchmarks"},
	{path: "github.com/klauspost/compress", old: "v1.20.3", new: "v1.20.4", packages: "./huff0", bench: "^BenchmarkDecompress1XTable$/(gettysburg|pngdata)", kind: "generated assembler, 48 MB"},
	{path: "golang.org/x/net", old: "v0.61.0", new: "v0.62.0", packages: "./html", bench: "^Benchmark(RawLevelTokenizer|LowLevelTokenizer)$", kind: "test data, generated tables"},
	{path: "golang.org/x/crypto", old: "v0.58.0", new: "v0.59.0", packages: "./blake2b", bench: "^Benchmark(Sum128|Sum1K)$", kind: "assembler"},
	{path: "github.com/gorilla/mux", old: "v1.8.0", new: "v1.8.1", packages: ".", bench: "^Benchmark(Mux|ManyPathVariables)$", kind: "small"},
	{path: "github.com/go-chi/chi/v5", old: "v5.4.0", new: "v5.5.0", packages: ".", bench: "^Benchmark(TreeGet|WalkXFF)$", kind: "many sub-benchmarks"},
	{path: "go.uber.org/zap", old: "v1.27.1", new: "v1.28.0", packages: ". ./zapcore", bench: "^Benchmark(BoolField|ZapJSON)$", kind: "two packages, dependencies"},
	{path: "github.com/rs/zerolog", old: "v1.35.0", new: "v1.35.1", packages: ".", bench: "^Benchmark(LogEmpty|Info)$", kind: "in parallel"},
	{path: "go.etcd.io/bbolt", old: "v1.4.3", new: "v1.5.0", packages: ". ./internal/freelist", bench: "(FreelistRelease10K|CreateBucketIfNotExists)$", kind: "long setups, writes files"},
	{path: "github.com/hashicorp/golang-lru/v2", old: "v2.0.6", new: "v2.0.7", packages: ".", bench: "^Benchmark(LRU|2Q)_Rand$", kind: "setups that grow with N"},
	{path: "gonum.org/v1/gonum", old: "v0.16.0", new: "v0.17.0", packages: "./floats", bench: "^Benchmark(MinMed|CumSumMed)$", kind: "19 MB, assembler, generated"},
	{path: "google.golang.org/protobuf", old: "v1.36.11", new: "v1.36.12", packages: "./proto", bench: "^BenchmarkEqualWith(LargeEmpty|DeeplyNestedEqual)$", kind: "generated code"},
	{path: "github.com/miekg/dns", old: "v1.1.72", new: "v1.1.73", packages: ".", bench: "^Benchmark(SplitLabels|PackDomainName)$", kind: "go generate, dependencies"},
	{path: "go.opentelemetry.io/otel/sdk", old: "v1.46.0", new: "v1.47.0", packages: "./resource ./trace", bench: "^Benchmark(MergeResource_4|SpanIDFromHex)$",
		kind: "nested module, replaces its neighbours", folder: "sdk",
		beside: []besideModule{{path: "go.opentelemetry.io/otel"}, {path: "go.opentelemetry.io/otel/trace", folder: "trace"}, {path: "go.opentelemetry.io/otel/metric", folder: "metric"}, {"go.opentelemetry.io/otel/log", "log", true}}},
	{path: "golang.org/x/image", old: "v0.47.0", new: "v0.48.0", packages: "./tiff", bench: "^Benchmark(DecodeCompressed|EncodeGray)$", kind: "test data in a submodule", submodule: "testdata"},
}

// side is what the program said of one measurement of a module.
type side struct {
	code, rounds           int
	took                   time.Duration
	paired, failed, doubts int    // series
	what                   string // the first failure or doubt, or the message
}

// TestPublicModules measures each module against itself and against an earlier version, and
// prints a table.
func TestPublicModules(t *testing.T) {
	if *modules == "" {
		return
	}
	var rows []string
	built, alarms, alarmed, series, tried := 0, 0, 0, 0, 0 // alarmed and series: of A/A
	for _, m := range publicModules {
		if *modules != "all" && !strings.Contains(m.path, *modules) {
			continue
		}
		tried++
		repo := m.repository(t)
		dir := filepath.Join(repo, m.folder)
		plain := m.plain(t, dir)
		same, before := m.measured(t, dir, "HEAD"), side{}
		if *modulesOlder {
			before = m.measured(t, dir, "HEAD~1")
		}
		if same.paired > 0 && (before.paired > 0 || !*modulesOlder) {
			built++
		}
		if same.code == clitest.ExitNegative {
			alarms++
		}
		alarmed, series = alarmed+same.failed, series+same.paired
		row := fmt.Sprintf("| %s | %s | %s to %s | %d | %s | %s | %s, %s | %d, %d | %s |", m.path, m.kind, m.old, m.new, same.paired,
			minutes(plain), same.text(), minutes(same.took), minutes(before.took), same.rounds, before.rounds, before.text())
		rows = append(rows, row)
		t.Log(row)
		if err := os.RemoveAll(repo); err != nil {
			t.Error(err)
		}
	}
	t.Logf("\n| module | kind | versions | series | go test -count 6, min | against itself | bench run, min | rounds | against the earlier version |\n|---|---|---|---|---|---|---|---|---|\n%s\n", strings.Join(rows, "\n"))
	t.Logf("%d of %d measured unprepared; false alarms: %d modules of %d, %d series of %d", built, tried, alarms, tried, alarmed, series)
}

func minutes(d time.Duration) string { return fmt.Sprintf("%.1f", d.Minutes()) }

// text returns the verdict with what was the first to be said.
func (s side) text() string {
	word := map[int]string{clitest.ExitDone: "pass", clitest.ExitNegative: "regression", clitest.ExitInconclusive: "undecided", clitest.ExitNothing: "nothing to compare"}[s.code]
	if word == "" {
		word = fmt.Sprintf("exit code %d", s.code)
	}
	if s.failed+s.doubts > 0 {
		word += fmt.Sprintf(" (%d failed, %d in doubt)", s.failed, s.doubts)
	}
	if s.what != "" {
		word += ": " + strings.NewReplacer("|", "/", "\n", " ").Replace(s.what[:min(200, len(s.what))])
	}
	return word
}

// download returns the folder of a version in the cache of modules.
func download(t *testing.T, module, version string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v: %s", module, version, err, out)
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil || got.Dir == "" {
		t.Fatalf("%s %s: %v: %s", module, version, err, out)
	}
	return got.Dir
}

// repository makes two commits of the two versions, in a repository of their own.
func (m *publicModule) repository(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	repo := filepath.Join(top, "repo")
	if err := os.Mkdir(repo, 0o755); err != nil {
		t.Fatal(err)
	}
	gitIn(t, repo, "init", "-q", "-b", "main")
	data := ""
	for i, version := range []string{m.old, m.new} {
		entries, err := os.ReadDir(repo)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != ".git" && (m.submodule == "" || i == 0) {
				if err := os.RemoveAll(filepath.Join(repo, e.Name())); err != nil {
					t.Fatal(err)
				}
			}
		}
		parts := slices.Concat([]besideModule{{path: m.path, folder: m.folder}}, m.beside)
		slices.SortFunc(parts, func(a, b besideModule) int { return len(a.folder) - len(b.folder) })
		for _, part := range parts {
			if part.young && i == 0 {
				continue
			}
			copyTree(t, download(t, part.path, version), filepath.Join(repo, part.folder), m.submodule)
		}
		if m.submodule != "" && i == 0 {
			data = filepath.Join(top, "data")
			copyTree(t, filepath.Join(download(t, m.path, m.new), m.submodule), data, "")
			gitIn(t, data, "init", "-q", "-b", "main")
			gitIn(t, data, "add", "-A", "-f")
			gitIn(t, data, "commit", "-qm", "data")
			gitIn(t, repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", data, m.submodule)
		}
		gitIn(t, repo, "add", "-A", "-f")
		gitIn(t, repo, "commit", "-qm", version)
	}
	return repo
}

// copyTree copies a folder of the cache of modules, where nothing can be written, but for what
// lies below one name of its top.
func copyTree(t *testing.T, from, to, without string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if without != "" && path.Clean(rest) == without {
			return fs.SkipDir
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rest), 0o755)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rest), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// plain takes the time of go test -count 6.
func (m *publicModule) plain(t *testing.T, dir string) time.Duration {
	t.Helper()
	if !*modulesPlain {
		return 0
	}
	begin := time.Now()
	cmd := exec.Command("go", append([]string{"test", "-run", "^$", "-bench", m.bench, "-benchmem", "-count", "6"}, strings.Fields(m.packages)...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("%s: go test: %v\n%.2000s", m.path, err, out)
	}
	return time.Since(begin)
}

// measured runs bench run with its gate.
func (m *publicModule) measured(t *testing.T, dir, base string) (s side) {
	t.Helper()
	begin := time.Now()
	cmd := exec.Command(os.Args[0], append([]string{"bench", "run", "--base", base, "--all", "--gate", "--json", "--bench", m.bench, "--benchtime", *modulesTime, "--budget", *modulesBudget,
		"--db", filepath.Join(t.TempDir(), "none.db")}, strings.Fields(m.packages)...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), clitest.AsProgram+"=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	s.took, s.code = time.Since(begin), cmd.ProcessState.ExitCode()
	t.Logf("%s against %s: exit code %d in %s\n%.3000s", m.path, base, s.code, s.took.Round(time.Second), errs.String())
	for s.rounds = 0; strings.Contains(errs.String(), fmt.Sprintf("round %d of ", s.rounds+1)); s.rounds++ {
	}
	type finding struct{ Name, Unit, Reason string }
	var r struct {
		Failures, Doubts []finding
		Paired           int
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		s.what = lines[len(lines)-1]
		return s
	}
	s.paired, s.failed, s.doubts = r.Paired, len(r.Failures), len(r.Doubts)
	for _, f := range slices.Concat(r.Failures, r.Doubts) {
		t.Logf("  %s %s: %s", f.Name, f.Unit, f.Reason)
	}
	if all := slices.Concat(r.Failures, r.Doubts); len(all) > 0 {
		s.what = all[0].Name + " " + all[0].Unit + " " + all[0].Reason
	}
	return s
}
