//go:build unix

package external

import (
	"context"
	"os"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/external/gtptest"
	"sakusen/engines/param"
)

// goPlays returns a program that plays go, with its level as a parameter: an argument, or
// a command before each game.
func goPlays(name, fault string, setup bool) Entry {
	e := Entry{Name: name, Protocol: gtp, Command: []string{os.Args[0]}, Environment: gtptest.As(fault),
		Params: []param.Declared{{Name: "level", Kind: "int", Low: 1, High: 20, Default: "2"}}}
	if setup {
		e.Setup = []string{"level {params.level}"}
	} else {
		e.Command = append(e.Command, "{params.level}")
	}
	return e
}

// consenting plays two entrants of a game whose rules the programs know.
func consenting(t *testing.T, game *arena.Game, rules param.Values, a, b string, blocks int64) (*arena.Ruleset, arena.Tally) {
	t.Helper()
	rs, err := game.OpenRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	series := arena.Series{Ruleset: rs, Seed: 1, To: blocks}
	for _, text := range []string{a, b} {
		e, err := rs.Entrant(text)
		if err != nil {
			t.Fatal(err)
		}
		series.Entrants = append(series.Entrants, e)
	}
	tally, err := arena.NewPool(2).Play(context.Background(), series, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rs, tally
}

// Who looks at more points wins, whichever way the level reaches the program.
func TestGoIsPlayed(t *testing.T) {
	s := opened(t, goPlays("arg", gtptest.Sound, false), goPlays("set", gtptest.Sound, true))
	for _, name := range []string{"arg", "set"} {
		rs, tally := consenting(t, s.Go(), nil, name+"(level=8)", name, 12)
		if won := points(tally.Entrants[0]); won < 30 || tally.Entrants[0].Sums[rs.Component("void")] > 0 {
			t.Errorf("%s: %d half points of 48: %+v", name, won, tally.Entrants[0])
		}
		if why, err := rs.Recorded(name); err != nil || why != "" {
			t.Errorf("%s: %s, %v", name, why, err)
		}
	}
	rs, tally := consenting(t, s.Go(), param.Values{{Name: "seconds", Text: "1"}}, "arg", "set", 2)
	if why, _ := rs.Recorded("arg"); !strings.Contains(why, "clock") || tally.Games != 4 {
		t.Errorf("by the clock: %q", why)
	}
	if why, _ := mustOpen(t, s.Go()).Recorded("arg"); why != "" {
		t.Error(why)
	}
	chance := opened(t, goPlays("chance", gtptest.Chance, false))
	if why, err := mustOpen(t, chance.Go()).Recorded("chance"); err != nil || !strings.Contains(why, "does not play the same twice") {
		t.Errorf("by chance: %q, %v", why, err)
	}
}

// points returns half points.
func points(e arena.EntrantTally) (n int64) {
	for _, s := range e.Seats {
		n += s.Score
	}
	return n
}

func mustOpen(t *testing.T, g *arena.Game) *arena.Ruleset {
	t.Helper()
	rs, err := g.OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

// Where the programs do not agree on a move or on the result the block is void; what
// a program does wrong loses, or voids its block too.
func TestGoDisputes(t *testing.T) {
	s := opened(t, goPlays("sound", gtptest.Sound, false), goPlays("liar", gtptest.Liar, false), goPlays("occupied", gtptest.Occupied, false),
		goPlays("dies", gtptest.Dies, false), goPlays("garbles", gtptest.Garbles, false))
	const blocks, half = 4, 8 // a block has two games of two half points
	for _, c := range []struct {
		name, faults, counted string
		score, void           int64
	}{
		{"liar", "lose", "disputes", half, 8}, {"occupied", "lose", "disputes", half, 8},
		{"dies", "lose", "crashes", 0, 0}, {"dies", "void", "crashes", half, 8}, {"garbles", "lose", "garbled", 0, 0},
	} {
		rs, tally := consenting(t, s.Go(), param.Values{{Name: "faults", Text: c.faults}}, c.name, "sound", blocks)
		e := tally.Entrants[0]
		if points(e) != c.score || e.Sums[rs.Component("void")] != c.void || e.Sums[rs.Component(c.counted)] < blocks {
			t.Errorf("%+v: %+v", c, e)
		}
	}
	if n := running(s); n > 6 {
		t.Errorf("%d processes are left", n)
	}
}

// Each parameter must reach the program.
func TestCheckGo(t *testing.T) {
	e := goPlays("go", gtptest.Sound, false)
	e.Command = e.Command[:1]
	if _, err := Open([]Entry{e}); err == nil || !strings.Contains(err.Error(), "level has no effect") {
		t.Error(err)
	}
	e.Command = append(e.Command, "{params.level}", "{params.depth}")
	if _, err := Open([]Entry{e}); err == nil || !strings.Contains(err.Error(), "unknown parameter depth") {
		t.Error(err)
	}
	e = goPlays("go", gtptest.Sound, true)
	e.Options = []Setting{{Name: "Hash", Value: "1"}}
	if _, err := Open([]Entry{e}); err == nil {
		t.Error("options are for UCI")
	}
}

// Conformance of programs that play go.
func TestConformGo(t *testing.T) {
	if passed, said := found(t, goPlays("go", gtptest.Sound, false)); said != "" || len(passed) != 4 {
		t.Errorf("%v %s", passed, said)
	}
	for fault, check := range map[string]string{gtptest.Occupied: "moves", gtptest.Dies: "plays", gtptest.Chance: "same"} {
		if passed, said := found(t, goPlays("go", fault, false)); passed[check] {
			t.Errorf("%s: %v %s", fault, passed, said)
		}
	}
}

// pile returns the text of stones, a program that speaks UGI in the language of the shell: of a pile, one or
// as many stones as its argument says are taken, and who takes the last one has won.
func pile(name, takes, result string) Entry {
	script := `while read -r a b c d; do case $a in
ugi) echo "id name Pile"; echo ugiok;;
isready) echo readyok;;
position) set -- $c $d; n=$1; first=true; shift; for m; do if [ $m != moves ]; then n=$((n-m)); if [ $first = true ]; then first=false; else first=true; fi; fi; done;;
go) echo bestmove $(( n < $TAKES ? n : $TAKES ));;
query) case $b in
 gameover) [ $n = 0 ] && echo response true || echo response false;;
 p1turn) echo response $first;;
 result) if [ $n != 0 ]; then echo response none; elif [ $RESULT = lies ]; then echo response draw; elif [ $first = true ]; then echo response p2win; else echo response p1win; fi;;
 esac;;
quit) exit;; esac; done`
	return Entry{Name: name, Protocol: "ugi", Command: []string{"/bin/sh", "-c", script}, Environment: []string{"TAKES=" + takes, "RESULT=" + result}}
}

// Two programs play a game whose rules they alone know, and agree who has won; where they
// do not, the block is void.
func TestUGI(t *testing.T) {
	s := opened(t, pile("one", "1", "true"), pile("two", "2", "true"), pile("liar", "2", "lies"))
	rules := param.Values{{Name: "book", Text: "fen 3|fen 4|fen 5 moves 1"}, {Name: "limit", Text: "depth:1"}}
	rs, tally := consenting(t, s.UGI(), rules, "two", "one", 3)
	e := tally.Entrants[0]
	// From 3: 2 1, or 1 2: the second wins each time. From 4: 2 1 1 and 1 2 1: the first.
	// After 5 and 1 the second is to move: 2 1 1 and 1 2 1: it wins both times.
	if points(e) != 6 || e.Seats[0].Score != 2 || e.Sums[rs.Component("void")] != 0 || rs.Starts != 3 {
		t.Errorf("%+v", e)
	}
	if why, err := rs.Recorded("two"); err != nil || why != "" {
		t.Errorf("%s, %v", why, err)
	}
	rs, tally = consenting(t, s.UGI(), rules, "liar", "two", 2)
	if e := tally.Entrants[0]; points(e) != 4 || e.Sums[rs.Component("void")] != 4 || e.Sums[rs.Component("disputes")] != 4 {
		t.Errorf("%+v", e)
	}
	if _, err := s.UGI().OpenRules(param.Values{{Name: "book", Text: "fen 3|fen 3"}}); err == nil || !strings.Contains(err.Error(), "line 2: opening: expected each opening once, got that of line 1 again") {
		t.Error(err)
	}
}
