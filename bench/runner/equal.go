package runner

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// leaveOutEqual removes from both sides the packages whose binaries are equal and whose benchmarks
// read nothing that differs, and returns their names. What they read, a short run on the base
// shows, whatever the names of the files are. A package is measured, too, where git knows data in
// its folder, or below it, to have changed.
func (o *Options) leaveOutEqual(ctx context.Context, base, head *side, commit string) ([]string, error) {
	commits := []string{commit}
	if o.Head != "" {
		commits = append(commits, "HEAD") // of the worktree in which it is checked out
	}
	t, err := pairOf(ctx, base.dir, head.dir, commits...)
	if err != nil {
		return nil, err
	}
	o.unbuilt(ctx, head, t)
	for _, rel := range t.data {
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
	for _, pkg := range slices.Sorted(maps.Keys(head.binaries)) {
		b := head.binaries[pkg]
		if !equal(b, base.binaries[pkg]) {
			continue
		}
		if path := t.reads(ctx, o, base.binaries[pkg]); path != "" {
			o.differs(b, path)
		}
	}
	return leaveOut(base, head), ctx.Err()
}

// unbuilt warns of changed files that the build leaves out, for another platform or behind a tag.
func (o *Options) unbuilt(ctx context.Context, head *side, t *treePair) {
	const ignored = `{{$dir := .Dir}}{{range .IgnoredGoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{range .IgnoredOtherFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}`
	text, err := head.tree.goCommand(ctx, append([]string{"list", "-e", "-f", ignored}, o.Packages...)...)
	if err != nil {
		return
	}
	var out []string
	for line := range strings.Lines(text) {
		file := strings.TrimSuffix(line, "\n")
		rel, err := below(head.dir, file)
		if code, _ := os.ReadFile(file); err == nil && slices.Contains(t.changed, rel) && !program.Match(code) {
			out = append(out, rel)
		}
	}
	if n := len(out); n > 3 {
		out = append(out[:3], fmt.Sprintf("%d others", n-3))
	}
	if len(out) > 0 {
		o.warn("not measured, since the build leaves it out here: the change of %s (GOFLAGS=-tags=NAME takes files behind a tag)", strings.Join(out, ", "))
	}
}

// program finds files that are in no build: programs for go run.
var program = regexp.MustCompile(`(?m)^//go:build ignore\s*$`)

// noData reports of a file, by its path from the module's folder, that no benchmark is to be
// measured because it changed, unless it is seen to be read.
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

// leaveOut removes the packages whose binaries and data are equal on both sides, and names them:
// their benchmarks cannot differ.
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
