package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// lattice says who may import whom inside the module: "a < b" lets b import a
// and whatever a may import. A name stands for a folder with all folders below
// it that are not named themselves; inside one name imports are free. GAME
// stands for any one folder, the same on both sides, at the end or inside of a
// name. Every package of the
// module must be named.
const lattice = `
	engines/suite < engines/arena/arenatest, cmd; # which tests are tried
	engines/lines < engines/GAME, tuner/stats, tuner/export; # input line by line, and what others have written
	engines/newgame; # the first files of a game of one's own
	tuner/build < tuner, tuner/store/sqlitedb, bench, cmd; # version and commit of the program
	engines/param, engines/lru, engines/plain < engines/arena < engines/arena/arenatest;

	# Rules, strategies, the catalogue: games do not know one another.
	engines/arena < engines/GAME < strategies/GAME < strategies;

	# What games bring for people stands beside their strategies: drawers make frames for films.
	engines/arena < engines/arena/film < engines/arena/arenatest;
	engines/arena < engines/arena/console;
	engines/arena/film, engines/arena/console < engines/arena/catalogue < strategies/GAME;
	engines/arena/catalogue, engines/lines < engines/arena/play;

	# Processes and sockets, in which any game may be played elsewhere.
	engines/GAME < engines/external;
	# The game whose results are told has no process; a study file declares it.
	engines/arena < engines/external/elsewhere < engines/external;

	# Tuning knows the arena and no game; its adapters do not know one another.
	tuner/numeral < tuner/stats;
	tuner/numeral < tuner;
	engines/arena, tuner/stats < tuner/entry < tuner;
	engines/external/elsewhere < tuner;
	tuner < tuner/insight < tuner/study < tuner/insight/replay;
	tuner/stats, engines/param < tuner/stats/calc;
	engines/param, engines/plain < tuner/config; tuner/config, tuner/web/api < tuner/serve;
	# Algorithms that propose know what they share, and not one another.
	engines/arena, tuner < tuner/sampler/shared < tuner/sampler/classic, tuner/sampler/surface;
	tuner < tuner/sampler/goptuna;
	tuner/sampler/surface, tuner/sampler/classic, tuner/sampler/goptuna < tuner/sampler;
	tuner/entry < tuner/contest;
	engines/arena < tuner/studyfile/yamlfile;
	tuner, tuner/studyfile/yamlfile < tuner/studyfile;
	tuner, tuner/studyfile/yamlfile < tuner/contest < tuner/contest/experiment;
	tuner < tuner/service/daemon;
	tuner/study < tuner/service, studies/GAME, cmd;
	tuner, tuner/store/sqlitedb < tuner/export < tuner/service;
	tuner/insight, bench < tuner/web/chart;
	tuner, tuner/store/sqlitedb < tuner/store;
	engines/plain, tuner/store/sqlitedb, tuner/stats < bench;
	# What all programs share: exit codes, flags, help and manual; commands about benchmarks.
	engines/plain, engines/param, tuner/build < cmd/cmdline < cmd/benchcmd;
	bench < cmd/benchcmd < cmd/sakusen-bench, cmd;
	tuner/build < cmd/sakusen-bench;
	bench, engines/external < bench/enginespeed < cmd;

	# What the program can do, and what offers it to others.
	tuner/store, tuner/service/daemon, tuner/contest, tuner/contest/experiment, tuner/export, tuner/sampler,
	tuner/studyfile, tuner/insight/replay, bench, studies
		< tuner/service;
	tuner/service, tuner/web/api < tuner/serve/client;
	tuner/service < tuner/view < tuner/web;
	bench/enginespeed, engines/arena/catalogue, tuner/config, tuner/contest < tuner/contest/players;
	engines/arena/catalogue, tuner/insight, tuner/service < tuner/web/films;
	tuner/service, tuner/queue/fleet, tuner/web/films, tuner/web/chart < tuner/web/api < tuner/web; # operations, each declared once
	tuner/web/films, tuner/web/chart < tuner/web;
	tuner/numeral < tuner/queue/fleet < tuner/serve/client, tuner/web;
	engines/external < tuner/queue/enginestore < tuner/queue; # engines that are handed out
	engines/arena, tuner/queue/fleet, tuner/stats < tuner/queue; # slots on other machines, compared by how their games end
	tuner/web, tuner/queue < tuner/serve;

	# Study files are data; the names are told apart with param.Nearest. Experiments
	# that are code stand beside them, game by game; studies/experiments lists them.
	engines/param < studies;
	tuner/contest/experiment, tuner/web/chart < studies/papers;
	engines/external, engines/plain, studies, strategies, tuner/contest/experiment, tuner/sampler, tuner/store, tuner/studyfile < studies/GAME < studies/experiments;

	# The command knows everything.
	strategies, engines/external, engines/arena/play, engines/newgame, studies/experiments, bench,
	tuner/store, tuner/export, tuner/service, tuner/serve/client, tuner/view, tuner/contest/players, tuner/serve, tuner/service/daemon, tuner/queue/enginestore,
	tuner/contest, tuner/contest/experiment, tuner/config, tuner/stats/calc
		< cmd;
`

// dependencies says who may import what is neither ours nor Go's, tests
// included.
const dependencies = `
	github.com/mattn/go-sqlite3: tuner/store/sqlitedb
	github.com/spf13/viper: tuner/config
	github.com/spf13/cobra: cmd cmd/cmdline cmd/benchcmd cmd/sakusen-bench
	github.com/spf13/pflag: cmd cmd/cmdline
	github.com/chromedp: cmd
	github.com/c-bata/goptuna: tuner/service tuner tuner/study tuner/sampler/goptuna tuner/store tuner/export cmd
	go.yaml.in/yaml: tuner/studyfile/yamlfile tuner/studyfile tuner/config tuner/export tuner/contest tuner/contest/experiment
	golang.org/x/net: tuner/serve
	github.com/coreos/go-systemd: tuner/serve
	golang.org/x/perf: bench
	golang.org/x/text: engines/GAME
	github.com/santhosh-tekuri/jsonschema: tuner/studyfile tuner/web
	github.com/oapi-codegen/runtime: tuner/web
	github.com/google/pprof: bench
	golang.org/x/term: cmd
	github.com/nats-io: tuner/queue
	golang.org/x/sys: tuner/store/sqlitedb
	gonum.org/v1/gonum: tuner tuner/study tuner/service tuner/insight tuner/stats tuner/sampler/classic tuner/contest bench studies/GAME
`

// impure are the packages, and all below them, that games and strategies must
// not import: play is a function of its fixture alone.
var impure = []string{"os", "net", "time", "log", "math/rand", "syscall", "os/exec", "unsafe", "C"}

// pure reports whether a name holds to that: engines and strategies, but for the
// arena, where the pool lives, and the folders whose task is I/O.
func pure(name string) bool {
	return name == "engines/param" || name == "engines/GAME" || strings.HasPrefix(name, "strategies/GAME") || name == "strategies"
}

// source is a Go file of the module.
type source struct {
	path    string // in the module
	folder  string
	test    bool
	imports []string
	file    *ast.File
	fset    *token.FileSet
}

// TestImports holds the whole module to the policy.
func TestImports(t *testing.T) {
	allowed, err := parseLattice(lattice)
	if err != nil {
		t.Fatal(err)
	}
	outside := parseDependencies(dependencies)
	for _, s := range moduleFiles(t) {
		name, _ := allowed.name(s.folder)
		if name == "" {
			t.Errorf("%s: package %s has no place in the lattice of cmd/sakusen/deps_test.go", s.path, s.folder)
			continue
		}
		for _, imported := range s.imports {
			switch {
			case strings.HasPrefix(imported, "sakusen/"):
				// Tests may look at everything.
				if to := strings.TrimPrefix(imported, "sakusen/"); !s.test && !allowed.may(s.folder, to) {
					t.Errorf("%s: %s must not import %s", s.path, s.folder, to)
				}
			case strings.Contains(strings.Split(imported, "/")[0], "."):
				if !allowedOutside(outside, imported, name) {
					t.Errorf("%s: %s must not import %s", s.path, s.folder, imported)
				}
			case imported == "math/rand" && name != "tuner/sampler/goptuna":
				t.Errorf("%s imports math/rand: only tuner/sampler/goptuna may, for goptuna's samplers", s.path)
			case !s.test && pure(name) && isImpure(imported):
				t.Errorf("%s imports %s: play is a function of its fixture alone", s.path, imported)
			}
		}
		if pure(name) && !s.test {
			ast.Inspect(s.file, func(n ast.Node) bool {
				if g, ok := n.(*ast.GoStmt); ok {
					t.Errorf("%s: a goroutine: pools live in engines/arena", s.fset.Position(g.Pos()))
				}
				return true
			})
		}
	}
}

// small is all that sakusen-bench is made of: what others call from a workflow is built there
// each time, without C, in seconds.
var small = []string{
	"sakusen/bench", "sakusen/bench/changepoint", "sakusen/bench/comment", "sakusen/bench/runner", "sakusen/cmd/benchcmd",
	"sakusen/cmd/cmdline", "sakusen/engines/param", "sakusen/engines/plain", "sakusen/tuner/build", "sakusen/tuner/numeral",
	"github.com/google/pprof/profile", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/perf/benchfmt",
	"golang.org/x/perf/benchmath", "golang.org/x/perf/benchunit", "gonum.org/v1/gonum/mathext",
}

// TestSmallProgram holds sakusen-bench to what it may need, directly or through others.
func TestSmallProgram(t *testing.T) {
	imports := map[string][]string{}
	for _, s := range moduleFiles(t) {
		if !s.test {
			imports["sakusen/"+s.folder] = append(imports["sakusen/"+s.folder], s.imports...)
		}
	}
	needed := map[string]bool{}
	for queue := []string{"sakusen/cmd/sakusen-bench"}; len(queue) > 0; queue = queue[1:] {
		for _, to := range imports[queue[0]] {
			if needed[to] || !strings.HasPrefix(to, "sakusen/") && !strings.Contains(strings.Split(to, "/")[0], ".") && to != "C" {
				continue
			}
			needed[to] = true
			queue = append(queue, to)
			if !slices.Contains(small, to) {
				t.Errorf("sakusen-bench needs %s through %s, which makes it large", to, queue[0])
			}
		}
	}
	if len(needed) != len(small) {
		t.Errorf("sakusen-bench needs %d packages, and %d are listed", len(needed), len(small))
	}
}

func isImpure(imported string) bool {
	if imported == "math/rand/v2" {
		return false
	}
	for _, p := range impure {
		if imported == p || strings.HasPrefix(imported, p+"/") {
			return true
		}
	}
	return false
}

// order holds, for every name, the names that it may import.
type order map[string]map[string]bool

// parseLattice reads the policy.
func parseLattice(text string) (order, error) {
	may := order{}
	var lines []string
	for line := range strings.Lines(text) {
		before, _, _ := strings.Cut(line, "#")
		lines = append(lines, before)
	}
	for rule := range strings.SplitSeq(strings.Join(lines, " "), ";") {
		if strings.TrimSpace(rule) == "" {
			continue
		}
		var below []string
		for i, level := range strings.Split(rule, "<") {
			var names []string
			for name := range strings.SplitSeq(level, ",") {
				name = strings.TrimSpace(name)
				if name == "" || strings.ContainsAny(name, " \t\n") {
					return nil, fmt.Errorf("lattice: %q: expected names with commas between them", strings.TrimSpace(rule))
				}
				if name == "NONE" {
					continue
				}
				names = append(names, name)
				if may[name] == nil {
					may[name] = map[string]bool{}
				}
				for _, b := range below {
					may[name][b] = true
				}
			}
			if i > 0 && len(names) == 0 {
				return nil, fmt.Errorf("lattice: %q: nothing on the right", strings.TrimSpace(rule))
			}
			below = names
		}
	}
	// What an imported package may import, its importer may.
	for changed := true; changed; {
		changed = false
		for _, set := range may {
			for _, b := range slices.Collect(maps.Keys(set)) {
				for c := range may[b] {
					if !set[c] {
						set[c], changed = true, true
					}
				}
			}
		}
	}
	for name, set := range may {
		if set[name] {
			return nil, fmt.Errorf("lattice: %s stands below itself", name)
		}
	}
	return may, nil
}

// name returns the longest name that a folder is in or below, and the game that GAME
// stands for there; a name spelled out goes before GAME.
func (o order) name(folder string) (name, game string) {
	for at := folder; at != "."; at = path.Dir(at) {
		if _, ok := o[at]; ok {
			return at, ""
		}
		parts := strings.Split(at, "/")
		for i := len(parts) - 1; i > 0; i-- {
			game := parts[i]
			parts[i] = "GAME"
			if name := strings.Join(parts, "/"); o[name] != nil {
				return name, game
			}
			parts[i] = game
		}
	}
	return "", ""
}

// may reports whether a folder may import another.
func (o order) may(from, to string) bool {
	a, game := o.name(from)
	b, other := o.name(to)
	if a == b {
		return game == other
	}
	return o[a][b] && (game == "" || other == "" || game == other)
}

// parseDependencies reads "module: folder folder..." lines.
func parseDependencies(text string) map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(text) {
		if name, folders, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			m[name] = strings.Fields(folders)
		}
	}
	return m
}

// allowedOutside reports whether a name of the lattice may import a package of another module.
func allowedOutside(outside map[string][]string, imported, name string) bool {
	for module, folders := range outside {
		if imported == module || strings.HasPrefix(imported, module+"/") {
			return slices.Contains(folders, name)
		}
	}
	return false
}

// moduleFiles returns every Go file of the module but those of nested modules and
// test data, parsed once for all tests.
func moduleFiles(t *testing.T) []source {
	t.Helper()
	files, err := module()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("%d files in %s: this is not the module's root", len(files), root)
	}
	return files
}

// root is the module's root.
const root = "../.."

var module = sync.OnceValues(func() (files []source, err error) {
	fset := token.NewFileSet()
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name == root {
				return nil
			}
			if d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		inModule, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		s := source{path: filepath.ToSlash(inModule), test: strings.HasSuffix(name, "_test.go"), fset: fset}
		s.folder = filepath.ToSlash(filepath.Dir(inModule))
		if s.file, err = parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution|parser.ParseComments); err != nil {
			return err
		}
		for _, i := range s.file.Imports {
			text, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, text)
		}
		files = append(files, s)
		return nil
	})
	return files, err
})

// TestLattice tells allowed imports from forbidden ones.
func TestLattice(t *testing.T) {
	o, err := parseLattice(lattice)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"engines/arena", "engines/param", true},
		{"engines/param", "engines/arena", false},
		{"engines/battleship", "engines/arena", true},
		{"engines/battleship", "engines/tubstap", false},
		{"engines/tubstap/narrow", "engines/tubstap", true},
		{"engines/tubstap", "engines/tubstap/rollout", true},
		{"engines/arena", "engines/battleship", false},
		{"strategies/battleship", "strategies/battleship/count", true},
		{"strategies/battleship", "engines/battleship", true},
		{"strategies/battleship", "engines/tubstap", false},
		{"strategies/battleship", "strategies", false},
		{"strategies/battleship", "engines/arena/film", true},
		{"strategies/battleship", "strategies/daifugo", false},
		{"engines/battleship", "engines/arena/film", false},
		{"strategies", "strategies/battleship", true},
		{"strategies", "engines/tubstap", true},
		{"tuner", "engines/battleship", false},
		{"tuner", "strategies", false},
		{"tuner", "tuner/store", false},
		{"tuner/store", "tuner/store/sqlitedb", true},
		{"tuner/store", "tuner/sampler", false},
		{"tuner/sampler", "tuner/sampler/surface", true},
		{"tuner/sampler/surface", "tuner/sampler/shared", true},
		{"tuner/sampler/surface", "tuner/sampler/classic", false},
		{"tuner/sampler/classic", "tuner/sampler", false},
		{"tuner/web", "tuner/export", true},
		{"tuner/export", "tuner/web", false},
		{"tuner/stats", "engines/arena", false},
		{"tuner/stats/calc", "tuner/stats", true},
		{"bench", "tuner/store/sqlitedb", true},
		{"bench", "tuner", false},
		{"cmd/sakusen", "strategies", true},
		{"cmd/sakusen", "strategies/battleship", true},
		{"cmd/sakusen", "tuner/store/sqlitedb", true},
	} {
		if got := o.may(c.from, c.to); got != c.want {
			t.Errorf("%s imports %s: allowed %v, want %v", c.from, c.to, got, c.want)
		}
	}
	for _, bad := range []string{"a < b; b < a", "a <", "a b < c"} {
		if _, err := parseLattice(bad); err == nil {
			t.Errorf("%q is read as a lattice", bad)
		}
	}
}
