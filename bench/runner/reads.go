package runner

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// treePair is two checkouts of a module, and what git knows to differ between them. The first is a
// worktree, the other one may be the working tree as it is.
type treePair struct {
	old, new string // folders of the module
	root     string // of the first worktree
	changed  []string
	data     []string        // those of them that a benchmark of the package around them may read
	ignored  map[string]bool // what only the working tree has, and git ignores
	watched  []string        // paths whose reading the file system notes
}

// pairOf returns both checkouts, of two commits, or of one and the working tree. Files of a working
// tree that are in no commit count as changed, those that git ignores do not.
func pairOf(ctx context.Context, old, new string, commits ...string) (*treePair, error) {
	root, err := Repo{Dir: new}.Root(ctx)
	if err != nil {
		return nil, err
	}
	inside, err := below(root, new)
	if err != nil {
		return nil, err
	}
	t := &treePair{old: old, new: new, root: old, ignored: map[string]bool{}}
	for dir := inside; dir != "."; dir = filepath.Dir(dir) {
		t.root = filepath.Dir(t.root)
	}
	lists := [][]string{append([]string{"diff", "--name-only", "--no-renames", "--ignore-submodules=none", "-z"}, commits...), {"ls-files", "--others", "--exclude-standard", "-z"}, {"ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"}}
	if len(commits) == 2 {
		lists = lists[:1]
	}
	for i, args := range lists {
		text, err := Repo{Dir: root}.git(ctx, append(args, "--")...)
		if err != nil {
			return nil, err
		}
		paths := strings.Split(text, "\x00")
		if i == 0 {
			paths = withSubmodules(ctx, t.root, root, paths)
		}
		for _, path := range paths {
			rel, err := filepath.Rel(inside, filepath.FromSlash(path))
			switch {
			case path == "" || err != nil:
			case i == 2:
				t.ignored[rel] = true
			default:
				t.changed = append(t.changed, rel)
				if i == 0 && !noData(filepath.ToSlash(rel)) {
					t.data = append(t.data, rel)
				}
			}
		}
	}
	return t, nil
}

// withSubmodules returns paths that differ between two checkouts, and those in submodules among them.
func withSubmodules(ctx context.Context, old, new string, paths []string) (all []string) {
	for _, path := range paths {
		all = append(all, path)
		one, other := Repo{Dir: filepath.Join(old, path)}, Repo{Dir: filepath.Join(new, path)}
		if path == "" || !isRoot(one.Dir) || !isRoot(other.Dir) {
			continue
		}
		commit, err := one.Commit(ctx, "HEAD")
		if err != nil {
			continue
		}
		text, err := other.git(ctx, "diff", "--name-only", "--no-renames", "--ignore-submodules=none", "-z", commit, "--")
		if err != nil {
			continue
		}
		for _, below := range withSubmodules(ctx, one.Dir, other.Dir, strings.Split(text, "\x00")) {
			if below != "" {
				all = append(all, path+"/"+below)
			}
		}
	}
	return all
}

// isRoot reports whether a folder is the top of a checkout of git.
func isRoot(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// patienceOfReads is how long the benchmarks of a package are run to see what they read. To measure
// the package would take many times as long.
const patienceOfReads = time.Minute

// toldEnd finds what package testing prints when all benchmarks were run.
var toldEnd = regexp.MustCompile(`(?m)(?:PASS|FAIL)$`)

// reads returns a file or a folder that differs between the checkouts, by its path from the
// module's folder, and that the benchmarks of a package read when they are run for a moment in the
// first one, themselves or by programs that they start; "" for none. Where they do not come to
// their end it is any file that changed, and where they fail any data.
func (t *treePair) reads(ctx context.Context, o *Options, b *binary) string {
	if len(t.changed) == 0 {
		return ""
	}
	limited, stop := context.WithTimeout(ctx, cmp.Or(o.patience, patienceOfReads))
	defer stop()
	log := b.path + ".log"
	defer os.Remove(log)
	t.watch()
	since := time.Now().Add(-10 * time.Millisecond) // the clock of a file system is coarse
	var out bytes.Buffer
	cmd := command(limited, b.tree.env, b.dir, b.path, b.with("-test.run=^$", "-test.bench="+tops(o.Bench), "-test.benchtime=10ms", "-test.testlogfile="+log)...)
	cmd.Stdout, cmd.Stderr = &out, &out
	ended := make(chan error, 1)
	go func() { ended <- cmd.Run() }()
	var failed error
	select {
	case failed = <-ended:
	case <-time.After(2 * time.Second):
		o.Say("%s: its benchmarks are run for a moment, to see whether they read what changed (at most %v)", b.pkg, patienceOfReads)
		failed = <-ended
	}
	if path := t.seen(); path != "" {
		return path
	}
	text, err := os.ReadFile(log)
	for _, path := range b.tree.strays(ctx, b.dir, string(text)) { // both sides read the one of the checkout
		if rel, err := below(b.tree.from.Dir, path); err == nil && slices.Contains(t.changed, rel) {
			return rel
		}
	}
	for _, a := range opened(b.dir, string(text)) {
		if rel, ok := t.inside(a.path); ok && t.differ(rel, a.read, since) {
			return rel
		}
	}
	switch cut := limited.Err() != nil || err == nil && !toldEnd.Match(out.Bytes()); { // the log is made when they begin
	case (cut || failed != nil || err != nil) && len(t.data) > 0:
		return t.data[0]
	case cut:
		return t.changed[0]
	}
	return ""
}

// inside returns a path from the module's folder, if it is one of the first worktree.
func (t *treePair) inside(path string) (rel string, ok bool) {
	if whole, err := filepath.Rel(t.root, path); err != nil || whole == ".." || strings.HasPrefix(whole, ".."+string(filepath.Separator)) {
		return "", false
	}
	rel, err := filepath.Rel(t.old, path)
	return rel, err == nil
}

// differ reports whether what was read, or only asked for, differs between the checkouts. What
// the first one has since a time the run itself has made.
func (t *treePair) differ(rel string, read bool, since time.Time) bool {
	old, new := filepath.Join(t.old, rel), filepath.Join(t.new, rel)
	one, errOld := os.Stat(old)
	other, errNew := os.Stat(new)
	switch {
	case errOld != nil && errNew != nil:
		return false
	case errOld != nil:
		return !t.ignores(rel)
	case errNew != nil:
		return one.ModTime().Before(since)
	case !read:
		return one.Mode().IsRegular() && other.Mode().IsRegular() && one.Size() != other.Size()
	case one.IsDir() && other.IsDir():
		return !slices.Equal(names(old, func(name string) bool {
			_, err := os.Lstat(filepath.Join(new, name))
			made, failed := os.Lstat(filepath.Join(old, name))
			return err == nil || failed == nil && made.ModTime().Before(since)
		}), names(new, func(name string) bool {
			_, err := os.Lstat(filepath.Join(old, name))
			return err == nil || !t.ignores(filepath.Join(rel, name))
		}))
	case !one.Mode().IsRegular() || !other.Mode().IsRegular():
		return one.Mode().Type() != other.Mode().Type()
	}
	return one.Size() != other.Size() || !sameContent(old, new)
}

// ignores reports whether a path of the working tree is ignored by git.
func (t *treePair) ignores(rel string) bool {
	for ; rel != "." && rel != ".." && rel != filepath.Dir(rel); rel = filepath.Dir(rel) {
		if t.ignored[rel] {
			return true
		}
	}
	return false
}

// names returns those of the entries of a folder that are to be kept, sorted.
func names(dir string, keep func(name string) bool) (list []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if keep(e.Name()) {
			list = append(list, e.Name())
		}
	}
	return list
}

// sameContent reports whether two files of one size hold the same.
func sameContent(a, b string) bool {
	one, err := os.Open(a)
	if err != nil {
		return false
	}
	defer one.Close()
	other, err := os.Open(b)
	if err != nil {
		return false
	}
	defer other.Close()
	var pieces [2][1 << 16]byte
	for {
		n, ended := io.ReadFull(one, pieces[0][:])
		m, err := io.ReadFull(other, pieces[1][:])
		if !bytes.Equal(pieces[0][:n], pieces[1][:m]) {
			return false
		}
		if ended != nil || err != nil {
			return (ended == io.EOF || ended == io.ErrUnexpectedEOF) && err == ended
		}
	}
}

// unread is the time of the last reading of files of which it is seen whether they are read.
var unread = time.Unix(1, 0)

// watch has the file system note which files and folders of the first worktree are read of those
// that differ. Programs that a benchmark starts, and code in C, read files unseen otherwise. Where
// it notes no readings, it shows none.
func (t *treePair) watch() {
	if t.watched == nil {
		t.watched = []string{}
		for _, rel := range t.changed {
			t.watched = append(t.watched, rel)
			dir := filepath.Dir(rel) // the nearest that was there; something in it may be new
			for ; ; dir = filepath.Dir(dir) {
				if _, err := os.Stat(filepath.Join(t.old, dir)); err == nil {
					break
				}
			}
			if !slices.Contains(t.watched, dir) && t.differ(dir, true, time.Now()) {
				t.watched = append(t.watched, dir)
			}
		}
	}
	for _, rel := range t.watched {
		path := filepath.Join(t.old, rel)
		if info, err := os.Lstat(path); err == nil && (info.IsDir() || info.Mode().IsRegular()) {
			_ = os.Chtimes(path, unread, info.ModTime())
		}
	}
}

// seen returns one of the watched paths that was read since then, "" for none.
func (t *treePair) seen() string {
	for _, rel := range t.watched {
		if info, err := os.Lstat(filepath.Join(t.old, rel)); err == nil && (info.IsDir() || info.Mode().IsRegular()) && lastRead(info).After(unread) {
			return rel
		}
	}
	return ""
}
