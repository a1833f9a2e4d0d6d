package runner

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// binary is the test binary of one package on one side.
type binary struct {
	pkg  string // import path
	dir  string // the package's folder, in which it runs
	path string
	sum  string   // digest of the file with trimmed paths, and of the package's testdata
	size int64    // of the file with trimmed paths
	tree *tree    // in which it was built
	args []string // the user's own, for whatever it does
	vet  error    // why vet refuses it, on the new side
}

// build makes the test binaries of the packages that have tests. Paths are trimmed and no
// git information is added, so that equal sources give equal binaries wherever they lie; tests
// that ask for their paths run in binaries that have them. A
// named package that is missing is an error on the new side only: the old side may not have
// had it yet.
func build(ctx context.Context, t *tree, packages []string, to string, old bool, o *Options) (map[string]*binary, error) {
	list, err := t.list(ctx, packages, old)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, err
	}
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	if err := t.beside(ctx, packages, to); err != nil {
		return nil, err
	}
	binaries := map[string]*binary{}
	name := strings.TrimSuffix(filepath.Base(to), "-binaries")
	o.Say("building %s: the test binary of each package with benchmarks%s", name, o.twice())
	var withBenchmarks []*binary
	var names []string
	for line := range strings.Lines(list) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) < 3 {
			continue
		}
		pkg, dir, files := fields[0], fields[1], strings.FieldsFunc(fields[2], func(r rune) bool { return r == '/' })
		for i, file := range files {
			files[i] = filepath.Join(dir, file)
		}
		if len(files) == 0 { // the go command cannot load it
			if files, err = filepath.Glob(filepath.Join(dir, "*_test.go")); err != nil {
				return nil, err
			}
		}
		if slices.ContainsFunc(files, hasBenchmarks) {
			path := filepath.Join(to, fmt.Sprintf("%d.test%s", len(names), suffix))
			withBenchmarks, names = append(withBenchmarks, &binary{pkg: pkg, dir: dir, path: path, tree: t, args: t.arguments(o)}), append(names, pkg)
		}
	}
	var flags []string
	if old {
		flags = append(flags, "-vet=off") // what vet says of the old side, the change may mend
	}
	keys, asks := o.binaries.keys(ctx, t, names, o), t.asking(ctx, names)
	for _, b := range withBenchmarks {
		if asks(b.dir) {
			delete(keys, b.pkg)
		}
		if o.binaries.take(keys[b.pkg], b.path) {
			o.Say("%s (%s) is built already, by an earlier measurement", b.pkg, name)
		} else {
			o.Say("building %s (%s)", b.pkg, name)
			err := b.make(ctx, t, o, append(flags, "-trimpath")...)
			if err != nil && !old && b.make(ctx, t, o, "-vet=off", "-trimpath") == nil {
				b.vet, err = err, nil
				delete(keys, b.pkg)
			}
			if err != nil {
				err = fmt.Errorf("%s%s", err, t.hint(ctx, b.dir))
				if o.fail(ctx, name, b.pkg, "", fmt.Errorf("%s: %s: %w", name, b.pkg, err)) {
					continue
				}
				return nil, err
			}
		}
		o.binaries.add(keys[b.pkg], b.path)
		if b.sum, b.size, err = sum(b); err != nil {
			return nil, err
		}
		if asks(b.dir) {
			with := flags
			if b.vet != nil {
				with = []string{"-vet=off"}
			}
			if err := b.make(ctx, t, o, with...); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, b.pkg, err)
			}
		}
		binaries[b.pkg] = b
	}
	return binaries, nil
}

// asking reports for packages, by their folders, whether their tests may ask where source lies, as
// those do that find data by it: the package or one of the repository that it is built of asks.
func (t *tree) asking(ctx context.Context, packages []string) func(dir string) bool {
	none := func(string) bool { return false }
	root, inside, err := t.repository(ctx)
	if err != nil {
		return none
	}
	text, err := Repo{Dir: root}.git(ctx, "grep", "--untracked", "-lzF", "runtime.Caller(", "--", "*.go", ":!*vendor/*")
	if err != nil {
		return none // git grep found none
	}
	var own, finders []string // folders
	for file := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
		dir := filepath.Dir(filepath.FromSlash(file))
		if own = append(own, dir); !strings.HasSuffix(file, "_test.go") {
			finders = append(finders, dir)
		}
	}
	if len(finders) > 0 {
		text, err := t.goCommand(ctx, append([]string{"list", "-e", "-deps", "-test", "-f", "{{if not .Standard}}{{.ImportPath}}\t{{.Dir}}\t{{join .Deps \"\\t\"}}{{end}}"}, packages...)...)
		if err != nil {
			return func(string) bool { return true }
		}
		finding := map[string]bool{} // import paths; dependencies come first
		for line := range strings.Lines(text) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			rel, ok := inside(fields[1])
			if finding[fields[0]] = ok && slices.Contains(finders, rel); strings.HasSuffix(fields[0], ".test") && slices.ContainsFunc(fields[2:], func(path string) bool { return finding[path] }) {
				own = append(own, rel)
			}
		}
	}
	return func(dir string) bool {
		rel, ok := inside(dir)
		return ok && slices.Contains(own, rel)
	}
}

// make builds the binary. Linker flags in the user's GOFLAGS are kept. If the code cannot
// be laid out in another order, it is built as usual.
func (b *binary) make(ctx context.Context, t *tree, o *Options, flags ...string) error {
	args := append([]string{"test", "-c", "-buildvcs=false", "-o", b.path}, flags...)
	if o.Layout != 0 && !strings.Contains(os.Getenv("GOFLAGS"), "-ldflags") {
		laid := append(slices.Clone(args), fmt.Sprintf("-ldflags=-randlayout=%d", o.Layout), b.pkg)
		if _, err := t.goCommand(ctx, laid...); err == nil || ctx.Err() != nil {
			return err
		}
	}
	_, err := t.goCommand(ctx, append(args, b.pkg)...)
	return err
}

// hasBenchmarks reports whether a file of tests has benchmarks, so that what has none is not built.
func hasBenchmarks(file string) bool { return hasBenchmark(file, regexp.MustCompile("")) }

// declared finds the benchmarks that a file declares, behind what quoted finds: comments and literals.
var (
	declared = regexp.MustCompile(`(?m)^[ \t]*func\s+(Benchmark(?:[^\p{Ll}\s(][\pL\pN_]*)?)(?:[\s(]|$)`)
	quoted   = regexp.MustCompile("(?s)/\\*.*?\\*/|//[^\n]*|`[^`]*`|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'")
)

// hasBenchmark reports whether a file of tests has a benchmark with such a name, or cannot be read.
func hasBenchmark(file string, name *regexp.Regexp) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return true
	}
	for _, m := range declared.FindAllSubmatch(quoted.ReplaceAll(text, nil), -1) {
		if name.Match(m[1]) {
			return true
		}
	}
	return false
}

// with returns arguments for the binary, the user's own behind them.
func (b *binary) with(args ...string) []string { return slices.Concat(args, b.args) }

// benchmarks lists the top-level benchmarks of a binary that a pattern selects.
func (b *binary) benchmarks(ctx context.Context, pattern string) ([]string, error) {
	text, err := outputWith(ctx, b.tree.env, b.dir, b.path, b.with("-test.list="+tops(pattern))...)
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(text) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "Benchmark") && !strings.ContainsAny(name, " \t") {
			names = append(names, name)
		}
	}
	return names, nil
}

// run runs a part of a sample of the benchmark of top level that is named.
func (b *binary) run(ctx context.Context, top string, p part, args []string) (*printed, error) {
	log := b.path + ".log"
	if p.logged {
		args = append(args, "-test.testlogfile="+log)
		defer os.Remove(log)
	}
	cmd := command(ctx, b.tree.env, b.dir, b.path, b.with(args...)...)
	var out stamps
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Run()
	if err == nil && regexp.MustCompile(`(?m)^--- FAIL: `+regexp.QuoteMeta(top)+`[-/\s]`).Match(out.text.Bytes()) {
		err = errors.New("it failed, though its program ended without a failure")
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		err = said(cmd, err, out.text.String(), errs.String())
		if opened, _ := os.ReadFile(log); len(opened) > 0 {
			if list := b.tree.missing(ctx, b.dir, string(opened)); len(list) > 0 {
				err = fmt.Errorf("%w\n%s", err, lacking(list))
			}
		}
		return nil, fmt.Errorf("%s: %w", top, err)
	}
	opened, _ := os.ReadFile(log) // none if the program ends by itself, or if none was asked for
	lines := listener{top: top}
	var text strings.Builder
	for line := range strings.Lines(strings.TrimRight(out.text.String(), "\n") + "\n") {
		if heard := lines.hear(line); len(heard) < 32<<10 { // x/perf's reader ends at 64 KiB
			text.WriteString(heard)
		}
	}
	if name := lines.twice(p.Count); name != "" {
		return nil, fmt.Errorf("%s prints lines that look like its results, and cannot be told from them", name)
	}
	return &printed{
		opened: string(opened), unheard: lines.unheard(), empty: lines.empty,
		text: text.String(), walls: out.walls(top, began), wall: time.Since(began),
		cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
	}, nil
}

// sum digests what a benchmark's work depends on: the binary, whose size it returns too, and
// the files of the package's folder testdata.
func sum(b *binary) (digest string, size int64, err error) {
	h := sha256.New()
	add := func(path string) (n int64, err error) {
		f, err := os.Open(path)
		if err != nil {
			return 0, err
		}
		n, err = io.Copy(h, f)
		return n, errors.Join(err, f.Close())
	}
	if size, err = add(b.path); err != nil {
		return "", 0, err
	}
	root := filepath.Join(b.dir, "testdata")
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if path == root && errors.Is(err, fs.ErrNotExist) {
			return fs.SkipAll
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "\x00%s %v\x00", strings.TrimPrefix(path, root), e.Type())
		if !e.Type().IsRegular() {
			return nil
		}
		_, err = add(path)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// twin copies a binary to another path.
func (b *binary) twin(path string) (*binary, error) {
	other := *b
	other.path = path
	return &other, copyFile(b.path, path)
}

// binaryCache keeps the test binaries of a measurement that was interrupted in the
// repository's git folder, so that the same command does not build them again. The
// name of a file says what is in the binary. A nil binaryCache keeps nothing.
type binaryCache struct {
	dir   string
	built map[string]string // paths of the binaries of this measurement, by key
}

// openBinaryCache finds the place. Where the module is in no repository there is none: nil.
func openBinaryCache(ctx context.Context, o *Options) *binaryCache {
	dir, err := o.keeping(ctx)
	if err != nil {
		return nil
	}
	return &binaryCache{dir: dir, built: map[string]string{}}
}

// compiled is what go list tells of a package.
type compiled struct {
	ImportPath, BuildID string
	Deps                []string
}

// keys compiles packages and their tests, into go's own cache, and tells what their
// test binaries are made of. A package that does not compile has no key: building it
// says why.
func (s *binaryCache) keys(ctx context.Context, t *tree, packages []string, o *Options) map[string]string {
	keys := map[string]string{}
	if s == nil || len(packages) == 0 || t.c { // what C links to is no part of a key
		return keys
	}
	args := append([]string{"list", "-e", "-test", "-deps", "-export", "-json=ImportPath,BuildID,Deps", "-trimpath", "-buildvcs=false"}, packages...)
	text, err := t.goCommand(ctx, args...)
	if err != nil {
		return keys
	}
	env, err := t.goCommand(ctx, "env", "GOVERSION", "GOFLAGS", "CGO_ENABLED", "CGO_LDFLAGS", "CC", "GOOS", "GOARCH")
	if err != nil {
		return keys
	}
	all := map[string]compiled{}
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var c compiled
		if d.Decode(&c) != nil {
			break
		}
		all[c.ImportPath] = c
	}
	for _, pkg := range packages {
		main := all[pkg+".test"]
		h := sha256.New()
		fmt.Fprintf(h, "%s\n%d %s\n", env, o.Layout, main.BuildID)
		whole := main.BuildID != ""
		for _, d := range slices.Sorted(slices.Values(main.Deps)) {
			fmt.Fprintf(h, "%s %s\n", d, all[d].BuildID)
			whole = whole && (all[d].BuildID != "" || d == "unsafe")
		}
		if whole {
			keys[pkg] = hex.EncodeToString(h.Sum(nil)[:16])
		}
	}
	return keys
}

func (s *binaryCache) path(key string) string { return filepath.Join(s.dir, key+".test") }

// take puts the binary of a key at a path, if it is there.
func (s *binaryCache) take(key, to string) bool {
	if s == nil || key == "" {
		return false
	}
	return copyFile(s.path(key), to) == nil
}

// add notes a binary that was built, or taken.
func (s *binaryCache) add(key, path string) {
	if s != nil && key != "" {
		s.built[key] = path
	}
}

// any reports whether an interrupt would leave finished work.
func (s *binaryCache) any() bool { return s != nil && len(s.built) > 0 }

// end keeps the binaries; or it removes those that are kept, unless there are rounds
// of another measurement, which may go on with them.
func (s *binaryCache) end(keep bool) error {
	if s == nil {
		return nil
	}
	defer os.Remove(s.dir) // unless something is kept in it
	if !keep {
		rounds, _ := filepath.Glob(filepath.Join(s.dir, "*.jsonl"))
		files, _ := filepath.Glob(filepath.Join(s.dir, "*.test*"))
		for _, file := range files {
			if len(rounds) == 0 {
				_ = os.Remove(file) // a later measurement tries again
			}
		}
		return nil
	}
	var errs []error
	for key, path := range s.built {
		if _, err := os.Stat(s.path(key)); err == nil {
			continue
		}
		if err := os.MkdirAll(s.dir, 0o755); err != nil {
			return nil // a repository that cannot be written can be measured too
		}
		// Whole or not at all: what is cut off must not be taken for a binary.
		if err := copyFile(path, s.path(key)+".part"); err != nil {
			errs = append(errs, os.Remove(s.path(key)+".part"))
			continue
		}
		errs = append(errs, os.Rename(s.path(key)+".part", s.path(key)))
	}
	return errors.Join(errs...)
}

// copyFile copies a program.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
