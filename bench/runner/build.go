package runner

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// binary is the test binary of one package on one side.
type binary struct {
	pkg  string // import path
	dir  string // the package's folder, in which it runs
	path string
	sum  [sha256.Size]byte
}

// build makes the test binaries of the packages that have tests. Paths are
// trimmed and nothing of git is stamped, so that equal sources give equal
// binaries wherever they lie.
func build(ctx context.Context, t *tree, packages []string, to string) (map[string]*binary, error) {
	args := append([]string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"}, packages...)
	list, err := output(ctx, t.dir, "go", args...)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, err
	}
	binaries := map[string]*binary{}
	for line := range strings.Lines(list) {
		pkg, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		has, err := hasBenchmarks(dir)
		if err != nil || !has {
			if err != nil {
				return nil, err
			}
			continue
		}
		b := &binary{pkg: pkg, dir: dir, path: filepath.Join(to, fmt.Sprintf("%d.test", len(binaries)))}
		if _, err := output(ctx, t.dir, "go", "test", "-c", "-trimpath", "-buildvcs=false", "-o", b.path, pkg); err != nil {
			return nil, err
		}
		if b.sum, err = fileSum(b.path); err != nil {
			return nil, err
		}
		binaries[pkg] = b
	}
	return binaries, nil
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

func fileSum(path string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	copy(sum[:], h.Sum(nil))
	return sum, errors.Join(err, f.Close())
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
