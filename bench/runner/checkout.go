package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"sakusen/bench"
)

// tree is a folder in which one side's module lies.
type tree struct {
	dir     string   // of the module
	root    string   // of the worktree, "" for the working tree as it is
	from    Repo     // the checkout that it was made of
	tops    []string // names of the top folder of that, with symbolic links and without
	commit  string   // "" for the working tree as it is
	env     []string
	c       bool     // packages are partly C
	without []string // submodules that the checkout lacks
	remove  func() error
}

// checkout makes a worktree of a commit below temp and finds the folder of the module in it.
// The worktree gets the submodules, the workspace of the checkout, the folders beside the
// repository that go.mod or go.work name, and what the command --prepare makes. An empty ref is
// the working tree as it is.
func (o *Options) checkout(ctx context.Context, ref, temp, name string) (*tree, error) {
	repo := Repo{Dir: o.Dir}
	if repo.Dir == "" {
		repo.Dir = "."
	}
	whole, err := filepath.Abs(repo.Dir)
	if err != nil {
		return nil, err
	}
	if ref == "" {
		return &tree{dir: whole, remove: func() error { return nil }}, nil
	}
	root, err := repo.Root(ctx)
	if err != nil {
		return nil, err
	}
	commit, err := repo.resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	inside, err := below(root, repo.Dir)
	if err != nil {
		return nil, err
	}
	t := &tree{from: repo, commit: commit, tops: []string{root}}
	if named, ok := strings.CutSuffix(whole, string(filepath.Separator)+inside); ok || inside == "." {
		t.tops = append(t.tops, named)
	}
	slices.Sort(t.tops)
	t.tops = slices.Compact(t.tops)
	outside := t.neighbours(ctx, root)
	up := 0
	for _, path := range outside {
		up = max(up, strings.Count(path, ".."+string(filepath.Separator)))
	}
	// Neighbours are links beside the worktree, which needs as many folders above it.
	t.root = filepath.Join(append(slices.Insert(slices.Repeat([]string{"above"}, max(0, up-1)), 0, temp, name+"-tree"), name)...)
	if up == 0 {
		t.root = filepath.Join(temp, name)
	}
	t.dir = filepath.Join(t.root, inside)
	t.remove = func() error {
		// The worktree is removed even if the context has ended.
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer stop()
		_, err := repo.git(ctx, "worktree", "remove", "--force", t.root)
		return err
	}
	// The repository's hooks are not for a copy that is measured and thrown away.
	for tries := 2; ; tries-- {
		_, err := repo.git(ctx, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--detach", "--quiet", t.root, commit)
		if err == nil {
			break
		}
		_ = t.remove()                                                   // what there is of it; most often nothing
		if tries == 0 || !strings.Contains(err.Error(), "/worktrees/") { // of another run, which begins or ends
			return nil, err
		}
	}
	if from, found := t.moved(ctx, whole); found {
		o.Say("%s: the module lay in %s", name, cmp.Or(from, "."))
		t.dir = filepath.Join(t.root, from)
	}
	if _, err := os.Stat(t.dir); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %.10s has no folder %s", ErrNothing, ref, inside), t.remove())
	}
	if err := t.complete(ctx, o, root, whole, name, outside); err != nil {
		return nil, errors.Join(err, t.remove())
	}
	return t, nil
}

// moved returns the folder of the worktree in which the checkout's module lay, where that is another.
func (t *tree) moved(ctx context.Context, checkout string) (string, bool) {
	if _, err := os.Stat(filepath.Join(t.dir, "go.mod")); err == nil {
		return "", false
	}
	text, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	if err != nil {
		return "", false
	}
	list, err := Repo{Dir: t.root}.git(ctx, "grep", "-lzF", "module "+bench.ModulePath(string(text)), "--", ":(glob)**/go.mod")
	if err != nil {
		return "", false // git grep found none
	}
	for file := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		theirs, err := os.ReadFile(filepath.Join(t.root, filepath.FromSlash(file)))
		if err == nil && bench.ModulePath(string(theirs)) == bench.ModulePath(string(text)) {
			return strings.TrimPrefix(filepath.Dir(filepath.FromSlash(file)), "."), true
		}
	}
	return "", false
}

// complete brings into the worktree what git does not put there.
func (t *tree) complete(ctx context.Context, o *Options, root, checkout, name string, outside []string) error {
	if err := t.submodules(ctx, root, t.root, ""); err != nil {
		return err
	}
	for _, path := range outside {
		link := filepath.Join(t.root, path)
		if _, err := os.Lstat(link); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(filepath.Join(root, path), link); err != nil {
			return err
		}
		o.Say("%s: %s is outside the repository: both sides take it as it is now", name, path)
	}
	if err := t.inward(ctx, root); err != nil {
		return err
	}
	if err := t.workspace(ctx, root); err != nil {
		return err
	}
	if o.Prepare == "" {
		return t.lead(ctx, true)
	}
	if err := t.lead(ctx, false); err != nil {
		return err
	}
	o.Say("preparing %s: %s", name, o.Prepare)
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	if _, err := outputWith(ctx, append([]string{checkoutVariable + "=" + checkout}, t.env...), t.dir, shell, flag, o.Prepare); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%w: %s", errPrepare, lastLines(err.Error()))
	}
	return t.lead(ctx, true)
}

// errPrepare is what the command --prepare fails with.
var errPrepare = errors.New("--prepare")

// lastLines returns the end of what a command said, where its mistake stands: ten lines.
func lastLines(text string) string {
	lines := strings.Split(text, "\n")
	if more := len(lines) - 11; more > 0 {
		lines = append([]string{lines[0], fmt.Sprintf("... (%d lines more)", more)}, lines[1+more:]...)
	}
	return strings.Join(lines, "\n")
}

// checkoutVariable names the module's folder in the user's checkout to the command --prepare.
const checkoutVariable = "BENCH_CHECKOUT"

// submodules clones the submodules of a commit that is checked out in a folder from where they
// are checked out in the user's repository, or were, and those inside them. Nothing is taken from
// elsewhere, and no setting of the user's is changed.
func (t *tree) submodules(ctx context.Context, from, to, prefix string) error {
	if _, err := os.Stat(filepath.Join(to, ".gitmodules")); err != nil {
		return nil
	}
	list, err := (Repo{Dir: to}).git(ctx, "ls-tree", "-r", "-z", "HEAD")
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(list, "\x00") {
		head, path, ok := strings.Cut(entry, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 || fields[1] != "commit" {
			continue
		}
		local, into := filepath.Join(from, filepath.FromSlash(path)), filepath.Join(to, filepath.FromSlash(path))
		if _, err := os.Stat(filepath.Join(local, ".git")); err != nil {
			local = Repo{Dir: from}.submodule(ctx, to, path) // the checkout has it elsewhere, or no more
		}
		if local == "" {
			t.without = append(t.without, prefix+path)
			continue
		}
		_, err := output(ctx, to, "git", "clone", "--quiet", "--shared", "--no-checkout", local, into)
		if err == nil {
			_, err = (Repo{Dir: into}).git(ctx, "-c", "core.hooksPath="+os.DevNull, "checkout", "--quiet", "--detach", fields[2])
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			t.without = append(t.without, prefix+path+" at "+fields[2][:10])
			continue
		}
		if err := t.submodules(ctx, local, into, prefix+path+"/"); err != nil {
			return err
		}
	}
	return nil
}

// submodule returns where git keeps the submodule that a checked-out folder has at a path, "" for nowhere.
func (r Repo) submodule(ctx context.Context, in, path string) string {
	list, err := Repo{Dir: in}.git(ctx, "config", "-z", "-f", ".gitmodules", "--get-regexp", `^submodule\..*\.path$`)
	if err != nil {
		return ""
	}
	for entry := range strings.SplitSeq(list, "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		if value != path {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
		at, err := r.git(ctx, "rev-parse", "--git-common-dir")
		if err != nil {
			return ""
		}
		if !filepath.IsAbs(at) {
			at = filepath.Join(r.Dir, at)
		}
		if at = filepath.Join(at, "modules", filepath.FromSlash(name)); filepath.IsLocal(filepath.FromSlash(name)) {
			if _, err := os.Stat(filepath.Join(at, "HEAD")); err == nil {
				return at
			}
		}
	}
	return ""
}

// goCommand runs the go command in the module's folder.
func (t *tree) goCommand(ctx context.Context, args ...string) (string, error) {
	return outputWith(ctx, t.env, t.dir, "go", args...)
}

// list returns a line for each package that has tests: its import path, its folder and its files
// of tests, with slashes between them. Where the folder is in a workspace and in no module of
// its own, ./... means its modules in the folder. On the old side what is missing is left out; on the new one what cannot be loaded is
// an error, unless it is a package with mistakes of its own.
func (t *tree) list(ctx context.Context, packages []string, old bool) (string, error) {
	args := []string{"list", "-f", `{{if or .TestGoFiles .XTestGoFiles .Error}}{{if .Dir}}{{.ImportPath}}{{"\t"}}{{.Dir}}{{"\t"}}{{join .TestGoFiles "/"}}/{{join .XTestGoFiles "/"}}{{end}}{{end}}`}
	in, err := t.goCommand(ctx, "env", "GOMOD", "GOWORK")
	if err != nil {
		return "", err
	}
	mod, work, _ := strings.Cut(in, "\n")
	work = strings.TrimSpace(work)
	whole := filepath.Clean(mod) == filepath.Clean(os.DevNull) && work != "" && work != "off" && slices.Equal(packages, []string{"./..."})
	if whole {
		packages = []string{"work"}
	}
	text := ""
	if !old {
		for _, pattern := range packages { // of none the go command only warns
			if !strings.Contains(pattern, "...") || pattern == "./..." {
				continue
			}
			if all, err := t.goCommand(ctx, "list", "-e", pattern); err == nil && all == "" {
				return "", fmt.Errorf("packages: expected a pattern that matches a package, got %q", pattern)
			}
		}
		text, err = t.goCommand(ctx, append(args, packages...)...)
		if err != nil && ctx.Err() != nil {
			return "", err
		}
	}
	if old || err != nil {
		lenient, again := t.goCommand(ctx, slices.Concat(args, []string{"-e"}, packages)...)
		if again != nil || !old && strings.TrimSpace(lenient) == "" {
			if list := nested(t.dir, nil); filepath.Clean(mod) == filepath.Clean(os.DevNull) && len(list) > 0 {
				return "", fmt.Errorf("expected the folder of a module, or of a workspace: -C names one of %s", strings.Join(list, ", "))
			}
			return "", fmt.Errorf("%w%s", errors.Join(err, again), nestedHint(t.dir, packages...))
		}
		text = lenient
	}
	if !whole {
		return text, nil
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if rel, err := below(t.dir, strings.Split(line, "\t")[1]); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			b.WriteString(line)
		}
	}
	return b.String(), nil
}

// hint reports what a worktree lacks that may be why a package of it fails: files that git
// ignores and the checkout has, in the package's folder first, and submodules. It is empty
// where nothing is missing.
func (t *tree) hint(ctx context.Context, dir string) string {
	var b strings.Builder
	for _, path := range t.without {
		fmt.Fprintf(&b, "\nthe worktree lacks the submodule %s, which is not in the clone: git submodule update --init", path)
	}
	if list := t.lacks(ctx, dir); len(list) > 0 {
		b.WriteString("\n" + lacking(list))
	}
	return b.String()
}

// lacking reports how files come into a worktree, by their paths in the module.
func lacking(list []string) string {
	return fmt.Sprintf("the worktree lacks %s, which git ignores: --prepare gives it, such as --prepare 'cp -R \"$%s\"/%s %s'",
		strings.Join(list[:min(5, len(list))], ", "), checkoutVariable, list[0], path.Dir(list[0]))
}

// lacks lists files, by their paths in the module, that git ignores and the checkout has, but
// the worktree lacks: at most five, those of a package's folder, and Go files and folders
// elsewhere.
func (t *tree) lacks(ctx context.Context, dir string) []string {
	if t.root == "" {
		return nil
	}
	text, err := t.from.git(ctx, "ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
	if err != nil {
		return nil
	}
	pkg, err := below(t.dir, dir)
	if err != nil {
		return nil
	}
	var in, near, far []string
	for path := range strings.SplitSeq(text, "\x00") {
		clean := filepath.Clean(filepath.FromSlash(path))
		if path == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(t.dir, clean)); err == nil {
			continue // git does not have it, but the worktree does
		}
		switch rel, err := filepath.Rel(pkg, clean); {
		case filepath.Dir(clean) == pkg:
			in = append(in, filepath.ToSlash(clean))
		case err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)):
			near = append(near, filepath.ToSlash(clean))
		case strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "/"):
			far = append(far, filepath.ToSlash(clean))
		}
	}
	list := slices.Concat(in, near, far)
	return list[:min(5, len(list))]
}

// nested lists the folders of modules below a folder that have benchmarks of their own, from that
// folder, without those from which packages are taken.
func nested(dir string, taken map[string]*binary) (list []string) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read is not measured
		}
		if e.IsDir() && path != dir {
			if name := e.Name(); name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" || name == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if e.Name() != "go.mod" || filepath.Dir(path) == dir {
			return nil
		}
		in := filepath.Dir(path)
		for _, b := range taken {
			if b.dir == in || strings.HasPrefix(b.dir, in+string(filepath.Separator)) {
				return nil
			}
		}
		if hasBenchmarksBelow(in) {
			if rel, err := filepath.Rel(dir, in); err == nil {
				list = append(list, filepath.ToSlash(rel))
			}
		}
		return nil
	})
	slices.Sort(list)
	return list
}

// nestedHint returns where a pattern of packages, an import path or a series is of a module below
// the folder, or "./..." could be; it is empty where none is.
func nestedHint(dir string, patterns ...string) string {
	for _, in := range nested(dir, nil) {
		module := in
		if text, err := os.ReadFile(filepath.Join(dir, in, "go.mod")); err == nil {
			module = cmp.Or(bench.ModulePath(string(text)), in)
		}
		for _, p := range patterns {
			p = strings.TrimPrefix(filepath.ToSlash(p), "./")
			for _, m := range []string{in, module} {
				if rest, ok := strings.CutPrefix(p, m); p == "..." || ok && (rest == "" || rest[0] == '/' || rest[0] == '.') {
					to := filepath.Join(dir, in)
					if here, err := os.Getwd(); err == nil && strings.HasPrefix(to, here+string(filepath.Separator)) {
						to = to[len(here)+1:]
					}
					return fmt.Sprintf(" (%s is a module of its own: -C %s)", in, to)
				}
			}
		}
	}
	return ""
}

// hasBenchmarksBelow looks for benchmarks in a folder and below it.
func hasBenchmarksBelow(dir string) bool {
	found := false
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && !found {
			files, _ := filepath.Glob(filepath.Join(path, "*_test.go"))
			found = slices.ContainsFunc(files, hasBenchmarks)
		}
		if found {
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// below returns the path of dir inside root, symbolic links resolved.
func below(root, dir string) (string, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if root, err = filepath.Abs(root); err != nil {
		return "", err
	}
	if whole, err = filepath.EvalSymlinks(whole); err != nil {
		return "", err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", err
	}
	return filepath.Rel(root, whole)
}
