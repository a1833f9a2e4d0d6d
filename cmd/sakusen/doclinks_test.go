package main

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	// docLink is [Name], [*Name], [Type.Member], [pkg.Name] or [pkg.Type.Member] in a comment.
	docLink = regexp.MustCompile(`\[\*?([a-z]\w*\.)?([A-Z]\w*(?:\.[A-Z]\w*)?)\](?:[^(:\[\w]|$)`)
	// goFile is a Go file in a text, with or without its folder.
	goFile = regexp.MustCompile(`[A-Za-z0-9_/.]*[A-Za-z0-9_]\.go\b`)
)

// TestDocLinks looks up the links of all comments: they lead to names of the package, or to
// names of a package that is imported or is of the module.
func TestDocLinks(t *testing.T) {
	names, folders := map[string]bool{}, map[string][]string{} // "folder Name"; folders by the name of their package
	for _, s := range moduleFiles(t) {
		folder := path.Dir(s.path)
		for _, name := range declared(s.file) {
			names[folder+" "+name] = true
		}
		folders[s.file.Name.Name] = append(folders[s.file.Name.Name], folder)
	}
	links := 0
	for _, s := range moduleFiles(t) {
		if s.test {
			continue
		}
		for _, c := range s.file.Comments {
			for _, line := range c.List {
				if strings.HasPrefix(line.Text, "//\t") {
					continue // code
				}
				for _, m := range docLink.FindAllStringSubmatch(line.Text, -1) {
					in := []string{path.Dir(s.path)}
					found := false
					if of := strings.TrimSuffix(m[1], "."); of != "" {
						in = folders[of]
						found = slices.ContainsFunc(s.imports, func(p string) bool { // of another module
							return path.Base(p) == of && !strings.HasPrefix(p, "sakusen/")
						})
					}
					for _, folder := range in {
						found = found || names[folder+" "+m[2]]
					}
					if links++; !found {
						t.Errorf("%s: there is no %s%s", s.fset.Position(line.Pos()), m[1], m[2])
					}
				}
			}
		}
	}
	if links < 150 {
		t.Errorf("%d links were read", links)
	}
}

// declared returns the names that a file declares: Name, and Type.Member of methods and fields.
func declared(f *ast.File) (all []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && !strings.Contains(name, ".") {
						name = id.Name + "." + name
					}
					return true
				})
			}
			all = append(all, name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						all = append(all, id.Name)
					}
				case *ast.TypeSpec:
					all = append(all, spec.Name.Name)
					ast.Inspect(spec.Type, func(n ast.Node) bool {
						if field, ok := n.(*ast.Field); ok {
							for _, id := range field.Names {
								all = append(all, spec.Name.Name+"."+id.Name)
							}
						}
						return true
					})
				}
			}
		}
	}
	return all
}

// TestDocFiles looks for the files that the comments of packages name: beside the comment, or
// from the module's root.
func TestDocFiles(t *testing.T) {
	files := 0
	for _, s := range moduleFiles(t) {
		if s.test || s.file.Doc == nil {
			continue
		}
		for _, name := range goFile.FindAllString(s.file.Doc.Text(), -1) {
			files++
			_, beside := os.Stat(filepath.Join(root, path.Dir(s.path), name))
			_, fromRoot := os.Stat(filepath.Join(root, name))
			if beside != nil && fromRoot != nil {
				t.Errorf("%s: there is no %s", s.path, name)
			}
		}
	}
	if files < 200 {
		t.Errorf("%d files were read", files)
	}
}
