package runner

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// binary is the test binary of one package on one side.
type binary struct {
	pkg  string // import path
	dir  string // the package's folder, in which it runs
	path string
	sum  string // digest of the file, and of the package's testdata
}

// build makes the test binaries of the packages that have tests. Paths are trimmed and no
// git information is added, so that equal sources give equal binaries wherever they lie. A
// named package that is missing is an error on the new side only: the old side may not have
// had it yet.
func build(ctx context.Context, t *tree, packages []string, to string, old bool, o *Options) (map[string]*binary, error) {
	args := []string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"}
	if old {
		args = append(args, "-e")
	}
	args = append(args, packages...)
	list, err := output(ctx, t.dir, "go", args...)
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
	binaries := map[string]*binary{}
	name := strings.TrimSuffix(filepath.Base(to), "-binaries")
	o.Say("building %s: the test binary of each package with benchmarks%s", name, o.twice())
	var withBenchmarks []*binary
	var names []string
	for line := range strings.Lines(list) {
		pkg, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		has, err := hasBenchmarks(dir)
		if err != nil {
			return nil, err
		}
		if has {
			path := filepath.Join(to, fmt.Sprintf("%d.test%s", len(names), suffix))
			withBenchmarks, names = append(withBenchmarks, &binary{pkg: pkg, dir: dir, path: path}), append(names, pkg)
		}
	}
	keys := o.shelf.keys(ctx, t, names, o)
	for _, b := range withBenchmarks {
		if o.shelf.take(keys[b.pkg], b.path) {
			o.Say("%s (%s) was built before the interrupt", b.pkg, name)
		} else {
			o.Say("building %s (%s)", b.pkg, name)
			if err := b.make(ctx, t, o); err != nil {
				return nil, err
			}
		}
		o.shelf.add(keys[b.pkg], b.path)
		if b.sum, err = sum(b); err != nil {
			return nil, err
		}
		binaries[b.pkg] = b
	}
	return binaries, nil
}

// make builds the binary. Linker flags in the user's GOFLAGS are kept. If the code cannot
// be laid out in another order, it is built as usual.
func (b *binary) make(ctx context.Context, t *tree, o *Options) error {
	args := []string{"test", "-c", "-trimpath", "-buildvcs=false", "-o", b.path}
	if o.Layout != 0 && !strings.Contains(os.Getenv("GOFLAGS"), "-ldflags") {
		laid := append(slices.Clone(args), fmt.Sprintf("-ldflags=-randlayout=%d", o.Layout), b.pkg)
		if _, err := output(ctx, t.dir, "go", laid...); err == nil || ctx.Err() != nil {
			return err
		}
	}
	_, err := output(ctx, t.dir, "go", append(args, b.pkg)...)
	return err
}

// hasBenchmarks looks for benchmarks in a folder's test files, so that what has
// none is not built.
func hasBenchmarks(dir string) (bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return false, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		if bytes.Contains(text, []byte("\nfunc Benchmark")) {
			return true, nil
		}
	}
	return false, nil
}

// benchmarks lists the top-level benchmarks of a binary that a pattern selects.
func (b *binary) benchmarks(ctx context.Context, pattern string) ([]string, error) {
	text, err := output(ctx, b.dir, b.path, "-test.list="+tops(pattern))
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(text) {
		if name := strings.TrimSpace(line); strings.HasPrefix(name, "Benchmark") {
			names = append(names, name)
		}
	}
	return names, nil
}

// sum digests what a benchmark's work depends on: the binary and the files of the
// package's folder testdata.
func sum(b *binary) (string, error) {
	h := sha256.New()
	add := func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(h, f)
		return errors.Join(err, f.Close())
	}
	if err := add(b.path); err != nil {
		return "", err
	}
	root := filepath.Join(b.dir, "testdata")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
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
		return add(path)
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// twin copies a binary to another path.
func (b *binary) twin(path string) (*binary, error) {
	text, err := os.ReadFile(b.path)
	if err != nil {
		return nil, err
	}
	other := *b
	other.path = path
	return &other, os.WriteFile(path, text, 0o755)
}
