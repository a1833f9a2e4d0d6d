package runner

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// leaveOutEqual does what leaveOut does, except for packages whose data git knows to have
// changed. Data are files other than Go and documents, in the package's folder or below it, or
// elsewhere in the repository if the benchmarks open them. A benchmark may read them whether or
// not their folder is called testdata.
func (o *Options) leaveOutEqual(ctx context.Context, base, head *side, commit string) ([]string, error) {
	args := []string{"diff", "--name-only", "--no-renames", "-z", commit}
	if o.Head != "" {
		args = append(args, "HEAD") // of the worktree in which it is checked out
	}
	text, err := Repo{Dir: head.dir}.git(ctx, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	root, err := Repo{Dir: head.dir}.Root(ctx)
	if err != nil {
		return nil, err
	}
	inside, err := below(root, head.dir)
	if err != nil {
		return nil, err
	}
	var data []string
	for path := range strings.SplitSeq(text, "\x00") {
		rel, err := filepath.Rel(inside, filepath.FromSlash(path))
		if path == "" || err != nil || noData(filepath.ToSlash(rel)) {
			continue
		}
		data = append(data, rel)
		// The package is that of the nearest folder above the file that has one.
		for dir := filepath.Dir(filepath.Join(head.dir, rel)); !strings.HasPrefix(rel, ".."); dir = filepath.Dir(dir) {
			for pkg, b := range head.binaries {
				if b.dir == dir && equal(b, base.binaries[pkg]) {
					o.differs(b, rel)
				}
			}
			if found, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(found) > 0 || dir == head.dir || dir == filepath.Dir(dir) {
				break
			}
		}
	}
	limited, stop := context.WithTimeout(ctx, patienceOfAll)
	defer stop()
	for _, pkg := range slices.Sorted(maps.Keys(head.binaries)) {
		b := head.binaries[pkg]
		if len(data) == 0 || !equal(b, base.binaries[pkg]) {
			continue
		}
		if path := b.reads(limited, o, head.dir, data); path != "" {
			o.differs(b, path)
		}
	}
	return leaveOut(base, head), ctx.Err()
}

// noData reports of a file, by its path from the module's folder, that no benchmark is to be
// measured because it changed.
func noData(path string) bool {
	name := filepath.Base(path)
	for strings.HasPrefix(path, "../") {
		path = strings.TrimPrefix(path, "../")
	}
	parts := strings.Split(path, "/")
	top := len(parts) == 1
	return slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, ".") }) || parts[0] == "docs" ||
		slices.Contains([]string{".go", ".md", ".rst", ".mod", ".sum", ".work"}, filepath.Ext(name)) ||
		top && (!strings.Contains(name, ".") || slices.Contains([]string{".yml", ".yaml", ".toml", ".lock"}, filepath.Ext(name))) ||
		strings.HasSuffix(name, "file") || name == strings.ToUpper(name) && !strings.Contains(name, ".")
}

func equal(b, other *binary) bool { return other != nil && other.sum == b.sum }

// differs notes that a package is measured though the binaries are equal.
func (o *Options) differs(b *binary, path string) {
	o.Say("%s: measured, since %s changed, which it may read", b.pkg, path)
	b.sum += " " + path
}

// patienceOfReads is how long the benchmarks of a package, and those of all of them, are run to
// see which files they open; where they take longer they are measured.
const patienceOfReads, patienceOfAll = 20 * time.Second, 2 * time.Minute

// reads returns which of the files, by their paths from a folder, the benchmarks of a package
// open, or list the folder of, when each is run for one iteration; "" for none.
func (b *binary) reads(ctx context.Context, o *Options, dir string, files []string) string {
	limited, stop := context.WithTimeout(ctx, patienceOfReads)
	defer stop()
	log := b.path + ".log"
	defer os.Remove(log)
	pattern := tops(o.Bench)
	_, failed := output(limited, b.dir, b.path, b.with("-test.run=^$", "-test.bench="+pattern, "-test.benchtime=1x", "-test.testlogfile="+log)...)
	text, err := os.ReadFile(log)
	if limited.Err() != nil || failed != nil && err != nil {
		return files[0]
	}
	for _, path := range opened(b.dir, string(text)) {
		rel, err := below(dir, path)
		for _, file := range files {
			if err == nil && (rel == file || rel == filepath.Dir(file)) {
				return file
			}
		}
	}
	return ""
}

// leaveOut removes the packages whose binaries and testdata are equal on both sides, and
// names them: their benchmarks cannot differ.
func leaveOut(base, head *side) []string {
	var same []string
	for _, pkg := range slices.Sorted(maps.Keys(base.binaries)) {
		if other := head.binaries[pkg]; other != nil && other.sum == base.binaries[pkg].sum {
			same = append(same, pkg)
			delete(base.binaries, pkg)
			delete(head.binaries, pkg)
		}
	}
	return same
}
