package external

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/lines"
	"sakusen/engines/param"
)

// Engines holds the registered engines, their process pool, the answers to their
// handshakes, and the results of their trials. It is safe for concurrent use.
type Engines struct {
	// Unkept reports that no game is kept, so that it does not matter whether engines play
	// the same twice.
	Unkept bool
	trials

	entries []Entry
	pool    pool

	describing sync.Mutex // held while one engine is described

	mu     sync.Mutex
	failed map[string]int // games in a row that a program of the game "external" did not tell
	retold map[string]retold
	known  map[string]known
}

// known is the result of the handshake with an engine, or its failure.
type known struct {
	info  *Info
	err   error
	at    time.Time // of a failure
	stamp string
}

// failedFor is how long an engine that could not be started is not tried again.
const failedFor = 10 * time.Second

// Open returns engines with different names. It starts no process.
func Open(entries []Entry) (*Engines, error) {
	seen := map[string]bool{}
	for i := range entries {
		if err := entries[i].Check(); err != nil {
			return nil, err
		}
		if seen[entries[i].Name] {
			return nil, fmt.Errorf("engine %s is registered twice", entries[i].Name)
		}
		seen[entries[i].Name] = true
	}
	return &Engines{entries: entries, known: map[string]known{}, failed: map[string]int{}, retold: map[string]retold{}}, nil
}

// Close ends all processes.
func (s *Engines) Close() { s.pool.close() }

// Names returns the registered engines in order.
func (s *Engines) Names() []string {
	entries := s.Entries()
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].Name
	}
	return names
}

// Entries returns the registered engines in order. The list must not be changed.
func (s *Engines) Entries() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entries
}

// Replace takes packages in place of all that were there before, and returns those of whose
// names there is another engine already: the one that was registered by hand goes before.
func (s *Engines) Replace(packages []Entry) (hidden []string, err error) {
	for i := range packages {
		if err := packages[i].Check(); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	own := slices.DeleteFunc(slices.Clone(s.entries), func(e Entry) bool { return e.Package != "" })
	all := slices.Clone(own)
	for _, e := range packages {
		if slices.ContainsFunc(own, func(x Entry) bool { return x.Name == e.Name }) {
			hidden = append(hidden, e.Name)
			continue
		}
		all = append(all, e)
	}
	for _, old := range s.entries {
		if old.Package != "" && !slices.ContainsFunc(all, func(e Entry) bool { return e.kept() == old.kept() }) {
			delete(s.known, old.kept())
			defer s.pool.forget(old.kept())
		}
	}
	s.entries = all
	return hidden, nil
}

// Find returns an engine by name.
func (s *Engines) Find(name string) (*Entry, bool) {
	e, err := s.entry(name)
	return e, err == nil
}

// entry returns an engine by name.
func (s *Engines) entry(name string) (*Entry, error) {
	entries := s.Entries()
	for i := range entries {
		if entries[i].Name == name {
			return &entries[i], nil
		}
	}
	names := s.Names()
	if near, ok := param.Nearest(name, names); ok {
		return nil, fmt.Errorf("unknown engine %q (did you mean %s?)", name, near)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("unknown engine %q: none is registered", name)
	}
	return nil, fmt.Errorf("unknown engine %q (expected one of %s)", name, strings.Join(names, ", "))
}

// SetMemory bounds the memory that the processes of all engines may use together, bytes.
func (s *Engines) SetMemory(total int64) error {
	for i := range s.entries {
		e := &s.entries[i]
		if total > 0 && e.Memory == 0 {
			e.Memory = defaultMemory
		}
		if total > 0 && 2*e.Memory > total {
			return fmt.Errorf("engine %s: memory: a game takes two processes, which with %d MB each is more than the %d MB that all engines may take (engine_memory)", e.Name, e.Memory>>20, total>>20)
		}
	}
	s.pool.memory = total
	return nil
}

// registered is an entry among the engines whose processes and trials it shares.
type registered struct {
	engines *Engines
	entry   *Entry
}

// told returns the engine's description of itself, and its identity; Recorded is set where
// the entry says that its games cannot be played again.
func (r registered) told() (*Info, arena.Identity, error) {
	info, err := r.describe()
	if err != nil {
		return nil, arena.Identity{}, err
	}
	id := arena.Identity{Hash: info.Identity, Way: r.entry.way(), Package: r.entry.Package, Setup: fmt.Sprintf("Threads=%d", info.Threads), Threads: int(info.Threads), Memory: beyondHash}
	for _, o := range info.Set {
		if strings.EqualFold(o.Name, "Hash") {
			id.Setup += " Hash=" + o.Value + "MB"
			megabytes, _ := strconv.ParseInt(o.Value, 10, 64)
			id.Memory += max(0, megabytes) << 20
		}
	}
	id.Memory = cmp.Or(r.entry.Memory, id.Memory)
	if r.entry.Recorded {
		id.Recorded = fmt.Sprintf("engine %s is registered as recorded", r.entry.Name)
	}
	return info, id, nil
}

// The classes of engines' games.
const (
	exact    = "exact"    // with fixed nodes or depth they can be played again
	recorded = "recorded" // what was played is kept, and never played again
)

// Info is the result of the handshake with an engine.
type Info struct {
	Name     string   `json:"name"`  // in the registry
	Title    string   `json:"title"` // as it calls itself
	Author   string   `json:"author"`
	Protocol string   `json:"protocol"`
	Command  []string `json:"command"`
	Identity string   `json:"identity"` // lower-case hexadecimal sha256
	Threads  int64    `json:"threads"`
	// Class is that of its games with fixed nodes or depth; with a time they are
	// always recorded.
	Class  string    `json:"class"`
	Set    []Setting `json:"set"`    // options that are always set
	Params []option  `json:"params"` // options that are parameters
	// Fields are the parameters of a program that does not speak UCI.
	Fields []param.Declared `json:"fields,omitempty"`
	Other  []string         `json:"other"` // names of further options, which only the registry may set
	// LeftOut lists the options that are not understood and cannot be set.
	LeftOut lines.LeftOut `json:"left_out"`
}

// Options returns the names of all options that can be set.
func (i *Info) Options() []string {
	names := slices.Clone(i.Other)
	for _, s := range i.Set {
		names = append(names, s.Name)
	}
	for _, o := range i.Params {
		names = append(names, o.Name)
	}
	return names
}

// explain returns why a named option cannot be set.
func (i *Info) explain(f *param.Fields) {
	for _, name := range i.Other {
		f.Absent(name, "only config.yaml sets it")
	}
	for _, s := range i.Set {
		f.Absent(s.Name, "it is always set, to "+s.Value)
	}
	for _, item := range i.LeftOut.Items {
		_, name, _ := strings.Cut(item.Field, " ")
		if slices.ContainsFunc(i.Params, func(o option) bool { return strings.EqualFold(o.Name, name) }) {
			continue // it was offered twice
		}
		f.Absent(name, fmt.Sprintf("it cannot be set: expected %s, got %s", item.Want, item.Got))
	}
}

// means returns the class with what it means.
func (i *Info) means() string {
	switch {
	case i.Class == recorded && i.Threads <= 1:
		return "recorded: the program says that it is not deterministic"
	case i.Class == exact && (i.Protocol == gtp || i.Protocol == command || i.Protocol == JSONLines):
		return "exact if it plays the same games again when it is tried, and no clock counts; otherwise recorded"
	case i.Class == exact:
		return "exact with a limit in nodes or depth, recorded with a time"
	}
	return fmt.Sprintf("recorded: %d threads", i.Threads)
}

// conventions are options that are set if the engine offers them and the registry says
// nothing else. Several engines have defaults that spoil a test, such as a book of openings
// or a second thread.
var conventions = [...]Setting{
	{Name: "Threads", Value: "1"}, {Name: "Ponder", Value: "false"}, {Name: "OwnBook", Value: "false"}, {Name: "MultiPV", Value: "1"},
}

// Describe returns the result of the handshake with an engine; the handshake is repeated if
// the engine's files have changed.
func (s *Engines) Describe(name string) (*Info, error) {
	e, err := s.entry(name)
	if err != nil {
		return nil, err
	}
	return registered{s, e}.describe()
}

// describe returns the result of the handshake with the engine, as Describe does.
func (r registered) describe() (*Info, error) {
	s, e := r.engines, r.entry
	s.describing.Lock()
	defer s.describing.Unlock()
	stamp := e.stamp()
	s.mu.Lock()
	k, ok := s.known[e.kept()]
	s.mu.Unlock()
	if ok && k.stamp == stamp && (k.err == nil || time.Since(k.at) < failedFor) {
		return k.info, k.err
	}
	s.pool.forget(e.kept())
	k = known{stamp: stamp, at: time.Now()}
	if e.playsChess() {
		k.info, k.err = r.shakeHands()
	} else if e.Protocol == gtp {
		k.info, k.err = r.describeGo()
	} else {
		k.info, k.err = r.describeWhole()
	}
	if k.info != nil {
		s.pool.expect(e.kept(), stamp)
	}
	s.mu.Lock()
	s.known[e.kept()] = k
	s.mu.Unlock()
	return k.info, k.err
}

// shakeHands returns the handshake of an engine that speaks a dialect of UCI.
func (r registered) shakeHands() (*Info, error) {
	engine, err := r.engines.pool.start(r.entry)
	if err != nil {
		return nil, err
	}
	info, err := r.entry.describe(engine)
	if err != nil {
		engine.Close()
		return nil, fmt.Errorf("engine %s: %w", r.entry.Name, err)
	}
	r.engines.pool.giveBack(r.entry, engine, "")
	return info, nil
}

// describeGo returns what is known of a program that plays go.
func (r registered) describeGo() (*Info, error) {
	e := r.entry
	p, err := r.defaultGoPlayer()
	if err != nil {
		return nil, err
	}
	title, err := p.title()
	if err != nil {
		return nil, err
	}
	info := &Info{Name: e.Name, Title: title, Protocol: gtp, Command: e.Command, Threads: 1, Class: exact, Fields: e.Params, Other: []string{}}
	tells := []string{title}
	for _, f := range e.Params {
		tells = append(tells, fmt.Sprintf("%+v", f))
	}
	info.Identity, err = e.identity(append(tells, e.Setup...), nil)
	return info, err
}

// describe returns the handshake's result, with the options sorted into parameters and
// others.
func (e *Entry) describe(engine *uciEngine) (*Info, error) {
	set := slices.Clone(e.Options)
	has := func(name string) bool {
		return slices.ContainsFunc(set, func(s Setting) bool { return strings.EqualFold(s.Name, name) })
	}
	for _, c := range conventions {
		if _, offered := engine.option(c.Name); offered && !has(c.Name) {
			set = append(set, c)
		}
	}
	if e.ClearHash {
		clears := slices.IndexFunc(engine.Options, func(o option) bool {
			name := strings.ToLower(o.Name)
			return o.Type == "button" && strings.Contains(name, "clear") && strings.Contains(name, "hash")
		})
		if clears < 0 {
			return nil, errors.New("clear_hash: it offers no button that clears its hash table; fresh: true starts a new process for each game")
		}
		set = append(set, Setting{Name: engine.Options[clears].Name})
	}
	info := &Info{Params: []option{}, Other: []string{}, Name: e.Name, Title: engine.Name, Author: engine.Author, Protocol: e.Speaks(), Command: e.Command, Threads: 1, Class: exact, Set: set, LeftOut: engine.LeftOut}
	for _, c := range set {
		if strings.EqualFold(c.Name, "Threads") {
			if n, err := strconv.ParseInt(c.Value, 10, 64); err == nil && n > 1 {
				info.Threads, info.Class = n, recorded
			}
		}
	}
	for _, o := range engine.Options {
		_, number := o.number()
		tunable := o.Type == "spin" || o.Type == "check" || o.Type == "combo" || number
		switch {
		case has(o.Name):
		case !tunable || strings.HasPrefix(strings.ToLower(o.Name), "uci_") || !writable(o.Name):
			info.Other = append(info.Other, o.Name)
		default:
			info.Params = append(info.Params, o)
		}
	}
	// The options that are always set are tried now, so that a mistake in the registry is
	// found before any game.
	if err := engine.newGame(set); err != nil {
		return nil, err
	}
	var err error
	tells := []string{engine.Name}
	for _, o := range engine.Options {
		tells = append(tells, o.tells())
	}
	info.Identity, err = e.identity(tells, set)
	return info, err
}

// writable reports whether an entrant's text can name a parameter: "engine(a=1,b=2)".
func writable(name string) bool {
	depth := 0
	for _, c := range name {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case '=', '"':
			return false
		case ',':
			if depth == 0 {
				return false
			}
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// Program returns an engine as this machine has it, for another machine to compare. It
// shakes hands with it. An engine of which no game can be played again, and whose games by a
// clock cannot be checked either, is an error.
func (s *Engines) Program(name string) (arena.Program, error) {
	e, err := s.entry(name)
	if err != nil {
		return arena.Program{}, err
	}
	info, err := s.Describe(name)
	switch {
	case err != nil:
		return arena.Program{}, err
	case e.playsChess(): // by a clock it plays, whatever else
	case e.Recorded:
		return arena.Program{}, fmt.Errorf("engine %s: its games cannot be played again: it is registered as recorded", name)
	case info.Class != exact:
		return arena.Program{}, fmt.Errorf("engine %s: its games cannot be played again: %s", name, info.means())
	}
	return arena.Program{Name: name, Identity: info.Identity, Way: e.way(), Package: e.Package}, nil
}

// WriteText writes a description of an engine for people.
func (info *Info) WriteText(w io.Writer) error {
	title := info.Title
	if info.Author != "" {
		title += " by " + info.Author
	}
	fmt.Fprintf(w, "%s: %s\n  command   %s (%s)\n  identity  %s\n  class     %s\n", info.Name, title,
		strings.Join(info.Command, " "), info.Protocol, info.Identity, info.means())
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	line := func(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")) }
	for _, s := range info.Set {
		line("  set", s.Name, s.Value)
	}
	for _, o := range info.Params {
		line("  parameter", o.Name, o.values(), "default "+o.Default)
	}
	for _, p := range info.Fields {
		values := fmt.Sprintf("%g..%g", p.Low, p.High)
		if p.Kind == "bool" || p.Kind == "choice" {
			values = strings.Join(p.Choices, ", ")
		}
		line("  parameter", p.Name, p.Kind+" "+values, "default "+string(p.Default))
	}
	for _, name := range info.Other {
		line("  option", name, "only config.yaml sets it")
	}
	for _, text := range info.LeftOut.Lines(info.LeftOut.Count()) {
		line("  cannot be set", text)
	}
	return t.Flush()
}
