package main

import (
	"cmp"
	"go/ast"
	"maps"
	"slices"
	"testing"
)

// mostMethods is how many methods a type may have: with more, nobody knows what
// it is for.
const mostMethods = 40

// manyMethods are the types that had more when this was first counted, with how
// many they may have: no more than then.
var manyMethods = map[string]int{
	"tuner.Study":           81, // the loop: each step of a study is a method
	"engines/tubstap.State": 52, // a position: what can be asked of it and done to it
}

// TestMethods counts the methods of each type of the module, those of embedded
// types apart. With -v it prints the five types with the most.
func TestMethods(t *testing.T) {
	counts := map[string]int{}
	for _, s := range moduleFiles(t, "../..") {
		if s.test {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				counts[s.folder+"."+receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	if len(counts) < 100 {
		t.Fatalf("only %d types with methods were found", len(counts))
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	})
	for _, name := range names[:5] {
		t.Logf("%s: %d methods", name, counts[name])
	}
	for _, name := range names {
		if most := max(mostMethods, manyMethods[name]); counts[name] > most {
			t.Errorf("%s has %d methods, expected at most %d: make functions of those that need little of it, or give a part of it a type", name, counts[name], most)
		}
	}
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
