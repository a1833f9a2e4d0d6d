package external

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/external/elsewhere"
	"sakusen/engines/external/process"
	"sakusen/engines/param"
	"sakusen/engines/plain"
)

// The protocols of programs that do not speak UCI or one of its relatives.
const (
	gtp       = "gtp"     // of programs that play go
	command   = "command" // a program that is started for each whole game
	JSONLines = "jsonl"   // a program that goes on, and is asked in lines
)

// Entry is an engine as registered.
type Entry struct {
	Name     string
	Protocol string   // uci where nothing is said, usi, uai, ugi; gtp; command, jsonl
	Command  []string // the program and its arguments
	// Directory is where it runs; Environment are further variables, NAME=VALUE.
	Directory   string
	Environment []string
	Files       []string  // further files that decide its play, such as modules of a script
	Options     []Setting // that are always set, and are no parameters
	// Fresh starts a new process for every game, for programs that carry something over
	// from one game to the next.
	Fresh bool
	// ClearHash has an engine forget its hash table before every game, by the button that it
	// offers for that.
	ClearHash bool
	// Recorded says that its games cannot be played again, whatever the limit.
	Recorded  bool
	Deadlines Deadlines
	// Memory is the memory that a process may use, bytes; one that uses more is killed,
	// which counts as a crash. 0 is no limit.
	Memory int64
	// Params are the parameters of a command or of a program that plays go; other
	// protocols tell their own.
	Params []param.Declared
	// Setup are commands of a program's own that begin each game of go, with {params.NAME}
	// in place of a value.
	Setup []string
	// Game, of a program that is asked in lines, is the built-in game for whose moves it is
	// asked; where nothing is said it plays whole games itself.
	Game string
	// Metrics are the names of quantities that a program of the game "external"
	// tells of each game, at most elsewhere.Metrics.
	Metrics []string
	// Package is the hash of the manifest that an engine has come with, empty for one that was
	// installed by hand. Place then returns an error where its files are not, or no longer,
	// those of the manifest, and Bounds hold for its processes.
	Package string
	Place   func() error
	Bounds  *process.Bounds
}

// kept returns the name under which the process pool keeps what belongs to this engine: another
// package of the same name is another engine.
func (e *Entry) kept() string {
	if e.Package == "" {
		return e.Name
	}
	return e.Name + "@" + e.Package
}

// Speaks returns the protocol.
func (e *Entry) Speaks() string {
	if e.Protocol == "" {
		return "uci"
	}
	return e.Protocol
}

// playsChess reports whether the engine is a player of chess.
func (e *Entry) playsChess() bool {
	_, ok := findDialect(e.Protocol)
	return ok
}

// Check returns the first mistake.
func (e *Entry) Check() error {
	if e.Name == "" || strings.Trim(e.Name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") != "" {
		return fmt.Errorf("engine %q: expected a name of lower-case letters, digits, dots, - and _", e.Name)
	}
	if !e.playsChess() && e.Protocol != command && e.Protocol != JSONLines && e.Protocol != gtp {
		return fmt.Errorf("engine %s: protocol: expected uci, usi, uai, ugi, gtp, command or jsonl, got %q", e.Name, e.Protocol)
	}
	if len(e.Command) == 0 || e.Command[0] == "" {
		return fmt.Errorf("engine %s: command: expected a program and its arguments, got nothing", e.Name)
	}
	if e.Memory < 0 {
		return fmt.Errorf("engine %s: memory: expected at least 0, got %d", e.Name, e.Memory)
	}
	if e.Protocol == gtp {
		return e.checkGTP()
	}
	if e.Game != "" && e.Protocol != JSONLines {
		return fmt.Errorf("engine %s: game: expected none, as only a program that speaks jsonl has a choice (one that speaks %s does not), got %q", e.Name, e.Speaks(), e.Game)
	}
	if e.Game != "" && !slices.Contains(games, e.Game) {
		return fmt.Errorf("engine %s: game: expected one of %s, got %q", e.Name, strings.Join(games, ", "), e.Game)
	}
	if len(e.Setup) > 0 {
		return fmt.Errorf("engine %s: setup: expected nothing: it is for programs that speak GTP", e.Name)
	}
	return e.checkWhole()
}

// checkGTP returns the first mistake in the entry of a program that plays go: each parameter
// must reach it.
func (e *Entry) checkGTP() error {
	if len(e.Options)+len(e.Metrics) > 0 {
		return fmt.Errorf("engine %s: options, metrics: expected none: a program that speaks GTP has params, and setup for commands of its own", e.Name)
	}
	told := strings.Join(append(slices.Clone(e.Command[1:]), e.Setup...), "\n")
	for i := range e.Params {
		if err := e.Params[i].Check(); err != nil {
			return fmt.Errorf("engine %s: params: %w", e.Name, err)
		}
		if place := "{params." + e.Params[i].Name + "}"; !strings.Contains(told, place) {
			return fmt.Errorf("engine %s: params: %s has no effect: expected %s in command or in setup", e.Name, e.Params[i].Name, place)
		}
	}
	for _, text := range append(slices.Clone(e.Command[1:]), e.Setup...) {
		rest := text
		for {
			_, after, found := strings.Cut(rest, "{params.")
			if !found {
				break
			}
			name, more, _ := strings.Cut(after, "}")
			if !slices.ContainsFunc(e.Params, func(p param.Declared) bool { return p.Name == name }) {
				return fmt.Errorf("engine %s: %q: unknown parameter %s", e.Name, text, name)
			}
			rest = more
		}
	}
	return nil
}

// checkWhole returns the first mistake in the entry of a program that plays whole games.
func (e *Entry) checkWhole() error {
	if e.playsChess() {
		if len(e.Params)+len(e.Metrics) > 0 {
			return fmt.Errorf("engine %s: params, metrics: expected none, since the program tells its own", e.Name)
		}
		return nil
	}
	if len(e.Options) > 0 {
		return fmt.Errorf("engine %s: options: expected none: they are for programs that speak UCI", e.Name)
	}
	if len(e.Metrics) > elsewhere.Metrics {
		return fmt.Errorf("engine %s: metrics: expected at most %d, got %d", e.Name, elsewhere.Metrics, len(e.Metrics))
	}
	for i, name := range e.Metrics {
		if name == "" || name == "faults" || name == "void" || name == "score" || slices.Contains(e.Metrics[:i], name) {
			return fmt.Errorf("engine %s: metrics: expected different names other than faults, void and score, got %q", e.Name, name)
		}
	}
	for i := range e.Params {
		if err := e.Params[i].Check(); err != nil {
			return fmt.Errorf("engine %s: params: %w", e.Name, err)
		}
	}
	if e.Protocol == JSONLines {
		if len(e.Params) > 0 {
			return fmt.Errorf("engine %s: params: expected none: a program tells its own in the handshake", e.Name)
		}
		return nil
	}
	if !slices.ContainsFunc(e.Command, func(a string) bool { return strings.Contains(a, "{seed}") }) {
		return fmt.Errorf("engine %s: command: expected {seed} among its arguments: without a seed all its games would be the same", e.Name)
	}
	for _, a := range e.Command[1:] {
		if _, err := e.fill(a, &elsewhere.Question{Sides: make([]elsewhere.Side, 16)}); err != nil {
			return fmt.Errorf("engine %s: command: %w", e.Name, err)
		}
	}
	return nil
}

// fill returns an argument with a game put in: {seed}, {p0} the name of the strategy in seat
// 0, {params.0} its parameters as a JSON object, {params.0.NAME} one of them, {from}
// and {to} the game's number and the next.
func (e *Entry) fill(text string, q *elsewhere.Question) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		value, ok := e.place(name, q)
		switch {
		case ok && closed:
			b.WriteString(value)
			text = after
		case closed && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789._") == "":
			return "", fmt.Errorf("unknown placeholder {%s} (expected {seed}, {p0}, {params.0}, {params.0.NAME}, {from}, {to}; 0 is the first seat)", name)
		default: // braces of the program's own
			b.WriteString("{")
			text = rest
		}
	}
}

// place returns the value of a placeholder.
func (e *Entry) place(name string, q *elsewhere.Question) (string, bool) {
	switch name {
	case "seed":
		return strconv.FormatUint(q.Seed, 10), true
	case "from":
		return strconv.FormatInt(q.Game, 10), true
	case "to":
		return strconv.FormatInt(q.Game+1, 10), true
	}
	seat := func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= 0 && n < len(q.Sides)
	}
	if text, ok := strings.CutPrefix(name, "params."); ok {
		text, key, one := strings.Cut(text, ".")
		n, ok := seat(text)
		if !ok || !one {
			if !ok {
				return "", false
			}
			return q.Sides[n].Params, true
		}
		var all map[string]json.RawMessage
		if json.Unmarshal([]byte(q.Sides[n].Params), &all) != nil { // the entry is being checked
			return "", true
		}
		value, ok := all[key]
		return strings.Trim(string(value), `"`), ok
	}
	if text, ok := strings.CutPrefix(name, "p"); ok {
		if n, ok := seat(text); ok {
			return q.Sides[n].Name, true
		}
	}
	return "", false
}

// patience returns how long a game may take.
func (e *Entry) patience() time.Duration {
	if e.Deadlines.Move > 0 {
		return e.Deadlines.Move
	}
	return time.Minute
}

// process returns the program with arguments.
func (e *Entry) process(args []string) (process.Command, error) {
	path, err := e.resolved()
	return process.Command{Args: append([]string{path}, args...), Dir: e.Directory, Env: e.Environment, Memory: e.Memory, Bounds: e.Bounds}, err
}

// resolved returns the path of the program. It also looks in the folder where Debian installs
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

// Find returns the path of the program, or why there is none.
func (e *Entry) Find() (string, error) { return e.resolved() }

// program returns what to start of an engine that speaks a dialect of UCI.
func (e *Entry) program() (uciProgram, error) {
	dialect, _ := findDialect(e.Protocol)
	command, err := e.process(e.Command[1:])
	return uciProgram{Command: command, Dialect: dialect, Deadlines: e.Deadlines}, err
}

// identity returns the lower-case hexadecimal sha256 of all that decides an engine's play. This
// is the program's file, the arguments and options and the files that they name, the engine's
// description of itself, and whether each game has its own process. More time or memory makes
// it no other engine.
func (e *Entry) identity(tells []string, set []Setting) (string, error) {
	h := sha256.New()
	part := func(kind, text string) { fmt.Fprintf(h, "%s %d\n%s\n", kind, len(text), text) }
	file := func(path string) error {
		if !filepath.IsAbs(path) && e.Directory != "" {
			path = filepath.Join(e.Directory, path)
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return nil // no file: its text alone counts
		}
		f, err := plain.Open(path, plain.MostGames)
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
	if e.Package != "" { // which names the program for every system
		part("package", e.Package)
	} else if err := file(path); err != nil {
		return "", err
	}
	for _, a := range e.Command[1:] {
		part("argument", a)
		if err := file(a); err != nil {
			return "", err
		}
	}
	for _, f := range e.Files {
		part("further", f)
		if err := file(f); err != nil {
			return "", err
		}
	}
	for _, v := range e.Environment {
		part("variable", v)
	}
	if e.Fresh {
		part("fresh", "a process for every game")
	}
	for i, text := range tells {
		part([]string{"name", "option"}[min(i, 1)], text)
	}
	for _, s := range set {
		part("set", s.Name+"="+s.Value)
		if err := file(s.Value); s.Value != "" && err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// way returns the lower-case hexadecimal sha256 of what the registry says of how an engine is
// run, as far as its identity does not hold it: two machines that differ in it may judge the
// same games differently. Where its files lie does not count.
func (e *Entry) way() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s fresh %t recorded %t memory %d deadlines %v metrics %q setup %q", e.Speaks(), e.Game, e.Fresh, e.Recorded, e.Memory, e.Deadlines, e.Metrics, e.Setup))
	return hex.EncodeToString(sum[:])
}

// stamp returns a cheap sign of changes of an engine's files since its identity was
// computed: their sizes and times of change.
func (e *Entry) stamp() string {
	path, err := e.resolved()
	if err != nil {
		return err.Error()
	}
	text := ""
	look := func(path string) {
		if !filepath.IsAbs(path) && e.Directory != "" {
			path = filepath.Join(e.Directory, path)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			text += fmt.Sprintf("%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	look(path)
	for _, a := range append(slices.Clone(e.Command[1:]), e.Files...) {
		look(a)
	}
	for _, o := range e.Options {
		if o.Value != "" {
			look(o.Value)
		}
	}
	return text
}
