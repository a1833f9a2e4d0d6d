package main

import (
	"cmp"
	"go/ast"
	"maps"
	"slices"
	"testing"
)

// mostMethods is how many methods a type may have: with more, it is two types. How
// many types have more is a column of .ci/budget.
const mostMethods = 25

// TestMethods prints, with -v, the types with more than mostMethods methods, and the types that
// five functions or more of their package take as a pointer in the first place. These functions
// may have been meant as methods: a reviewer judges.
func TestMethods(t *testing.T) {
	counts := methods(moduleFiles(t))
	if len(counts) < 100 {
		t.Fatalf("only %d types with methods were found", len(counts))
	}
	for _, name := range most(counts) {
		if n := counts[name]; n > mostMethods {
			t.Logf("%s: %d methods", name, n)
		}
	}
	first := takenFirst(moduleFiles(t))
	for _, name := range most(first) {
		if n := first[name]; n >= 5 {
			t.Logf("%s: %d functions of its package take it first", name, n)
		}
	}
}

// typeName is a type of the module.
type typeName struct{ folder, name string }

// String returns the name with its folder.
func (t typeName) String() string { return t.folder + "." + t.name }

// methods counts the methods of each type, those of embedded types apart.
func methods(files []source) map[typeName]int {
	counts := map[typeName]int{}
	for _, s := range files {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && !s.test {
				counts[typeName{s.folder, receiver(f.Recv.List[0].Type)}]++
			}
		}
	}
	return counts
}

// takenFirst counts the functions whose first parameter is a pointer to a type with
// methods of the same package.
func takenFirst(files []source) map[typeName]int {
	own, counts := methods(files), map[typeName]int{}
	for _, s := range files {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.test || f.Recv != nil || len(f.Type.Params.List) == 0 {
				continue
			}
			if p, ok := f.Type.Params.List[0].Type.(*ast.StarExpr); ok {
				if name := (typeName{s.folder, receiver(p)}); own[name] > 0 {
					counts[name]++
				}
			}
		}
	}
	return counts
}

// most returns the names with the highest counts first.
func most(counts map[typeName]int) []typeName {
	return slices.SortedFunc(maps.Keys(counts), func(a, b typeName) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a.String(), b.String()))
	})
}

// receiver names the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
