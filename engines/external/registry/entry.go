package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sakusen/engines/external/process"
	"sakusen/engines/external/uci"
)

// Entry is an engine as registered.
type Entry struct {
	Name     string
	Protocol string   // uci where nothing is said, usi, uai, ugi
	Command  []string // the program and its arguments
	// Directory is where it runs; Environment are further variables, NAME=VALUE.
	Directory   string
	Environment []string
	Options     []uci.Setting // that are always set, and are no parameters
	// Fresh starts a new process for every game, for programs that carry something over
	// from one game to the next.
	Fresh bool
}

// Speaks is the protocol.
func (e *Entry) Speaks() string {
	if e.Protocol == "" {
		return "uci"
	}
	return e.Protocol
}

// Check finds mistakes.
func (e *Entry) Check() error {
	if e.Name == "" || strings.Trim(e.Name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
		return fmt.Errorf("engine %q: expected a name of lower-case letters, digits, dots, - and _", e.Name)
	}
	if _, ok := uci.FindDialect(e.Protocol); !ok {
		return fmt.Errorf("engine %s: protocol: expected uci, usi, uai or ugi, got %q", e.Name, e.Protocol)
	}
	if len(e.Command) == 0 || e.Command[0] == "" {
		return fmt.Errorf("engine %s: command: expected a program and its arguments, got nothing", e.Name)
	}
	return nil
}

// resolved is the path of the program. It also looks in the folder where Debian installs
// games, which is not in every search path.
func (e *Entry) resolved() (string, error) {
	path, err := exec.LookPath(e.Command[0])
	if errors.Is(err, exec.ErrNotFound) && !strings.ContainsRune(e.Command[0], filepath.Separator) {
		if other, err := exec.LookPath("/usr/games/" + e.Command[0]); err == nil {
			return other, nil
		}
	}
	if err != nil {
		return "", fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return path, nil
}

// program is what to start.
func (e *Entry) program() (uci.Program, error) {
	path, err := e.resolved()
	if err != nil {
		return uci.Program{}, err
	}
	dialect, _ := uci.FindDialect(e.Protocol)
	args := append([]string{path}, e.Command[1:]...)
	return uci.Program{Command: process.Command{Args: args, Dir: e.Directory, Env: e.Environment}, Dialect: dialect}, nil
}

// identity is the lower-case hexadecimal sha256 of all that decides an engine's
// play: the program's file and the files that its arguments and options name, the
// texts of both, and the options that it offers.
func (e *Entry) identity(engine *uci.Engine, set []uci.Setting) (string, error) {
	h := sha256.New()
	part := func(kind, text string) { fmt.Fprintf(h, "%s %d\n%s\n", kind, len(text), text) }
	file := func(path string) error {
		if !filepath.IsAbs(path) && e.Directory != "" {
			path = filepath.Join(e.Directory, path)
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return nil // no file: its text alone counts
		}
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("engine %s: %w", e.Name, err)
		}
		defer f.Close()
		sum := sha256.New()
		if _, err := io.Copy(sum, f); err != nil {
			return fmt.Errorf("engine %s: %w", e.Name, err)
		}
		part("file", hex.EncodeToString(sum.Sum(nil)))
		return nil
	}
	path, err := e.resolved()
	if err != nil {
		return "", err
	}
	if err := file(path); err != nil {
		return "", err
	}
	for _, a := range e.Command[1:] {
		part("argument", a)
		if err := file(a); err != nil {
			return "", err
		}
	}
	for _, v := range e.Environment {
		part("variable", v)
	}
	part("name", engine.Name)
	for _, o := range engine.Options {
		part("option", fmt.Sprintf("%+v", o))
	}
	for _, s := range set {
		part("set", s.Name+"="+s.Value)
		if err := file(s.Value); s.Value != "" && err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
