package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	lower = flag.Bool("update", false, "lower the numbers of .ci/budget to those of the tree")
	raise = flag.String("raise", "", "set the numbers of .ci/budget to those of the tree, for this reason, which replaces the reasons before")
)

// budgetFile is in the module's root.
const budgetFile = ".ci/budget"

// counted are the columns of the budget, in order.
var counted = [...]string{"lines", "files", "packages", "names", "wide"}

// size is how much stands in a folder and below it: lines of Go, files, packages,
// exported names, and types with more than mostMethods methods.
type size [len(counted)]int

// budget is the content of .ci/budget.
type budget struct {
	most map[string]size // by folder
	why  []string        // reasons for the last numbers that rose
	head string          // comments before the first row
}

// TestBudget holds the tree to .ci/budget. With -update it lowers the numbers to
// those of the tree, and with -raise REASON it sets them.
func TestBudget(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, budgetFile))
	if err != nil {
		t.Fatal(err)
	}
	b, err := parseBudget(string(text))
	if err != nil {
		t.Fatal(err)
	}
	is := measured(moduleFiles(t))
	switch {
	case *raise != "":
		b = &budget{most: is, why: []string{*raise}, head: b.head}
	case *lower:
		b = b.lowered(is)
	}
	if *raise != "" || *lower {
		if err := os.WriteFile(filepath.Join(root, budgetFile), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, complaint := range b.exceeded(is) {
		t.Error(complaint)
	}
}

// TestBudgetFalls holds .ci/budget to the one of the commit before, or of the
// commit at which the branch left main: numbers that are higher need a line
// "why REASON" that was not there.
func TestBudgetFalls(t *testing.T) {
	git := func(args ...string) (string, error) {
		c := exec.Command("git", append([]string{"-C", root}, args...)...)
		out, err := c.Output()
		return strings.TrimSpace(string(out)), err
	}
	head, err := git("rev-parse", "HEAD")
	if err != nil {
		t.Logf("no git history here: %v", err)
		return
	}
	base := head + "~1"
	for _, branch := range []string{"origin/main", "main"} {
		if left, err := git("merge-base", "HEAD", branch); err == nil && left != head {
			base = left
			break
		}
	}
	text, err := git("show", base+":"+budgetFile)
	if err != nil {
		t.Logf("no %s at %s", budgetFile, base)
		return
	}
	before, err := parseBudget(text)
	if err != nil {
		t.Fatalf("%s at %s: %v", budgetFile, base, err)
	}
	now, err := os.ReadFile(filepath.Join(root, budgetFile))
	if err != nil {
		t.Fatal(err)
	}
	after, err := parseBudget(string(now))
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range after.raised(before) {
		t.Error(complaint)
	}
}

// measured returns the sizes of the folders that the budget names: the module
// ("."), its first-level folders, and those of tuner, of which "tuner/*.go" is
// the package tuner itself. Tests and generated code do not count.
func measured(files []source) map[string]size {
	sizes, packages := map[string]size{}, map[string]bool{}
	add := func(folder string, one size) {
		parts := strings.Split(folder, "/")
		folders := []string{".", parts[0]}
		if parts[0] == "tuner" {
			folders = append(folders, strings.Join(append(parts, "*.go")[:2], "/"))
		}
		for _, f := range folders {
			sum := sizes[f]
			for i := range sum {
				sum[i] += one[i]
			}
			sizes[f] = sum
		}
	}
	for _, s := range files {
		if s.test || ast.IsGenerated(s.file) {
			continue
		}
		one := size{s.fset.File(s.file.Pos()).LineCount(), 1, 0, exportedNames(s.file)}
		if !packages[s.folder] {
			packages[s.folder], one[2] = true, 1
		}
		add(s.folder, one)
	}
	for t, n := range methods(files) {
		if n > mostMethods {
			add(t.folder, size{4: 1})
		}
	}
	return sizes
}

// exportedNames counts the exported names that a file declares at package level,
// and its exported methods.
func exportedNames(f *ast.File) int {
	n := 0
	count := func(names ...*ast.Ident) {
		for _, name := range names {
			if name.IsExported() {
				n++
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			count(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					count(spec.Name)
				case *ast.ValueSpec:
					count(spec.Names...)
				}
			}
		}
	}
	return n
}

// parseBudget reads the lines "FOLDER LINES FILES PACKAGES NAMES WIDE" and
// "why REASON".
func parseBudget(text string) (*budget, error) {
	b := &budget{most: map[string]size{}}
	for n, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "folder":
		case strings.HasPrefix(line, "#"):
			b.head += line + "\n"
		case f[0] == "why":
			if len(f) == 1 {
				return nil, fmt.Errorf("%s:%d: expected \"why REASON\", got %q", budgetFile, n+1, line)
			}
			b.why = append(b.why, strings.Join(f[1:], " "))
		default:
			var row size
			var err error
			if len(f) != 1+len(row) {
				err = errors.New("another number of fields")
			}
			for i := range min(len(row), len(f)-1) {
				n, wrong := strconv.Atoi(f[1+i])
				row[i], err = n, cmp.Or(err, wrong)
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: expected \"FOLDER %s\", got %q: %w", budgetFile, n+1, strings.ToUpper(strings.Join(counted[:], " ")), line, err)
			}
			b.most[f[0]] = row
		}
	}
	return b, nil
}

// String returns the budget as its file.
func (b *budget) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%sfolder %16s %8s %8s %8s %4s\n", b.head, counted[0], counted[1], counted[2], counted[3], counted[4])
	for _, folder := range slices.Sorted(maps.Keys(b.most)) {
		m := b.most[folder]
		fmt.Fprintf(&text, "%-15s %7d %8d %8d %8d %4d\n", folder, m[0], m[1], m[2], m[3], m[4])
	}
	for _, reason := range b.why {
		fmt.Fprintf(&text, "why %s\n", reason)
	}
	return text.String()
}

// lowered returns the budget with no number above that of the tree, and without
// folders that are gone.
func (b *budget) lowered(is map[string]size) *budget {
	next := &budget{most: map[string]size{}, why: b.why, head: b.head}
	for folder, most := range b.most {
		if now, there := is[folder]; there {
			for i := range most {
				most[i] = min(most[i], now[i])
			}
			next.most[folder] = most
		}
	}
	return next
}

// exceeded lists what is larger in the tree than in the budget, and by how much.
func (b *budget) exceeded(is map[string]size) []string {
	var all []string
	for _, folder := range slices.Sorted(maps.Keys(is)) {
		most, there := b.most[folder]
		if !there {
			all = append(all, fmt.Sprintf("%s has no line for %s: %v", budgetFile, folder, is[folder]))
			continue
		}
		for i, n := range is[folder] {
			if n > most[i] {
				all = append(all, fmt.Sprintf("%s has %d %s, %d more than the %d of %s", folder, n, counted[i], n-most[i], most[i], budgetFile))
			}
		}
	}
	return all
}

// raised lists the numbers that are higher than before, where no reason is new.
func (b *budget) raised(before *budget) []string {
	if slices.ContainsFunc(b.why, func(reason string) bool { return !slices.Contains(before.why, reason) }) {
		return nil
	}
	var all []string
	for _, folder := range slices.Sorted(maps.Keys(b.most)) {
		for i, n := range b.most[folder] {
			if was := before.most[folder][i]; n > was {
				all = append(all, fmt.Sprintf("%s: %s %s rose from %d to %d: expected a line \"why REASON\" in the same commit", budgetFile, folder, counted[i], was, n))
			}
		}
	}
	return all
}

// What the budget refuses.
func TestBudgetRules(t *testing.T) {
	parse := func(text string) *budget {
		b, err := parseBudget(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	old := parse("# head\nfolder lines\na 10 2 1 5 0\nb 3 1 1 1 0\nwhy an old reason\n")
	is := map[string]size{"a": {11, 1, 1, 5, 0}, "c": {1, 1, 1, 0, 0}}
	if got := old.exceeded(is); len(got) != 2 || !strings.Contains(got[0], "a has 11 lines, 1 more than the 10") || !strings.Contains(got[1], "no line for c") {
		t.Errorf("exceeded: %q", got)
	}
	if got, want := old.lowered(is).String(), parse("# head\na 10 1 1 5 0\nwhy an old reason\n").String(); got != want {
		t.Errorf("lowered: %s", got)
	}
	for text, want := range map[string]int{
		"a 10 2 1 5 0": 0, "a 9 2 1 5 0": 0, "a 11 2 1 5 0": 1, "a 11 3 1 5 0": 2, "a 10 2 1 5 1": 1, "c 1 1 1 1 0": 4,
		"a 11 2 1 5 0\nwhy a new kind of chart": 0, "a 11 2 1 5 0\nwhy an old reason": 1,
	} {
		if got := parse(text).raised(old); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
	for _, bad := range []string{"a 1 2 3 4", "a 1 2 3 4 x", "why"} {
		if _, err := parseBudget(bad); err == nil {
			t.Errorf("%q is read as a budget", bad)
		}
	}
}
