//go:build unix

package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/param"
	"sakusen/engines/suite"
)

// shell returns a program in the language of the shell.
func shell(name, protocol, script string, more ...string) Entry {
	return Entry{Name: name, Protocol: protocol, Command: append([]string{"/bin/sh", "-c", script, "sh"}, more...),
		Params: []param.Declared{{Name: "u", Kind: "float", Low: 0, High: 1, Default: "0.5"}}, Deadlines: Deadlines{Move: 20 * time.Second}}
}

// meeting plays two entrants of the game external.
func meeting(t *testing.T, s *Engines, a, b string, blocks int64) (arena.Tally, error) {
	t.Helper()
	rs, err := s.External().OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	series := arena.Series{Ruleset: rs, Seed: 1, To: blocks}
	for _, text := range []string{a, b} {
		e, err := rs.Entrant(text)
		if err != nil {
			return arena.Tally{}, err
		}
		series.Entrants = append(series.Entrants, e)
	}
	return arena.NewPool(2).Play(context.Background(), series, nil)
}

// void is the component of games without a result.
const void = 1

// A command is told seeds, names and parameters, and what it prints beside the
// result is passed over.
func TestCommand(t *testing.T) {
	s := opened(t, shell("bot", command, `echo noise; [ "$1" = bot ] && [ "$4" = "x0.25" ] && echo '{"ranks":[1,2]}' || echo '{"ranks":[2,1]}'`,
		"{p0}", "{seed}", "{params.1}", "x{params.0.u}", "{from}-{to}"))
	tally, err := meeting(t, s, "bot", "bot(u=0.25)", 4)
	if err != nil || tally.Entrants[1].Sums[void] != 0 || tally.Games != 8 {
		t.Fatalf("%+v, %v", tally, err)
	}
	// In the first seat 0.25 wins, and 0.5 loses.
	if won := tally.Entrants[1].Seats[0].Score + tally.Entrants[1].Seats[1].Score; won != 8*2 {
		t.Errorf("%d half points of 16", won)
	}
	if n := running(s); n != 0 {
		t.Errorf("%d processes are left", n)
	}
}

// Commands that tell no result are asked again, then the game is void; after many
// of them no more games are asked for. Each fault is told.
func TestFailingCommands(t *testing.T) {
	for script, want := range map[string]string{
		"exit 3":                       "crash: it ended without a result: exit status 3",
		"echo oops >&2; exit 1":        "oops",
		`echo '{"ranks":[1]}'`:         "garbage: ranks: expected 2 integers",
		"echo '{'":                     "garbage: expected a line of JSON",
		"sleep 100":                    "stall: no result in 50ms",
		"while :; do echo noise; done": "stall",
	} {
		e := shell("bot", command, script, "{seed}")
		e.Recorded = true
		if strings.HasPrefix(want, "stall") {
			e.Deadlines.Move = 50 * time.Millisecond
		}
		s := opened(t, e)
		_, err := meeting(t, s, "bot", "bot(u=0)", 20)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "8 games in a row") {
			t.Errorf("%s: %v, expected %s", script, err, want)
		}
		if n := running(s); n > 1 { // a game of the other worker may be under way
			t.Errorf("%s: %d processes are left", script, n)
		}
	}
	half := shell("bot", command, `case $1 in *[13579]) exit 1;; esac; echo '{"ranks":[1,2]}'`, "{seed}")
	half.Recorded = true
	tally, err := meeting(t, opened(t, half), "bot", "bot(u=0)", 6)
	if err != nil || tally.Entrants[0].Sums[void] == 0 || tally.Entrants[0].Sums[void] == 12 {
		t.Errorf("void games of 12: %+v, %v", tally.Entrants, err)
	}
}

// A program in JSON Lines goes on over many games; what it does wrong is told.
func TestJSONLines(t *testing.T) {
	const hello = `read -r l; echo '{"id":"1","protocol":1,"name":"x","role":"match","deterministic":true,"params":[{"name":"u","kind":"float","low":0,"high":1,"default":0.5}]}'; `
	const id = `i=${l#*'"id":"'}; i=${i%%'"'*}; `
	good := shell("good", JSONLines, hello+`while read -r l; do `+id+`echo "{\"id\":\"$i\",\"ranks\":[1,2]}"; done`)
	good.Params = nil
	s := opened(t, good)
	tally, err := meeting(t, s, "good", "good(u=0)", 10)
	if err != nil || tally.Games != 20 || running(s) > 3 {
		t.Errorf("%d games, %d processes, %v", tally.Games, running(s), err)
	}
	for script, want := range map[string]string{
		hello + `read -r l; echo '{"id":"77","ranks":[1,2]}'`:                                              `garbage: id: expected 2, got "77"`,
		hello + `read -r l; echo nonsense`:                                                                 "garbage: expected a line of JSON",
		hello + `read -r l; echo '{"id":"2","error":"no such seed"}'`:                                      "no such seed",
		hello + `read -r l; exit 4`:                                                                        "crash: exit status 4",
		hello + `read -r l; sleep 100`:                                                                     "stall: no answer in 50ms",
		`read -r l; sleep 100`:                                                                             "stall: handshake: no answer in 60ms; its key deadlines: {start: SECONDS} gives it longer",
		`read -r l; echo '{"id":"1","protocol":9,"role":"match"}'`:                                         "protocol: expected 1, got 9",
		`read -r l; echo '{"id":"1","protocol":1,"role":"spectator"}'`:                                     "role: expected match or player",
		`read -r l; echo '{"id":"1","protocol":1,"role":"match","params":[{"name":"u","kind":"colour"}]}'`: "int, float, bool or choice",
	} {
		bad := shell("bad", JSONLines, script)
		bad.Params, bad.Recorded = nil, true
		if strings.HasPrefix(want, "stall: handshake") {
			bad.Deadlines.Start = 60 * time.Millisecond
		} else if strings.HasPrefix(want, "stall") {
			bad.Deadlines.Move = 50 * time.Millisecond
		}
		if _, err := meeting(t, opened(t, bad), "bad", "bad(u=0)", 20); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %s", script, err, want)
		}
	}
}

// A program whose process for a game starts too slowly says so, with the way out.
func TestSlowStartOfAGame(t *testing.T) {
	const hello = `echo '{"id":"1","protocol":1,"name":"x","role":"match","deterministic":true,"params":[]}'; `
	once := filepath.Join(t.TempDir(), "once")
	e := shell("slow", JSONLines, `read -r l; [ -e '`+once+`' ] && sleep 100; : > '`+once+`'; `+hello+`read -r l`)
	e.Params, e.Deadlines.Start = nil, 2*time.Second
	s := opened(t, e)
	found, _ := s.Find("slow")
	const want = "in a game on trial: stall: handshake: no answer in 2s; its key deadlines: {start: SECONDS} gives it longer"
	if _, err := (registered{s, found}).identifyWhole(2); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, expected %s", err, want)
	}
}

// A program that ends without a parameter that it offered in a way that is not understood is
// told with it.
func TestCrashWithoutAParameter(t *testing.T) {
	const hello = `read -r l; echo '{"id":"1","protocol":1,"name":"x","role":"match","deterministic":true,"params":[{"name":"u","kind":"int","low":0,"high":10,"default":12},{"name":"v","kind":"int","low":0,"high":10,"default":1}]}'; `
	bad := shell("bad", JSONLines, hello+`read -r l; exit 4`)
	bad.Params = nil
	s := opened(t, bad)
	e, _ := s.Find("bad")
	_, err := registered{s, e}.identifyWhole(2)
	for _, want := range []string{"crash: exit status 4", "not understood of its parameters", "parameter u", "expected an integer in 0..10, got 12"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	if _, input := errors.AsType[*arena.UnfitError](err); !input {
		t.Errorf("%v is no mistake of the input", err)
	}
}

// Mistakes in an entry are told when it is registered.
func TestCheckElsewhere(t *testing.T) {
	for want, e := range map[string]Entry{
		"{seed} among its arguments":       {Name: "x", Protocol: command, Command: []string{"x", "{params.0}"}},
		"unknown placeholder {sed}":        {Name: "x", Protocol: command, Command: []string{"x", "{seed}", "{sed}"}},
		"expected at most 4":               {Name: "x", Protocol: JSONLines, Command: []string{"x"}, Metrics: make([]string, elsewhere.Metrics+1)},
		"tells its own in the handshake":   {Name: "x", Protocol: JSONLines, Command: []string{"x"}, Params: []param.Declared{{Name: "u", Kind: "bool", Default: "true"}}},
		"an integer by default":            {Name: "x", Protocol: command, Command: []string{"x", "{seed}"}, Params: []param.Declared{{Name: "u", Kind: "int", Default: "a"}}},
		"options: expected none":           {Name: "x", Protocol: command, Command: []string{"x", "{seed}"}, Options: []Setting{{Name: "a"}}},
		"one that speaks uci does not":     {Name: "x", Command: []string{"x"}, Game: "chess"},
		"params, metrics: expected none":   {Name: "x", Command: []string{"x"}, Metrics: []string{"a"}},
		"ugi, gtp, command or jsonl, got ": {Name: "x", Protocol: "xboard", Command: []string{"x"}},
	} {
		if _, err := Open([]Entry{e}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, expected %s", e, err, want)
		}
	}
	if _, err := Open([]Entry{{Name: "x", Protocol: command, Command: []string{"awk", "{print {seed}}"}}}); err != nil {
		t.Errorf("braces of a program's own: %v", err)
	}
}

// askedRole says that the test's own program is a player that is asked for moves of a
// game, with a fault or none: "GAME FAULT".
const askedRole = "SAKUSEN_TEST_ASKED"

// becomeAsked makes this process such a player: it takes the first legal move.
func becomeAsked() {
	game, fault, _ := strings.Cut(os.Getenv(askedRole), " ")
	for in := json.NewDecoder(os.Stdin); ; {
		var ask struct {
			Do, ID string
			Open   []string
			Legal  []any
			Hands  [][]int
			Ships  []struct{ Length int }
		}
		if in.Decode(&ask) != nil || ask.Do == "quit" {
			return
		}
		say := func(format string, args ...any) {
			fmt.Printf(`{"id":"`+ask.ID+`",`+format+"}\n", args...)
		}
		switch {
		case ask.Do == "hello":
			say(`"protocol":1,"name":"first","role":"player","game":"%s","deterministic":true`, game)
		case fault == "dies":
			os.Exit(1)
		case fault == "chance" && ask.Do == "shoot":
			say(`"at":"%s"`, ask.Open[os.Getpid()%len(ask.Open)])
		case ask.Do == "place":
			var ships []string
			for i := range ask.Ships {
				ships = append(ships, fmt.Sprintf(`{"at":"a%d"}`, i+1))
			}
			say(`"ships":[%s]`, strings.Join(ships, ","))
		case ask.Do == "shoot":
			say(`"at":"%s"`, ask.Open[0])
		case ask.Do == "move":
			say(`"move":"%s"`, ask.Legal[0])
		case ask.Do == "choose":
			say(`"card":%v`, ask.Legal[0])
		}
	}
}

// firstPlayer takes the first legal move of a game.
func firstPlayer(name, game, fault string) Entry {
	return Entry{Name: name, Protocol: JSONLines, Game: game, Command: []string{os.Args[0]}, Environment: []string{askedRole + "=" + game + " " + fault}}
}

// Programs are asked for moves of built-in games; one that fails loses its games, and no
// other's.
func TestAskedForMoves(t *testing.T) {
	for _, game := range []string{"battleship", "chess", "daifugo"} {
		if suite.Few() && game == "chess" {
			continue
		}
		s := opened(t, firstPlayer("first", game, ""), firstPlayer("dies", game, "dies"))
		rs, err := s.askedGame(s.entries[0].Game).OpenRules(nil)
		if err != nil {
			t.Fatal(err)
		}
		series := arena.Series{Ruleset: rs, Seed: 1, To: 1}
		for seat := range rs.Seats {
			name := "first"
			if seat == 0 {
				name = "dies"
			}
			e, err := rs.Entrant(name)
			if err != nil {
				t.Fatal(err)
			}
			series.Entrants = append(series.Entrants, e)
		}
		tally, err := arena.NewPool(2).Play(context.Background(), series, nil)
		if err != nil || points(tally.Entrants[0]) != 0 || tally.Entrants[0].Faults != tally.Games || tally.Entrants[1].Faults != 0 {
			t.Errorf("%s: %+v, %v", game, tally, err)
		}
		if why, err := rs.Recorded("first"); why != "" || err != nil {
			t.Errorf("%s: %s, %v", game, why, err)
		}
		if passed, said := found(t, firstPlayer("first", game, "")); said != "" || !passed["plays"] || !passed["same answers"] {
			t.Errorf("%s: %v %s", game, passed, said)
		}
	}
	if passed, said := found(t, firstPlayer("first", "battleship", "chance")); passed["same answers"] || !strings.Contains(said, "does not play the same twice") {
		t.Errorf("%v %s", passed, said)
	}
	wrong := firstPlayer("first", "battleship", "")
	wrong.Environment = []string{askedRole + "=chess "}
	if passed, said := found(t, wrong); passed["handshake"] || !strings.Contains(said, "role is player battleship, got player chess") {
		t.Errorf("%v %s", passed, said)
	}
	if _, err := Open([]Entry{{Name: "x", Protocol: JSONLines, Game: "checkers", Command: []string{"x"}}}); err == nil || !strings.Contains(err.Error(), "expected one of battleship, chess, daifugo") {
		t.Error(err)
	}
}

// Metrics have the names that the programs' entries give them; a place that two of them name
// differently is told by its number.
func TestMetricsKeepTheirNames(t *testing.T) {
	metrics := elsewhere.Game().Metrics
	for _, c := range []struct {
		lists [][]string
		want  string
	}{
		{nil, "faults void"},
		{[][]string{{"plies"}, nil, {"plies", "nodes"}}, "faults void plies nodes"},
		{[][]string{{"plies", "nodes"}, {"plies", "moves"}}, "faults void plies metric2"},
		{[][]string{{"a", "b"}, {"b"}}, "faults void metric1 b"},
	} {
		var names []string
		for _, m := range elsewhere.Named(metrics, c.lists...) {
			names = append(names, m.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v: %s, expected %s", c.lists, got, c.want)
		}
	}
	for _, names := range [][]string{{"faults"}, {"plies", "plies"}, {""}} {
		if err := (&Entry{Name: "bot", Protocol: JSONLines, Command: []string{"bot"}, Metrics: names}).Check(); err == nil {
			t.Errorf("%q are accepted", names)
		}
	}
}
