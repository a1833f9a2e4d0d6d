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
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	Folder string   `json:"folder"`
	Files  []string `json:"files"`  // paths in the folder
	Line   string   `json:"line"`   // the game's line of the catalogue
	Module bool     `json:"module"` // the module is new, and main.go has the line
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
	out := &Written{Folder: folder, Module: errors.Is(err, fs.ErrNotExist)}
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

var (
	moduleLine  = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)"?`)
	modulePath  = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._~-]*(/[a-zA-Z0-9._~-]+)*$`)
	settingLine = regexp.MustCompile(`(?m)^(?:go|toolchain|godebug)[ \t].*$`)
	requirement = regexp.MustCompile(`(?m)^(?:require)?[ \t]+([^\s()]+)[ \t]+(v[^\s]+)`)
)

// moduleOf returns the path of the module that a go.mod declares.
func moduleOf(text string) (string, error) {
	m := moduleLine.FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("go.mod: expected a line that begins with module, got none")
	}
	return m[1], nil
}

// isSource reports whether a go.mod is that of Sakusen's source.
func isSource(text []byte) bool {
	name, err := moduleOf(string(text))
	return err == nil && name == "sakusen"
}

// module adds go.mod and go.sum. They require the same versions as Sakusen, so that nothing
// has to be looked up and no network is needed.
func (o *Options) module(files map[string]string) error {
	if !modulePath.MatchString(o.Module) {
		return fmt.Errorf("module: expected a path such as example.org/%s, got %q", o.Name, o.Module)
	}
	text, err := os.ReadFile(filepath.Join(o.Source, "go.mod"))
	if err != nil {
		return fmt.Errorf("source of Sakusen: %w", err)
	}
	if !isSource(text) {
		return fmt.Errorf("source of Sakusen: expected a folder whose go.mod declares the module sakusen, got %s", o.Source)
	}
	sums, err := os.ReadFile(filepath.Join(o.Source, "go.sum"))
	if err != nil {
		return fmt.Errorf("source of Sakusen: %w", err)
	}
	replace := o.Replace
	if replace == "" {
		if replace, err = filepath.Abs(o.Source); err != nil {
			return err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n", o.Module)
	for _, line := range settingLine.FindAllString(string(text), -1) {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	fmt.Fprintf(&b, "\nrequire sakusen v0.0.0\n\nreplace sakusen => %s\n\nrequire (\n", quoted(replace))
	for _, m := range requirement.FindAllStringSubmatch(string(text), -1) {
		fmt.Fprintf(&b, "\t%s %s // indirect\n", m[1], m[2])
	}
	b.WriteString(")\n")
	files["go.mod"], files["go.sum"] = b.String(), string(sums)
	return nil
}

// quoted returns a path as go.mod has it.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t\"'`()[]{},") {
		return fmt.Sprintf("%q", path)
	}
	return path
}

// SourceFolder returns the folder around another that holds Sakusen's go.mod.
func SourceFolder(at string) (string, error) {
	at, err := filepath.Abs(at)
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if err == nil && isSource(text) {
			return at, nil
		}
		if filepath.Dir(at) == at {
			return "", errors.New("expected the folder of Sakusen's source, with which the new module is built (the working directory is not in it)")
		}
		at = filepath.Dir(at)
	}
}

// writeAll writes files by their paths in a folder and returns the paths, sorted. If one of
// them exists, nothing is written.
func writeAll(folder string, files map[string]string) ([]string, error) {
	paths := slices.Sorted(maps.Keys(files))
	for _, name := range paths {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s exists: expected a name that no game of this folder has", path)
		}
	}
	for _, name := range paths {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
			return nil, err
		}
	}
	return paths, nil
}
