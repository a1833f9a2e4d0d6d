//go:build unix

package external

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"sakusen/engines/external/process"
)

// The test's own program is every program that speaks a protocol: the variable says which.
const protocolRole = "SAKUSEN_TEST_PROTOCOL"

func speak(r string) {
	in := bufio.NewScanner(os.Stdin)
	hello := map[string]string{"uci": "uciok", "usi": "usiok", "ugi": "ugiok", "uai": "uaiok"}
	sets := 0
	for in.Scan() {
		line := in.Text()
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "uci", "usi", "ugi", "uai":
			if r == "no handshake" {
				continue
			}
			fmt.Println("Fake engine says hello")
			fmt.Println("id name Fake 1.0")
			fmt.Println("id author nobody at all")
			fmt.Println("option name Hash type spin default 16 min 1 max 1024")
			fmt.Println("option name King Safety X (MG, 1) type spin default -5 min -10 max 10")
			fmt.Println("option name Ponder type check default false")
			fmt.Println("option name Style of play type combo default Very Solid var Very Solid var Wild")
			fmt.Println("option name Clear Hash type button")
			fmt.Println("option name Log File type string default <empty>")
			if r == "lies" {
				fmt.Println("option name Depth type spin default 99 min 1 max 9")
			}
			fmt.Println(hello[word])
		case "setoption":
			sets++
			fmt.Fprintln(os.Stderr, line)
		case "isready":
			if r == "never ready" {
				continue
			}
			fmt.Println("readyok")
		case "stop":
			if r == "until stop" {
				fmt.Println("bestmove e2e4")
			}
		case "go":
			switch r {
			case "crashes":
				fmt.Fprintln(os.Stderr, "segmentation fault")
				os.Exit(139)
			case "hangs", "until stop":
			case "floods":
				w := bufio.NewWriter(os.Stdout)
				for {
					w.WriteString("info depth 1 score cp 1 string never ends\n")
				}
			case "long line":
				fmt.Println("info string", strings.Repeat("x", process.MaxLine+10))
			case "says nothing":
				fmt.Println("bestmove")
			default:
				fmt.Println("info depth 1 score cp 13 nodes 20 pv e2e4 e7e5")
				fmt.Println("info depth 9 multipv 2 score cp -900 nodes 999")
				fmt.Println("info depth 7 seldepth 9 score mate -3 nodes 4321 pv a1a2")
				fmt.Println("info string score cp 77")
				fmt.Printf("bestmove e2e4 ponder %s/%d\n", strings.ReplaceAll(rest, " ", "_"), sets)
			}
		}
	}
	if r == "ignores quit" {
		time.Sleep(time.Hour)
	}
}

func keeper(t testing.TB) *process.Keeper {
	t.Helper()
	k, err := process.NewKeeper()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(k.Close)
	return k
}

func speaker(r string) uciProgram {
	return uciProgram{
		Command:   process.Command{Args: []string{os.Args[0]}, Env: []string{protocolRole + "=" + r}},
		Deadlines: Deadlines{Stop: 200 * time.Millisecond},
	}
}

func TestHandshake(t *testing.T) {
	k := keeper(t)
	for _, name := range []string{"uci", "usi", "uai", "ugi"} {
		p := speaker("well behaved")
		p.Dialect, _ = findDialect(name)
		e, err := startUCI(k, p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if e.Name != "Fake 1.0" || e.Author != "nobody at all" || len(e.Options) != 6 {
			t.Errorf("%q by %q with %d options", e.Name, e.Author, len(e.Options))
		}
		o, ok := e.option("king safety x (mg, 1)")
		if !ok || o.Name != "King Safety X (MG, 1)" || o.Min != -10 || o.Max != 10 || o.Default != "-5" {
			t.Errorf("%+v", o)
		}
		if o, _ := e.option("style of play"); o == nil || o.Default != "Very Solid" || len(o.Vars) != 2 {
			t.Errorf("%+v", o)
		}
		e.Close()
	}
	if _, ok := findDialect("xboard"); ok {
		t.Error("xboard is a dialect of UCI")
	}
	if k.Running() != 0 {
		t.Errorf("%d programs run on", k.Running())
	}
}

func TestGame(t *testing.T) {
	e, err := startUCI(keeper(t), speaker("well behaved"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, bad := range []Setting{{"Nothing", "1"}, {"Hash", "4096"}, {"Hash", "x"}, {"Ponder", "yes"}, {"Style of play", "Mild"}, {"Log File", "a\nquit"}} {
		if err := e.newGame([]Setting{bad}); err == nil {
			t.Errorf("%v is set", bad)
		}
	}
	settings := []Setting{{"hash", "32"}, {"King Safety X (MG, 1)", "3"}, {"Clear Hash", ""}, {"Log File", "a b"}}
	for range 2 { // the second time only the button is pressed again
		if err := e.newGame(settings); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		limit SearchLimit
		want  string
	}{
		{SearchLimit{Nodes: 1000}, "nodes_1000/5"},
		{SearchLimit{Depth: 4}, "depth_4/5"},
		{SearchLimit{MoveTime: 100}, "movetime_100/5"},
		{SearchLimit{Clock: [2]int64{2000, 1500}, Increment: [2]int64{10, 20}}, "wtime_2000_btime_1500_winc_10_binc_20/5"},
	} {
		a, err := e.Go("position startpos", c.limit)
		if err != nil || a.Best != "e2e4" || !strings.HasSuffix(a.Said, " "+c.want) {
			t.Errorf("%q, %v; expected %s", a.Said, err, c.want)
		}
		if !a.Scored || !a.MateScore || a.Score != -3 || a.Depth != 7 || a.Nodes != 4321 {
			t.Errorf("%+v", a)
		}
	}
}

// Faults are told apart, and after each the program is gone.
func TestFaults(t *testing.T) {
	k := keeper(t)
	for r, want := range map[string]struct {
		kind kind
		said string
	}{
		"crashes":      {crash, "exit status 139: segmentation fault"},
		"hangs":        {stall, ""},
		"until stop":   {Overtime, "only to stop"},
		"floods":       {stall, ""},
		"long line":    {Protocol, "a line of more than"},
		"says nothing": {Protocol, `"bestmove"`},
		"never ready":  {stall, ""},
		"no handshake": {stall, ""},
		"lies":         {Protocol, `option "Depth" of type spin`},
	} {
		p := speaker(r)
		p.Deadlines.Move = 200 * time.Millisecond
		if r == "never ready" {
			p.Deadlines.Ready = 200 * time.Millisecond
		}
		if r == "no handshake" {
			p.Deadlines.Start = 200 * time.Millisecond
		}
		if r == "long line" || r == "crashes" {
			p.Deadlines.Move = 30 * time.Second
		}
		e, err := startUCI(k, p)
		if err == nil {
			if err = e.newGame(nil); err == nil {
				_, err = e.Go("position startpos", SearchLimit{Nodes: 1})
			}
			e.Close()
		}
		var f *Fault
		if !errors.As(err, &f) || f.Kind != want.kind || !strings.Contains(f.Said, want.said) {
			t.Errorf("%s: %v, expected a %s that says %q", r, err, want.kind, want.said)
		}
		if k.Running() != 0 {
			t.Errorf("%s: %d programs run on", r, k.Running())
		}
	}
	e, err := startUCI(k, speaker("ignores quit"))
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	if k.Running() != 0 {
		t.Error("a program that ignores quit runs on")
	}
}

func TestOptionLines(t *testing.T) {
	for _, bad := range []string{
		"", "option", "option name", "option name X", "option name X type slider",
		"option name X type spin default 1", "option name X type spin default 1 min 2 max 3", "option name X type spin default 1 min a max 3",
		"option name X type check default maybe", "option name X type combo default a var b",
	} {
		if o, err := parseOption(bad); err == nil {
			t.Errorf("%q reads as %+v", bad, o)
		}
	}
}

func FuzzOption(f *testing.F) {
	f.Add("option name King Safety X (MG, 1) type spin default -5 min -10 max 10")
	f.Add("option name Style of play type combo default Very Solid var Very Solid var Wild")
	f.Fuzz(func(t *testing.T, line string) {
		if o, err := parseOption(line); err == nil && o.Type != "string" && o.Type != "filename" {
			if err := o.Check(o.Default); err != nil {
				t.Errorf("%q: its default is refused: %v", line, err)
			}
		}
		var a answer
		a.info(line)
	})
}

// Debian's engines shake hands and answer a search of fixed depth; those that
// obey "go nodes" are asked with nodes too.
func TestDebianEngines(t *testing.T) {
	k := keeper(t)
	for _, c := range []struct {
		args  []string
		nodes bool
	}{
		{[]string{"stockfish"}, true}, {[]string{"glaurung"}, true}, {[]string{"toga2"}, false}, {[]string{"gnuchess", "--uci"}, false},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			path, err := exec.LookPath(c.args[0])
			if err != nil {
				path, err = exec.LookPath("/usr/games/" + c.args[0]) // where Debian puts it
			}
			if err != nil {
				t.Skipf("Debian's package %s is not installed", c.args[0])
			}
			e, err := startUCI(k, uciProgram{Command: process.Command{Args: append([]string{path}, c.args[1:]...)}})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			var settings []Setting
			for _, s := range []Setting{{"OwnBook", "false"}, {"Threads", "1"}, {"Ponder", "false"}} {
				if _, ok := e.option(s.Name); ok {
					settings = append(settings, s)
				}
			}
			limits := []SearchLimit{{Depth: 3}}
			if c.nodes {
				limits = append(limits, SearchLimit{Nodes: 500})
			}
			for _, limit := range limits {
				if err := e.newGame(settings); err != nil {
					t.Fatal(err)
				}
				a, err := e.Go("position startpos moves e2e4", limit)
				if err != nil || len(a.Best) != 4 || !a.Scored {
					t.Errorf("%+v, %v", a, err)
				}
			}
			t.Logf("%s, %d options", e.Name, len(e.Options))
		})
	}
}
