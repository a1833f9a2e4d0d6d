//go:build unix

package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/external/gtptest"
	"sakusen/engines/external/ucitest"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	strategies "sakusen/strategies/chess"
)

// role names the variable that says which engine the test's own program plays.
const role = "SAKUSEN_TEST_ENGINE"

func TestMain(m *testing.M) {
	ucitest.Become()
	gtptest.Become()
	if os.Getenv(askedRole) != "" {
		becomeAsked()
		return
	}
	if r := os.Getenv(protocolRole); r != "" {
		speak(r)
		return
	}
	if r := os.Getenv(role); r != "" {
		play(r)
		return
	}
	os.Exit(m.Run())
}

// play returns an engine whose moves are a function of the position and its option Salt,
// with a fault at its fifth move where one is asked for.
// sloppily returns a standard output whose lines are written on in another way.
func sloppily(how string) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	out := os.Stdout
	go func() {
		for lines := bufio.NewScanner(r); lines.Scan(); {
			line := lines.Text() + "\n"
			word, rest, _ := strings.Cut(line, " ")
			switch {
			case how == "NUL and LF":
				line = lines.Text() + "\x00\n"
			case how == "LF and NUL":
				line += "\x00"
			case how == "NUL" || how == "CR":
				line = lines.Text() + map[string]string{"NUL": "\x00", "CR": "\r"}[how]
			case how == "capitals" && rest != "":
				line = strings.ToUpper(word) + " " + rest
			case how == "capitals":
				line = strings.ToUpper(line)
			case how == "a million bytes":
				line = "info string " + strings.Repeat("x", 1_000_000) + "\n" + line
			case how == "twice" && word == "bestmove":
				line += line
			}
			out.WriteString(line)
		}
	}()
	return w
}

func play(r string) {
	if how, ok := strings.CutPrefix(r, "sloppy: "); ok {
		r, os.Stdout = "", sloppily(how)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	salt, moves, carried := 7, 0, 0
	thought := false
	var p chess.Position
	for in.Scan() {
		words := strings.Fields(in.Text())
		switch words[0] {
		case "uci":
			fmt.Println("id name Test")
			fmt.Println("option name Salt type spin default 7 min 0 max 1000")
			fmt.Println("option name Check Extension (PV nodes, all) type combo default one var none var one")
			fmt.Println("option name Threads type spin default 2 min 1 max 64")
			fmt.Println("option name OwnBook type check default true")
			fmt.Println("option name Log type string default <empty>")
			if r == "odd" {
				fmt.Println("option name TablePath type string empty")
				fmt.Println("option")
				fmt.Println("option name salt type spin default 3 min 0 max 10")
				fmt.Println("option\tname\tSwitch\ttype check default True")
				fmt.Println("option name CPuct type string default 1.745000")
			}
			if r == "loud" {
				fmt.Println("OPTION NAME Noise TYPE SPIN DEFAULT 3 MIN 0 MAX 9")
				fmt.Println("option name Ponder type check")
				fmt.Println("option name MultiPV type spin default 3 min 1")
				for i := range 10001 {
					fmt.Printf("option name O%d type spin default %d min 0\n", i, i)
				}
			}
			fmt.Println("uciok")
		case "setoption":
			if words[2] == "Salt" && !(r == "deaf" && thought) {
				salt, _ = strconv.Atoi(words[4])
				if r == "carries" { // what it was told in earlier games changes how it plays
					carried++
				}
			}
			if words[2] == "OwnBook" && words[4] != "false" {
				panic("the book is on")
			}
		case "ucinewgame":
			moves = 0
		case "isready":
			fmt.Println("readyok")
		case "position":
			at := 2
			p = chess.Start()
			if words[1] == "fen" {
				p, _ = chess.ParseFEN(strings.Join(words[2:8], " "))
				at = 8
			}
			for _, text := range words[min(at+1, len(words)):] {
				m, _ := chess.ParseMove(text)
				p.Do(m)
			}
		case "stop":
			fmt.Println("bestmove", p.Legal(nil)[0])
		case "go":
			thought = true
			if r == "ignores nodes" && words[1] == "nodes" {
				continue
			}
			if r == "instant" {
				fmt.Println("bestmove e2e4")
				continue
			}
			if moves++; moves == 5 {
				switch r {
				case "crashes":
					os.Exit(1)
				case "illegal":
					fmt.Println("bestmove a1h8")
					continue
				case "by chance", "by chance if salted":
					if r != "by chance" && salt != 500 {
						break
					}
					legal := p.Legal(nil)
					fmt.Println("bestmove", legal[os.Getpid()%len(legal)])
					continue
				case "null":
					fmt.Println("bestmove 0000")
					continue
				}
			}
			legal := p.Legal(nil)
			m := legal[(p.Key()^uint64(salt+1000*carried)*0x9E3779B97F4A7C15)%uint64(len(legal))]
			if r == "odd" {
				fmt.Printf("info\tdepth 1\tscore cp %d nodes 1\nbestmove\t%s\tponder\te7e5\n", salt, strings.ToUpper(m.String()))
				continue
			}
			fmt.Printf("info depth 1 score cp %d nodes 1\nbestmove %s\n", salt, m)
		}
	}
}

func opened(t *testing.T, entries ...Entry) *Engines {
	t.Helper()
	s, err := Open(entries)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// running returns the number of processes of engines.
func running(s *Engines) int { return s.pool.keeper.Running() }

func fake(name, r string) Entry {
	return Entry{Name: name, Command: []string{os.Args[0]}, Environment: []string{role + "=" + r}}
}

// series seats two entrants under rules.
func series(t *testing.T, s *Engines, rules param.Values, a, b string, blocks int64) arena.Series {
	t.Helper()
	game, err := s.Joined(arena.Enter(chess.Game(), strategies.Random()))
	if err != nil {
		t.Fatal(err)
	}
	rs, err := game.OpenRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	out := arena.Series{Ruleset: rs, Seed: 1, To: blocks}
	for _, text := range []string{a, b} {
		e, err := rs.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		out.Entrants = append(out.Entrants, e)
	}
	return out
}

// digests plays a series and lists its games.
func digests(t *testing.T, workers int, s arena.Series) (arena.Tally, []uint64) {
	t.Helper()
	var all []uint64
	tally, err := arena.NewPool(workers).Play(context.Background(), s, func(r *arena.Run) error {
		all = append(all, r.Digests...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tally, all
}

func TestEnginesPlay(t *testing.T) {
	blocks := int64(6)
	if suite.Few() {
		blocks = 2
	}
	s := opened(t, fake("fake", "well behaved"))
	match := series(t, s, nil, "fake", `fake("Salt"=11,"Check Extension (PV nodes, all)"=none)`, blocks)
	_, one := digests(t, 1, match)
	if n := running(s); n > 2 {
		t.Errorf("%d processes of one engine run for one game at a time", n)
	}
	_, two := digests(t, 2, match)
	if len(one) != int(2*blocks) || !slices.Equal(one, two) {
		t.Errorf("games differ between workers: %x, %x", one, two)
	}
	again := opened(t, fake("fake", "well behaved"))
	again.entries[0].Fresh = true
	if _, fresh := digests(t, 1, series(t, again, nil, "fake", "fake(Salt=11,Check Extension (PV nodes, all)=none)", blocks)); !slices.Equal(one, fresh) {
		t.Errorf("games differ in fresh processes: %x, %x", one, fresh)
	}
	if n := running(again); n > 0 {
		t.Errorf("%d processes wait though each game has its own", n)
	}
	if _, other := digests(t, 1, series(t, s, nil, "fake", "fake(Salt=12)", blocks)); slices.Equal(one, other) {
		t.Error("an option changes nothing")
	}
}

// By the rule, a fault makes its block a draw; where hash tables are cleared the button is
// pressed before every game.
func TestFaultsVoidBlocks(t *testing.T) {
	s := opened(t, fake("crashes", "crashes"))
	s.Unkept = true
	m := series(t, s, param.Values{{Name: "faults", Text: "void"}}, "crashes", "random", 2)
	tally, _ := digests(t, 2, m)
	if e := tally.Entrants[0]; points(e) != 4 || e.Sums[m.Ruleset.Component("crashes")] != 4 {
		t.Errorf("%+v", e)
	}
	if plain := series(t, s, nil, "crashes", "random", 2); strings.Contains(plain.Ruleset.Rules.String(), "faults") {
		t.Error("the rules name faults at their default")
	}
	e := fake("none", "none")
	e.ClearHash = true
	if _, err := opened(t, e).Describe("none"); err == nil || !strings.Contains(err.Error(), "offers no button") {
		t.Error(err)
	}
}

// An engine that carries something over from one game to the next is found out before its games
// count, unless each game has its own process: then it is another engine.
func TestCarriedOver(t *testing.T) {
	fresh := fake("fresh", "carries")
	fresh.Fresh = true
	s := opened(t, fake("carries", "carries"), fresh)
	at := param.Values{{Name: "limit", Text: "nodes:100"}, {Name: "most_plies", Text: "50"}}
	_, err := arena.NewPool(1).Play(t.Context(), series(t, s, at, "carries(Salt=11)", "random", 1), nil)
	if err == nil || !strings.Contains(err.Error(), "carries something over") || strings.Index(err.Error(), "fresh: true") > strings.Index(err.Error(), "recorded: true") {
		t.Errorf("in one process: %v", err)
	}
	m := series(t, s, at, "fresh(Salt=11)", "fresh", 2)
	if _, err := arena.NewPool(1).Play(t.Context(), m, nil); err != nil {
		t.Errorf("in a process for each game: %v", err)
	}
	if why, err := m.Ruleset.Recorded("carries", "fresh"); err != nil || why != "" {
		t.Errorf("with their defaults: %s, %v", why, err)
	}
	a, _ := m.Ruleset.Signature(t.Context(), "carries")
	if b, err := m.Ruleset.Signature(t.Context(), "fresh"); err != nil || a == b {
		t.Errorf("signatures %s and %s, %v", a, b, err)
	}
	if p, err := s.Propose(t.Context(), "carries"); err != nil || !strings.Contains(p.Fresh, "carries something over") || p.Recorded != "" {
		t.Errorf("%+v, %v", p, err)
	}
}

// An engine that takes no options after its first search is refused under each limit, unless each
// game has its own process.
func TestDeafAfterItsFirstSearch(t *testing.T) {
	fresh := fake("fresh", "deaf")
	fresh.Fresh = true
	for _, limit := range []string{"nodes:100", "clock:1+0.01"} {
		if suite.Few() && limit != "nodes:100" {
			continue
		}
		s := opened(t, fake("deaf", "deaf"), fresh)
		at := param.Values{{Name: "limit", Text: limit}, {Name: "most_plies", Text: "50"}}
		_, err := arena.NewPool(1).Play(t.Context(), series(t, s, at, "deaf(Salt=11)", "random", 1), nil)
		if err == nil || !strings.Contains(err.Error(), "takes no options after its first search") || strings.Contains(err.Error(), "recorded: true") {
			t.Errorf("%s: %v", limit, err)
		}
		if _, err := arena.NewPool(1).Play(t.Context(), series(t, s, at, "fresh(Salt=11)", "random", 1), nil); err != nil {
			t.Errorf("%s, in a process for each game: %v", limit, err)
		}
		if p, err := s.Propose(t.Context(), "deaf"); err != nil || !strings.Contains(p.Fresh, "takes no options") {
			t.Errorf("%s: %+v, %v", limit, p, err)
		}
	}
}

// An engine that does not keep go nodes is refused under a limit in nodes, before any game.
func TestNodesNotKept(t *testing.T) {
	e := fake("endless", "ignores nodes")
	e.Deadlines.Move = 100 * time.Millisecond
	s := opened(t, e)
	m := series(t, s, param.Values{{Name: "limit", Text: "depth:1"}}, "endless", "random", 1)
	if _, err := m.Ruleset.Signature(t.Context(), "endless"); err != nil {
		t.Errorf("by depth: %v", err)
	}
	m = series(t, s, param.Values{{Name: "limit", Text: "nodes:500"}}, "endless", "random", 1)
	_, err := m.Ruleset.Signature(t.Context(), "endless")
	if unfit, ok := errors.AsType[*arena.UnfitError](err); !ok || !strings.Contains(unfit.Error(), `does not keep "go nodes"`) {
		t.Errorf("by nodes: %v", err)
	}
}

func TestFaultsLoseGames(t *testing.T) {
	s := opened(t, fake("by-chance", "by chance"), fake("crashes", "crashes"), fake("illegal", "illegal"), fake("null", "null"))
	for name, want := range map[string]string{"crashes": "in a game on trial: crash", "illegal": "in a game on trial: protocol: expected a legal move"} {
		_, err := arena.NewPool(1).Play(context.Background(), series(t, s, nil, name, "random", 1), nil)
		if unfit, ok := errors.AsType[*arena.UnfitError](err); !ok || !strings.Contains(unfit.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.Unkept = true
	for name, metric := range map[string]string{"crashes": "crashes", "illegal": "illegal", "null": "garbled"} {
		m := series(t, s, nil, name, "random", 2)
		tally, _ := digests(t, 2, m)
		x, err := m.Ruleset.Metric(metric)
		if err != nil {
			t.Fatal(err)
		}
		if n := tally.Entrants[0].Sums[m.Ruleset.Component(x.Of)]; n != 4 {
			t.Errorf("%s: %d games of 4 are counted as %s", name, n, metric)
		}
	}
}

func TestDescribe(t *testing.T) {
	s := opened(t, fake("fake", "well behaved"), Entry{Name: "four", Command: []string{os.Args[0]}, Environment: []string{role + "=x"},
		Options: []Setting{{Name: "threads", Value: "4"}, {Name: "Salt", Value: "3"}}},
		Entry{Name: "none", Command: []string{"no-such-program-anywhere"}},
		Entry{Name: "wrong", Command: []string{os.Args[0]}, Environment: []string{role + "=x"}, Options: []Setting{{Name: "Salt", Value: "5000"}}})
	info, err := s.Describe("fake")
	if err != nil {
		t.Fatal(err)
	}
	if info.Title != "Test" || info.Class != exact || len(info.Params) != 2 || len(info.Set) != 2 || len(info.Identity) != 64 || !slices.Equal(info.Other, []string{"Log"}) {
		t.Errorf("%+v", info)
	}
	four, err := s.Describe("four")
	if err != nil || four.Class != recorded || four.Threads != 4 || four.Identity == info.Identity || len(four.Params) != 1 {
		t.Errorf("%+v, %v", four, err)
	}
	for name, want := range map[string]string{"none": "executable file not found", "wrong": `option "Salt": expected an integer in 0..1000`, "fak": "did you mean fake?"} {
		if _, err := s.Describe(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", name, err, want)
		}
	}
	for _, bad := range []Entry{{Name: "A"}, {Name: "x", Protocol: "xboard", Command: []string{"x"}}, {Name: "x"}} {
		if _, err := Open([]Entry{bad}); err == nil {
			t.Errorf("%+v is registered", bad)
		}
	}
}

// Games are exact, or recorded for a reason; signatures say which.
func TestClasses(t *testing.T) {
	declared := fake("declared", "well behaved")
	declared.Recorded = true
	four := fake("four", "well behaved")
	four.Options = []Setting{{Name: "Threads", Value: "4"}}
	s := opened(t, fake("fake", "well behaved"), declared, four, fake("by-chance", "by chance"), fake("salted", "by chance if salted"))
	at := func(limit string) param.Values {
		return param.Values{{Name: "limit", Text: limit}, {Name: "most_plies", Text: "50"}}
	}
	for _, c := range []struct{ name, limit, want string }{
		{"fake", "nodes:100", ""}, {"fake", "depth:3", ""}, {"salted", "nodes:100", ""},
		{"fake", "movetime:20", "by the clock"}, {"fake", "clock:10+0.1", "by the clock"},
		{"declared", "nodes:100", "registered as recorded"}, {"four", "nodes:100", "4 threads"}, {"by-chance", "nodes:100", "does not play the same twice: ply 5 was"},
	} {
		m := series(t, s, at(c.limit), c.name, "random", 1)
		why, err := m.Ruleset.Recorded(c.name, "random")
		if err != nil || !strings.Contains(why, c.want) || (why == "") != (c.want == "") {
			t.Errorf("%s at %s: recorded %q, expected %q; %v", c.name, c.limit, why, c.want, err)
		}
		text, err := m.Ruleset.Signatures(context.Background(), c.name)
		if err != nil || strings.Contains(text, ":recorded-") != (c.want != "") || !strings.HasPrefix(text, "random:") {
			t.Errorf("%s at %s: signatures %q, %v", c.name, c.limit, text, err)
		}
		digests(t, 1, m) // both are played
	}
	// A setting that makes an exact engine play by chance is found among the first.
	m := series(t, s, at("nodes:100"), "salted(Salt=500)", "random", 1)
	if _, err := arena.NewPool(1).Play(context.Background(), m, nil); err == nil || !strings.Contains(err.Error(), "recorded: true") {
		t.Errorf("chance by a setting: %v", err)
	}
}

// An engine whose file changes while others know it as what it was is not started.
func TestChangedProgram(t *testing.T) {
	path := t.TempDir() + "/engine"
	write := func(more string) {
		script := "#!/bin/sh\n" + more + role + "=well exec " + os.Args[0] + "\n"
		if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	s := opened(t, Entry{Name: "e", Command: []string{path}})
	first, err := s.Describe("e")
	if err != nil {
		t.Fatal(err)
	}
	m := series(t, s, nil, "e", "random", 1)
	write("# another\n")
	if _, err := arena.NewPool(1).Play(context.Background(), m, nil); err != nil && !strings.Contains(err.Error(), "have changed") {
		t.Errorf("a changed program: %v", err)
	}
	again, err := s.Describe("e")
	if err != nil || again.Identity == first.Identity {
		t.Errorf("a changed program is %s, and was %s; %v", again.Identity, first.Identity, err)
	}
}

// Debian's engines with fixed depth, and with fixed nodes, play the same games twice, by one worker
// and by two, in other processes.
func TestDebianEnginesPlayAgain(t *testing.T) {
	suite.All(t)
	for _, name := range []string{"glaurung", "stockfish"} {
		if _, err := exec.LookPath("/usr/games/" + name); err != nil {
			t.Skipf("Debian's package %s is not installed", name)
		}
	}
	entries := []Entry{{Name: "glaurung", Command: []string{"glaurung"}}, {Name: "stockfish", Command: []string{"stockfish"}, Options: []Setting{{Name: "Hash", Value: "16"}}}}
	for limit, players := range map[string][2]string{"depth:2": {"stockfish", "glaurung"}, "nodes:300": {"stockfish", "stockfish(Use NNUE=false)"}} {
		var games [2][]uint64
		for i := range games {
			s := opened(t, entries...)
			tally, all := digests(t, i+1, series(t, s, param.Values{{Name: "limit", Text: limit}, {Name: "most_plies", Text: "70"}}, players[0], players[1], 2))
			games[i] = all
			for e := range 2 {
				if n := tally.Entrants[e].Faults; n != 0 {
					t.Errorf("%s: %d faults of entrant %d", limit, n, e)
				}
			}
			s.Close()
		}
		if !slices.Equal(games[0], games[1]) {
			t.Errorf("%s: games differ: %x, %x", limit, games[0], games[1])
		}
	}
}
