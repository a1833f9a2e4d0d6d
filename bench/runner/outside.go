package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// neighbours returns the places outside the repository that go.mod and go.work files of the
// commit lead to, and its links, from the root, where they are.
func (t *tree) neighbours(ctx context.Context, root string) (outside []string) {
	add := func(path string) {
		if !strings.HasPrefix(path, ".."+string(filepath.Separator)) || slices.Contains(outside, path) {
			return
		}
		if _, err := os.Stat(filepath.Join(root, path)); err == nil {
			outside = append(outside, path)
		}
	}
	files, _ := Repo{Dir: root}.git(ctx, "ls-tree", "-r", "-z", t.commit)
	for entry := range strings.SplitSeq(files, "\x00") {
		head, name, _ := strings.Cut(entry, "\t")
		if !strings.HasPrefix(head, "120000 ") {
			continue
		}
		if target, err := os.Readlink(filepath.Join(root, filepath.FromSlash(name))); err == nil && !filepath.IsAbs(target) {
			add(filepath.Join(filepath.Dir(filepath.FromSlash(name)), target))
		}
	}
	text, err := Repo{Dir: root}.git(ctx, "grep", "-F", "-e", "../", t.commit, "--", ":(glob)**/go.mod", ":(glob)**/go.work")
	if err != nil {
		return outside // git grep found none
	}
	for line := range strings.Lines(text) {
		file, code, ok := strings.Cut(strings.TrimPrefix(line, t.commit+":"), ":")
		code, _, _ = strings.Cut(code, "//")
		words := word.FindAllString(code, -1)
		if !ok || len(words) == 0 {
			continue
		}
		if word := unquoted(words[len(words)-1]); strings.HasPrefix(word, "../") {
			add(filepath.Join(filepath.Dir(filepath.FromSlash(file)), filepath.FromSlash(word)))
		}
	}
	return outside
}

// workspace gives the worktree the go.work file in which the checkout stands, where git does not
// have it: its modules in the repository are those of the worktree, others stay where they are.
func (t *tree) workspace(ctx context.Context, root string) error {
	file, err := output(ctx, t.from.Dir, "go", "env", "GOWORK")
	if err != nil || file == "" || file == "off" {
		return ctx.Err()
	}
	if rel, err := below(root, file); err == nil && os.Getenv("GOWORK") == "" {
		if _, err := os.Stat(filepath.Join(t.root, rel)); err == nil {
			return nil
		}
	}
	text, err := output(ctx, t.from.Dir, "go", "work", "edit", "-json", file)
	if err != nil {
		return err
	}
	var work struct {
		Go, Toolchain string
		Use           []struct{ DiskPath string }
		Replace       []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal([]byte(text), &work); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	moved := func(path string) string {
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), filepath.FromSlash(path))
		}
		if rel, err := below(root, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(t.root, rel)
		}
		return path
	}
	var b strings.Builder
	fmt.Fprintf(&b, "go %s\n", work.Go)
	if work.Toolchain != "" {
		fmt.Fprintf(&b, "toolchain %s\n", work.Toolchain)
	}
	for _, u := range work.Use {
		path := moved(u.DiskPath)
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil { // the old side may not have it yet
			fmt.Fprintf(&b, "use %q\n", path)
		}
	}
	for _, r := range work.Replace {
		if r.New.Version == "" {
			r.New.Path = moved(r.New.Path)
		}
		fmt.Fprintf(&b, "replace %s %s => %q %s\n", r.Old.Path, r.Old.Version, r.New.Path, r.New.Version)
	}
	at := t.root + ".work"
	if sums, err := os.ReadFile(file + ".sum"); err == nil {
		if err := os.WriteFile(at+".sum", sums, 0o644); err != nil {
			return err
		}
	}
	t.env = append(t.env, "GOWORK="+at)
	return os.WriteFile(at, []byte(b.String()), 0o644)
}

// inward points absolute paths that lead into the checkout, in committed links and in go.mod and
// go.work files, to the same places in the worktree: the code there would be that of the other side.
func (t *tree) inward(ctx context.Context, root string) error {
	moved := func(path string) (string, bool) {
		if !filepath.IsAbs(path) {
			return path, false
		}
		rel, err := below(root, path)
		if err != nil { // the checkout has it no more
			rel, err = filepath.Rel(root, path)
		}
		if err != nil || !filepath.IsLocal(rel) {
			return path, false
		}
		return filepath.Join(t.root, rel), true
	}
	list, err := (Repo{Dir: t.root}).git(ctx, "ls-files", "-s", "-z")
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(list, "\x00") {
		head, name, _ := strings.Cut(entry, "\t")
		path := filepath.Join(t.root, filepath.FromSlash(name))
		switch base := filepath.Base(path); {
		case strings.HasPrefix(head, "120000 "):
			target, err := os.Readlink(path)
			if err != nil {
				continue // a file where links are not made
			}
			if to, inside := moved(target); inside {
				if err := errors.Join(os.Remove(path), os.Symlink(to, path)); err != nil {
					return err
				}
			}
		case base == "go.mod" || base == "go.work":
			text, err := os.ReadFile(path)
			if err != nil {
				continue // not in a sparse checkout
			}
			changed := word.ReplaceAllStringFunc(string(text), func(word string) string {
				if to, inside := moved(unquoted(word)); inside {
					return fmt.Sprintf("%q", to)
				}
				return word
			})
			if changed != string(text) {
				if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// strays returns the files of the checkout that a benchmark opened in a worktree.
func (t *tree) strays(ctx context.Context, dir, log string) (paths []string) {
	if t.root == "" || log == "" {
		return nil
	}
	top, err := t.from.Root(ctx)
	if err != nil {
		return nil
	}
	for _, a := range opened(dir, log) {
		rel, err := filepath.Rel(top, a.path)
		if !a.read || err != nil || !filepath.IsLocal(rel) || rel == "." || strings.HasPrefix(rel, ".git"+string(filepath.Separator)) {
			continue
		}
		if in, err := filepath.Rel(t.root, a.path); err == nil && filepath.IsLocal(in) {
			continue
		}
		if info, err := os.Stat(a.path); err == nil && info.Mode().IsRegular() {
			paths = append(paths, a.path)
		}
	}
	return paths
}

// sources returns the files of the module's repository that the test binaries of packages are built of, as
// [opened] reads them, where they lie on another side.
func (t *tree) sources(ctx context.Context, other *tree, packages ...string) (string, error) {
	const files = `{{if not .Standard}}{{.Dir}}{{"\t"}}{{join .GoFiles "\t"}}{{"\t"}}{{join .CgoFiles "\t"}}{{"\t"}}{{join .CFiles "\t"}}{{"\t"}}{{join .HFiles "\t"}}{{"\t"}}{{join .SFiles "\t"}}{{"\t"}}{{join .EmbedFiles "\t"}}{{"\t"}}{{join .TestEmbedFiles "\t"}}{{"\t"}}{{join .XTestEmbedFiles "\t"}}{{end}}`
	text, err := t.goCommand(ctx, append([]string{"list", "-e", "-deps", "-test", "-f", files}, packages...)...)
	if err != nil {
		return "", err
	}
	root, inside, err := t.repository(ctx)
	if err != nil {
		return "", err
	}
	top := other.root
	if top == "" {
		top = root
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		names := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		rel, ok := inside(names[0])
		if !ok {
			continue
		}
		for _, name := range names[1:] {
			if name != "" && !filepath.IsAbs(name) {
				fmt.Fprintf(&b, "open %s\n", filepath.Join(top, rel, name))
			}
		}
	}
	return b.String(), nil
}

// repository returns the top of the repository, and a function that returns the path from there of a folder
// of its own. Those of the cache of modules are not, even where it lies in the checkout.
func (t *tree) repository(ctx context.Context) (root string, inside func(dir string) (rel string, ok bool), err error) {
	if root, err = (Repo{Dir: t.dir}).Root(ctx); err != nil {
		return "", nil, err
	}
	cache, err := t.goCommand(ctx, "env", "GOMODCACHE")
	return root, func(dir string) (string, bool) {
		rel, err := below(root, dir)
		cached, other := below(strings.TrimSpace(cache), dir)
		return rel, err == nil && filepath.IsLocal(rel) && !(other == nil && filepath.IsLocal(cached))
	}, err
}

// built fails packages of the old side whose worktree lacks files, ignored by git, of which the new side is
// built, and those of either side that hold a pointer of git LFS in the place of data.
func (o *Options) built(ctx context.Context, base, head *side) error {
	lacks := func(on, of *side, packages ...string) (string, error) {
		log, err := of.tree.sources(ctx, on.tree, packages...)
		if err != nil {
			return "", err
		}
		if list := on.tree.missing(ctx, on.dir, log); len(list) > 0 {
			return "it is built of other files\n" + lacking(list), nil
		}
		if list := on.tree.pointers(ctx, on.dir, log); len(list) > 0 {
			return "it is built of " + list[0] + ", a pointer of git LFS and not its data: git lfs pull gives it", nil
		}
		return "", nil
	}
	all := slices.Sorted(maps.Keys(head.binaries))
	if len(all) == 0 {
		return nil
	}
	for _, on := range []*side{base, head} {
		if len(on.binaries) == 0 {
			continue
		}
		if what, err := lacks(on, head, all...); err != nil || what == "" {
			if err != nil {
				return err
			}
			continue
		}
		for _, pkg := range slices.Sorted(maps.Keys(on.binaries)) {
			what, err := lacks(on, head, pkg)
			if err != nil {
				return err
			}
			if what == "" {
				continue
			}
			if err := fmt.Errorf("%s: %s: %s", on.name, pkg, what); !o.fail(ctx, on.name, pkg, "", err) {
				return err
			}
			delete(on.binaries, pkg)
		}
	}
	return nil
}

// word finds the words of a go.mod file.
var word = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`|\\S+")

// unquoted returns what a word of a go.mod file stands for.
func unquoted(word string) string {
	if text, err := strconv.Unquote(word); err == nil {
		return text
	}
	return word
}
