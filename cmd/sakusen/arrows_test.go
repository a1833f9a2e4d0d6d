package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostBackArrows is how many arrows may run back inside a package. An arrow runs
// from a file to another of the same package of which it uses a package-level
// declaration or a method, however often. The arrows that run back are the fewest
// without which no file uses itself through others: files then stand in an order
// in which each uses only those below it, and a reader can begin at the bottom.
const mostBackArrows = 5

// TestArrows counts the arrows back of each package. With -v it lists them, as
// "FILE -> FILE: what the first uses of the second".
func TestArrows(t *testing.T) {
	packages := checkModule(t, "../..")
	slices.SortFunc(packages, func(a, b *filePackage) int { return strings.Compare(a.folder, b.folder) })
	for _, p := range packages {
		t.Run(p.folder, func(t *testing.T) {
			back := p.back()
			t.Logf("%s: %d files, %d arrows, %d back", p.folder, len(p.files), len(p.uses), len(back))
			for _, a := range back {
				t.Logf("  %s -> %s: %s", a.from, a.to, strings.Join(p.uses[a], ", "))
			}
			if len(back) > mostBackArrows {
				t.Errorf("%s: %d arrows between its files run back, expected at most %d: move a declaration to the file that uses it, or to one below both", p.folder, len(back), mostBackArrows)
			}
		})
	}
}

// filePackage is a package as a graph of its files, without its tests.
type filePackage struct {
	folder string // in the module
	files  []string
	uses   map[arrow][]string // the names by which one file uses another, sorted
}

// arrow runs from a file to another that it uses.
type arrow struct{ from, to string }

// checkModule type-checks every package of the module. What it imports of others
// is read from what the compiler wrote of them.
func checkModule(t *testing.T, root string) []*filePackage {
	t.Helper()
	c := &checker{folders: map[string][]source{}, done: map[string]*types.Package{}, module: "sakusen/"}
	outside := map[string]bool{}
	for _, s := range moduleFiles(t, root) {
		c.fset = s.fset
		match, err := build.Default.MatchFile(filepath.Join(root, s.folder), path.Base(s.path))
		if err != nil {
			t.Fatal(err)
		}
		if s.test || !match {
			continue
		}
		c.folders[s.folder] = append(c.folders[s.folder], s)
		for _, i := range s.imports {
			if !strings.HasPrefix(i, c.module) && i != "C" {
				outside[i] = true
			}
		}
	}
	list := exec.Command("go", append([]string{"list", "-export", "-f", "{{.ImportPath}} {{.Export}}"}, slices.Sorted(maps.Keys(outside))...)...)
	list.Dir, list.Stderr = root, os.Stderr
	text, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[name] = file
	}
	c.outside = importer.ForCompiler(c.fset, "gc", func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) })
	for folder := range c.folders {
		if _, err := c.Import(c.module + folder); err != nil {
			t.Fatal(err)
		}
	}
	return c.packages
}

// checker checks packages of the module as they are imported.
type checker struct {
	module   string // with a slash
	fset     *token.FileSet
	folders  map[string][]source
	done     map[string]*types.Package
	outside  types.Importer
	packages []*filePackage
}

// Import implements types.Importer.
func (c *checker) Import(name string) (*types.Package, error) {
	folder, ours := strings.CutPrefix(name, c.module)
	if !ours {
		return c.outside.Import(name)
	}
	if p, ok := c.done[folder]; ok {
		return p, nil
	}
	var files []*ast.File
	p := &filePackage{folder: folder, uses: map[arrow][]string{}}
	for _, s := range c.folders[folder] {
		files = append(files, s.file)
		p.files = append(p.files, path.Base(s.path))
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: c, FakeImportC: true}
	checked, err := config.Check(name, c.fset, files, info)
	if err != nil {
		return nil, err
	}
	c.done[folder] = checked
	for ident, object := range info.Uses {
		if f, ok := object.(*types.Func); ok {
			object = f.Origin() // of an instance, the generic one
		}
		if object.Pkg() != checked || !atPackageLevel(object) {
			continue
		}
		a := arrow{c.fileOf(ident.Pos()), c.fileOf(object.Pos())}
		if a.from != a.to && !slices.Contains(p.uses[a], ident.Name) {
			p.uses[a] = append(p.uses[a], ident.Name)
		}
	}
	for _, names := range p.uses {
		slices.Sort(names)
	}
	c.packages = append(c.packages, p)
	return checked, nil
}

func (c *checker) fileOf(at token.Pos) string { return path.Base(c.fset.Position(at).Filename) }

// atPackageLevel tells whether an object is declared outside of functions: a
// method is, a field is not, for it comes with its type.
func atPackageLevel(o types.Object) bool {
	if _, ok := o.(*types.Func); ok {
		return true
	}
	return o.Parent() == o.Pkg().Scope()
}

// back is the smallest set of arrows found without which the rest runs one way.
// Finding the smallest there is takes too long for large packages; this looks
// from many orders of the files for one that no move of a single file betters.
func (p *filePackage) back() []arrow {
	number := map[string]int{}
	for i, f := range p.files {
		number[f] = i
	}
	n := len(p.files)
	uses := make([][]bool, n)
	for i := range uses {
		uses[i] = make([]bool, n)
	}
	for a := range p.uses {
		uses[number[a.from]][number[a.to]] = true
	}
	order := peeled(uses)
	best, least := order, settle(order, uses)
	chance := rand.New(rand.NewPCG(1, uint64(n)))
	for range 50 {
		if least == 0 {
			break
		}
		other := slices.Clone(best)
		for range 1 + n/4 { // far enough from the best to find another valley
			i, j := chance.IntN(n), chance.IntN(n)
			other[i], other[j] = other[j], other[i]
		}
		if k := settle(other, uses); k < least {
			best, least = other, k
		}
	}
	var back []arrow
	for i, a := range best {
		for _, b := range best[i+1:] {
			if uses[b][a] {
				back = append(back, arrow{p.files[b], p.files[a]})
			}
		}
	}
	slices.SortFunc(back, func(a, b arrow) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	return back
}

// peeled is a first order, users before what they use, after Eades, Lin and
// Smyth (1993): files that nobody uses go to the front, files that use nobody to
// the end, else the one with the most uses over users to the front.
func peeled(uses [][]bool) []int {
	left := make([]int, len(uses))
	for i := range left {
		left[i] = i
	}
	var front, end []int
	for len(left) > 0 {
		at, most, last := 0, -len(uses), false
		for i, a := range left {
			out, in := 0, 0
			for _, b := range left {
				if a != b && uses[a][b] {
					out++
				}
				if a != b && uses[b][a] {
					in++
				}
			}
			if out == 0 || in == 0 {
				at, last = i, in > 0
				break
			}
			if out-in > most {
				at, most = i, out-in
			}
		}
		if last {
			end = append(end, left[at])
		} else {
			front = append(front, left[at])
		}
		left = slices.Delete(left, at, at+1)
	}
	slices.Reverse(end)
	return append(front, end...)
}

// settle moves single files of an order, in place, until no move lessens the
// arrows back, and returns their number.
func settle(order []int, uses [][]bool) int {
	for moved := true; moved; {
		moved = false
		for i := range order {
			a := order[i]
			// The change by moving it past others, first to the end, then to the front.
			to, best := i, 0
			for change, j := 0, i+1; j < len(order); j++ {
				change += step(uses, a, order[j])
				if change < best {
					to, best = j, change
				}
			}
			for change, j := 0, i-1; j >= 0; j-- {
				change += step(uses, order[j], a)
				if change < best {
					to, best = j, change
				}
			}
			if to != i {
				order = slices.Delete(order, i, i+1)
				order = slices.Insert(order, to, a)
				moved = true
			}
		}
	}
	count := 0
	for i, a := range order {
		for _, b := range order[i+1:] {
			if uses[b][a] {
				count++
			}
		}
	}
	return count
}

// step is the change in the number of arrows back where a, just before b, goes
// behind it.
func step(uses [][]bool, a, b int) int {
	change := 0
	if uses[a][b] {
		change++
	}
	if uses[b][a] {
		change--
	}
	return change
}

// What must run back in small graphs is found.
func TestBackArrows(t *testing.T) {
	for _, c := range []struct {
		arrows string // a>b: a uses b
		want   int
	}{
		{"a>b b>c a>c", 0},
		{"a>b b>a", 1},
		{"a>b b>c c>a", 1},
		{"a>b b>a b>c c>b c>a a>c", 3},
		{"a>b b>c c>a c>d d>c d>e e>d", 3},
		{"a>b b>c c>d d>a a>c c>a", 2},
	} {
		p := &filePackage{uses: map[arrow][]string{}}
		for text := range strings.FieldsSeq(c.arrows) {
			from, to, _ := strings.Cut(text, ">")
			p.uses[arrow{from, to}] = nil
			for _, f := range []string{from, to} {
				if !slices.Contains(p.files, f) {
					p.files = append(p.files, f)
				}
			}
		}
		if got := p.back(); len(got) != c.want {
			t.Errorf("%s: %v run back, want %d", c.arrows, got, c.want)
		}
	}
}
