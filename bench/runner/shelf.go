package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// shelf keeps the test binaries of a measurement that was interrupted in the
// repository's git folder, so that the same command does not build them again. The
// name of a file says what is in the binary. A nil shelf keeps nothing.
type shelf struct {
	dir   string
	built map[string]string // paths of the binaries of this measurement, by key
}

// openShelf finds the place. Where the module is in no repository there is none: nil.
func openShelf(ctx context.Context, o *Options) *shelf {
	dir, err := o.keeping(ctx)
	if err != nil {
		return nil
	}
	return &shelf{dir: dir, built: map[string]string{}}
}

// compiled is what go list tells of a package.
type compiled struct {
	ImportPath, BuildID string
	Deps                []string
}

// keys compiles packages and their tests, into go's own cache, and tells what their
// test binaries are made of. A package that does not compile has no key: building it
// says why.
func (s *shelf) keys(ctx context.Context, t *tree, packages []string, o *Options) map[string]string {
	keys := map[string]string{}
	if s == nil || len(packages) == 0 {
		return keys
	}
	args := append([]string{"list", "-e", "-test", "-deps", "-export", "-json=ImportPath,BuildID,Deps", "-trimpath", "-buildvcs=false"}, packages...)
	text, err := output(ctx, t.dir, "go", args...)
	if err != nil {
		return keys
	}
	env, err := output(ctx, t.dir, "go", "env", "GOVERSION", "GOFLAGS", "CGO_ENABLED", "CGO_LDFLAGS", "CC", "GOOS", "GOARCH")
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

func (s *shelf) path(key string) string { return filepath.Join(s.dir, key+".test") }

// take puts the binary of a key at a path, if it is there.
func (s *shelf) take(key, to string) bool {
	if s == nil || key == "" {
		return false
	}
	return copyFile(s.path(key), to) == nil
}

// add notes a binary that was built, or taken.
func (s *shelf) add(key, path string) {
	if s != nil && key != "" {
		s.built[key] = path
	}
}

// any tells whether an interrupt would leave something.
func (s *shelf) any() bool { return s != nil && len(s.built) > 0 }

// end keeps the binaries; or it removes those that are kept, unless there are rounds
// of another measurement, which may go on with them.
func (s *shelf) end(keep bool) error {
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
			return nil // a repository that cannot be written is measured all the same
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
