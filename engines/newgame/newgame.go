// Package newgame writes the beginnings of a game of one's own: its rules, two
// strategies, the conformance test and a first study, in a Go module outside this
// one that has every command of Sakusen with it.
//
//	files, err := newgame.Write("pig", newgame.Options{Name: "pig", Module: "example.org/pig", Source: "/src/sakusen"})
package newgame

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed template/*.tmpl
var templates embed.FS

// Options say what is to be written.
type Options struct {
	Name   string // of the game: lower-case letters and digits, a Go package
	Module string // path of a new module; not used where the folder has one
	Source string // folder of Sakusen's source, whose requirements the module takes over
	// Replace is how go.mod names that folder; empty: by its absolute path.
	Replace string
}

// Written says what was written.
type Written struct {
	Files []string // paths in the folder
	Line  string   // the game's line of the catalogue
	// Module says that the module is new, so that main.go has the line.
	Module bool
}

// gameName is what can name a game and the packages of its folders.
var gameName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// Write writes the game into a folder, which it makes. Where the folder has no
// go.mod, it writes a module with a main.go too; where it has, the game's line is
// to be added to its catalogue by hand. No file is overwritten.
func Write(folder string, o Options) (*Written, error) {
	if !gameName.MatchString(o.Name) || token.IsKeyword(o.Name) {
		return nil, fmt.Errorf("name of the game: expected lower-case letters and digits, a letter first, got %q", o.Name)
	}
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	out := &Written{Module: errors.Is(err, fs.ErrNotExist)}
	if err != nil && !out.Module {
		return nil, err
	}
	files := map[string]string{}
	if out.Module {
		if err := o.module(files); err != nil {
			return nil, err
		}
	} else if o.Module, err = moduleOf(string(text)); err != nil {
		return nil, err
	}
	out.Line = fmt.Sprintf("{Game: arena.Enter(%s.Game(), hold.Strategy(), random.Strategy())},", o.Name)
	for _, f := range [][2]string{
		{"main.go", "main.go"},
		{"engines/" + o.Name + "/game.go", "game.go"},
		{"engines/" + o.Name + "/referee.go", "referee.go"},
		{"strategies/" + o.Name + "/hold/hold.go", "hold.go"},
		{"strategies/" + o.Name + "/random/random.go", "random.go"},
		{"strategies/" + o.Name + "/conformance_test.go", "conformance_test.go"},
		{"studies/" + o.Name + "-first.yaml", "study.yaml"},
	} {
		if f[0] == "main.go" && !out.Module {
			continue
		}
		if files[f[0]], err = o.fill(f[1], out.Line); err != nil {
			return nil, err
		}
	}
	out.Files, err = writeAll(folder, files)
	return out, err
}

// fill fills a template in; Go code is formatted.
func (o *Options) fill(name, line string) (string, error) {
	t, err := template.ParseFS(templates, "template/"+name+".tmpl")
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]string{"Name": o.Name, "Module": o.Module, "Line": line}); err != nil {
		return "", err
	}
	if !strings.HasSuffix(name, ".go") {
		return b.String(), nil
	}
	text, err := format.Source(b.Bytes())
	return string(text), err
}
