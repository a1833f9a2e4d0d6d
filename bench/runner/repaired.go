package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sakusen/bench"
)

// What fails on the old side alone may fail by its own fault, and the change repairs it; or by
// chance; or because a worktree lacks what the checkout has, in which the new side is measured.
// So it is tried again, and the new side is checked out as the old one was and tried there.

// mistaken finds what the go command and the compiler say of code that no machine builds, and unbuilt what
// they say where this machine is why: it lacks a newer Go, a module, a C compiler, memory or space.
// lack finds mistakes that code has, too, where files that git does not have are missing.
var (
	mistaken = regexp.MustCompile(`(?m)^\S+\.(?:go|mod|work|sum|s|c|h):\d+|import cycle not allowed|inconsistent vendoring|missing go\.sum entry|updates to go\.mod needed|errors parsing |found packages `)
	unbuilt  = regexp.MustCompile(`--prepare: |requires go >= |toolchain not available|download go1\.|: reading |: dial |: module lookup disabled|unrecognized import path|unknown revision|no secure protocol|git (?:ls-remote|fetch|init|clone)|terminal prompts|SECURITY ERROR|checksum mismatch|` +
		`replacement directory|pkg/mod/|@v\d|signal: |internal compiler error|no space left|cannot allocate|out of memory|too many open files|C compiler|exec: `)
	lack = regexp.MustCompile(`undefined|no such file|no matching files|cannot find|no required module|is not in std|build constraints|no Go files`)
)

// faulty reports whether a package that is not built, of what is said, has only its own code to blame.
func faulty(said string) bool {
	return mistaken.MatchString(said) && !unbuilt.MatchString(said) && !strings.Contains(said, "lacks the submodule ") && !(strings.Contains(said, "the worktree lacks ") && lack.MatchString(said))
}

// needsC reports whether a commit has code that is left out here, where cgo is off.
func (r Repo) needsC(ctx context.Context, commit string) bool {
	if on, err := output(ctx, r.Dir, "go", "env", "CGO_ENABLED"); err != nil || on != "0" {
		return false
	}
	_, err := r.git(ctx, "grep", "-qF", `import "C"`, commit, "--", "*.go")
	return err == nil
}

// tellRepaired notes which of the failures of the old side the change repairs.
func (r *Result) tellRepaired(ctx context.Context, o *Options, base *side, temp string) error {
	var open []*Failure
	for i := range r.Failed {
		f := &r.Failed[i]
		if f.Side != "base" || f.late || r.onHead(f.Pkg, f.Benchmark) {
			continue
		}
		if b := base.binaries[f.Pkg]; b == nil && (!f.faulty || Repo{Dir: o.Dir}.needsC(ctx, r.BaseCommit)) || b != nil && b.tries(ctx, o, f.Benchmark) { // not the second time
			continue
		}
		f.Repaired = o.Head != "" // that side is a worktree too, and does not fail
		open = append(open, f)
	}
	if len(open) == 0 || o.Head != "" || ctx.Err() != nil {
		return ctx.Err()
	}
	o.Say("running the new side in a worktree, like the old one: benchmarks that do not fail there are repaired")
	var t *tree
	commit, err := Repo{Dir: o.Dir}.snapshot(ctx, temp)
	if err == nil {
		t, err = o.checkout(ctx, commit, temp, "again")
	}
	if err != nil {
		o.warn("it is not known whether the change repairs the failures of the old side: %v", err)
		return ctx.Err()
	}
	defer func() { _ = t.remove() }() // what stays of it is in the temporary folder
	tried := map[string]*binary{}
	for _, f := range open {
		b, there := tried[f.Pkg]
		if !there {
			b = t.binary(ctx, o, f.Pkg, filepath.Join(temp, "again.test"))
			tried[f.Pkg] = b
		}
		if f.Repaired = b != nil && b.tries(ctx, o, f.Benchmark); !f.Repaired && !strings.Contains(f.Reason, "the worktree lacks ") {
			f.Reason += "; the new side fails in a worktree too: --prepare can add what it lacks"
		}
	}
	return ctx.Err()
}

// binary builds the test binary of a package, nil where it does not build.
func (t *tree) binary(ctx context.Context, o *Options, pkg, path string) *binary {
	list, err := t.list(ctx, []string{pkg}, false)
	fields := strings.Split(strings.TrimSpace(list), "\t")
	if err != nil || len(fields) < 2 {
		return nil
	}
	b := &binary{pkg: pkg, dir: fields[1], path: path, tree: t, args: t.arguments(o)}
	if b.make(ctx, t, o) != nil {
		return nil
	}
	return b
}

// tries reports whether a benchmark prints a result and finds its files when it is run
// once, and then for the length of a sample; of "" whether the binary lists its benchmarks.
func (b *binary) tries(ctx context.Context, o *Options, benchmark string) bool {
	names, err := b.benchmarks(ctx, ".")
	if err != nil || benchmark == "" || !slices.Contains(names, benchmark) {
		return err == nil && benchmark == "" && len(names) > 0
	}
	j := &job{name: benchmark, sides: []*side{{name: "again"}}, on: []*binary{b}}
	for _, time := range []string{"1x", o.BenchTime} {
		out, err := j.run(ctx, o, 0, part{Time: time, Count: 1, logged: true})
		if err != nil || len(b.tree.missing(ctx, b.dir, out.opened))+len(b.tree.pointers(ctx, b.dir, out.opened)) > 0 {
			return false
		}
		if results, err := out.results(); err != nil || len(results) == 0 {
			return false
		}
	}
	return true
}

// changedInside finds a submodule with changes of its own in the second form of git status.
var changedInside = regexp.MustCompile(`^[12] .. S.(?:M.|.U) (?:\S+ ){5}(.*)`)

// snapshot returns a commit of the working tree as it is, with the files that git neither has
// nor ignores. Neither a branch nor the index knows of it.
func (r Repo) snapshot(ctx context.Context, temp string) (commit string, err error) {
	root, err := r.Root(ctx)
	if err != nil {
		return "", err
	}
	status, err := r.git(ctx, "status", "--porcelain=v2", "--ignore-submodules=none", "--untracked-files=no")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(status) {
		if m := changedInside.FindStringSubmatch(line); m != nil {
			return "", fmt.Errorf("the submodule %s has changes that are not committed, which a worktree would not have: commit them, or leave them out with --head HEAD", m[1])
		}
	}
	env := []string{
		"GIT_AUTHOR_DATE=@0 +0000", "GIT_COMMITTER_DATE=@0 +0000",
		"GIT_INDEX_FILE=" + filepath.Join(temp, "again-index"),
		"GIT_AUTHOR_NAME=bench", "GIT_AUTHOR_EMAIL=bench@localhost", "GIT_COMMITTER_NAME=bench", "GIT_COMMITTER_EMAIL=bench@localhost",
	}
	for _, args := range [][]string{{"read-tree", "HEAD"}, {"add", "--all", "."}, {"write-tree"}} {
		if commit, err = outputWith(ctx, env, root, "git", args...); err != nil {
			return "", err
		}
	}
	return outputWith(ctx, env, root, "git", "commit-tree", "-p", "HEAD", "-m", "the working tree", commit)
}

// passRepaired makes a gate pass that has nothing to compare because the old side is broken as
// a whole, where the change repairs it and the new side was measured.
func (r *Result) passRepaired(g *bench.Gate, c *bench.Comparison) {
	repaired := slices.ContainsFunc(r.Failed, func(f Failure) bool { return f.Repaired })
	measured := slices.ContainsFunc(c.Rows, func(row bench.Row) bool { return row.New != nil })
	if g.Outcome == bench.NothingToDo && repaired && measured {
		g.Outcome = bench.Pass
	}
}

// onHead reports whether a benchmark, or its whole package, failed on the new side.
func (r *Result) onHead(pkg, benchmark string) bool {
	return slices.ContainsFunc(r.Failed, func(f Failure) bool {
		return f.Side == "head" && f.Pkg == pkg && (f.Benchmark == benchmark || f.Benchmark == "")
	})
}

// brokenBase notes that nothing of the old side could be built, for each package of the new one.
// It reports false where that ends the measurement.
func (o *Options) brokenBase(ctx context.Context, head *side, err error) bool {
	for pkg := range head.binaries {
		if !o.fail(ctx, "base", pkg, "", err) {
			return false
		}
	}
	return len(head.binaries) > 0
}

// asked is a file or a folder that a benchmark opened, or only asked for.
type asked struct {
	path string
	read bool
}

// opened returns what a benchmark opened or asked for, as the log of package testing has it, from
// the folder in which it began.
func opened(dir, log string) (list []asked) {
	index := map[string]int{}
	for line := range strings.Lines(log) {
		verb, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		switch {
		case path == "":
		case verb == "chdir":
			dir = path
		case verb == "open" || verb == "stat":
			i, ok := index[path]
			if !ok {
				i = len(list)
				index[path], list = i, append(list, asked{path: path})
			}
			list[i].read = list[i].read || verb == "open"
		}
	}
	return list
}

// missing returns files, by their paths in the module, that a benchmark opened or asked for in
// a worktree, and that the checkout has there and git ignores. What the benchmark itself has
// made is there.
func (t *tree) missing(ctx context.Context, dir, log string) (list []string) {
	if t.root == "" || log == "" {
		return nil
	}
	top, err := t.from.Root(ctx)
	if err != nil {
		return nil
	}
	for _, a := range opened(dir, log) {
		path := a.path
		rel, err := filepath.Rel(t.root, path)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		if _, err := os.Lstat(filepath.Join(top, rel)); err != nil {
			continue
		}
		if _, err := (Repo{Dir: top}).git(ctx, "check-ignore", "--quiet", "--", rel); err != nil {
			continue
		}
		if rel, err = filepath.Rel(t.dir, path); err == nil {
			list = append(list, filepath.ToSlash(rel))
		}
	}
	return list
}

// pointers returns the files that a benchmark opened of which there is a pointer of git LFS in
// place of the data, by their paths in the module.
func (t *tree) pointers(ctx context.Context, dir, log string) (list []string) {
	const most = 1024 // bytes, by the specification of pointers
	for _, a := range opened(dir, log) {
		path := a.path
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() >= most {
			continue
		}
		text, err := os.ReadFile(path)
		rel, outside := filepath.Rel(t.dir, path)
		if err != nil || outside != nil || !strings.HasPrefix(string(text), "version https://git-lfs.github.com/spec/") {
			continue
		}
		// A repository may have pointers of its own as data.
		if filter, err := (Repo{Dir: filepath.Dir(path)}).git(ctx, "check-attr", "filter", "--", filepath.Base(path)); err == nil && strings.HasSuffix(filter, ": lfs") {
			list = append(list, filepath.ToSlash(rel))
		}
	}
	return list
}
