//go:build unix

package external

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/external/process"
	"sakusen/engines/param"
	"sakusen/engines/suite"
)

// protocolRole names the variable that says which program the test's own program plays.
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
		a, err := e.search("position startpos", c.limit)
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
		"long line":    {protocolFault, "a line of more than"},
		"says nothing": {protocolFault, `"bestmove"`},
		"never ready":  {stall, ""},
		"no handshake": {stall, ""},
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
				_, err = e.search("position startpos", SearchLimit{Nodes: 1})
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

// Lines of options as programs write them, and what is understood of them.
func TestOptionLines(t *testing.T) {
	for _, c := range []struct {
		line string
		want option
		odd  string // what was expected, where it cannot be set
	}{
		{"option name Hash type spin default 16 min 1 max 33554432", option{"Hash", "spin", "16", 1, 33554432, nil}, ""},
		{"option name Hash type spin min 8 max 65536 default 16", option{"Hash", "spin", "16", 8, 65536, nil}, ""},
		{"option name Debug Log File type string default", option{"Debug Log File", "string", "", 0, 0, nil}, ""},
		{"option name SyzygyPath type string default <empty>", option{"SyzygyPath", "string", "", 0, 0, nil}, ""},
		{"option name BackendOptions type string", option{"BackendOptions", "string", "", 0, 0, nil}, ""},
		{"option name WeightsFile type string default <from file name of var min>", option{"WeightsFile", "string", "<from file name of var min>", 0, 0, nil}, ""},
		{"option name CPuct type string default 1.745000", option{"CPuct", "string", "1.745000", 0, 0, nil}, ""},
		{"option name EvalFile type filename default nn.bin", option{"EvalFile", "filename", "nn.bin", 0, 0, nil}, ""},
		{"option name Clear Hash type button", option{"Clear Hash", "button", "", 0, 0, nil}, ""},
		{"option name Clear Hash type button default", option{"Clear Hash", "button", "", 0, 0, nil}, ""},
		{"option name Ponder type check default False", option{"Ponder", "check", "false", 0, 0, nil}, ""},
		{"option name Nullmove type check default True", option{"Nullmove", "check", "true", 0, 0, nil}, ""},
		{"option name Use tablebases type check default 1", option{"Use tablebases", "check", "true", 0, 0, nil}, ""},
		{"option\tname\tAggr  X\ttype spin\tdefault 3 min 0\tmax 10\r", option{"Aggr X", "spin", "3", 0, 10, nil}, ""},
		{"option name Piece type bonus type spin default 3 min 0 max 10", option{"Piece type bonus", "spin", "3", 0, 10, nil}, ""},
		{"option name A type string type spin default 3 min 0 max 10", option{"A type string", "spin", "3", 0, 10, nil}, ""},
		{"option name default move time type spin default 3 min 0 max 10", option{"default move time", "spin", "3", 0, 10, nil}, ""},
		{"option name Book type string default my name type min", option{"Book", "string", "my name type min", 0, 0, nil}, ""},
		{"option name X type Spin default -3 min -5 max +5", option{"X", "spin", "-3", -5, 5, nil}, ""},
		{"option name X type spin default 1 min 0 max 18446744073709551615", option{"X", "spin", "1", 0, math.MaxInt64, nil}, ""},
		{"option name Style type combo default Very Solid var Very Solid var Wild var default", option{"Style", "combo", "Very Solid", 0, 0, []string{"Very Solid", "Wild", "default"}}, ""},
		{"option name Net type combo default <empty> var <empty> var a.nnue", option{"Net", "combo", "<empty>", 0, 0, []string{"<empty>", "a.nnue"}}, ""},
		{"option name Protocol type combo var usi var usi var uci default uci", option{"Protocol", "combo", "uci", 0, 0, []string{"usi", "uci"}}, ""},
		{"option name Mode type combo default normal var Normal var min max", option{"Mode", "combo", "Normal", 0, 0, []string{"Normal", "min max"}}, ""},

		{"option name Backend type combo default cuda-auto var cuda-auto var cuda var cuda-fp16 var check var random", option{"Backend", "combo", "cuda-auto", 0, 0, []string{"cuda-auto", "cuda", "cuda-fp16", "check", "random"}}, ""},
		{"option name WeightsFile type string default <autodiscover>", option{"WeightsFile", "string", "<autodiscover>", 0, 0, nil}, ""},
		{"option name TempDecayMoves type spin default 0 min 0 max 640", option{"TempDecayMoves", "spin", "0", 0, 640, nil}, ""},
		{"option name FpuValue type string default -0.330000", option{"FpuValue", "string", "-0.330000", 0, 0, nil}, ""},
		{"option name Debug Log File type string default ", option{"Debug Log File", "string", "", 0, 0, nil}, ""},
		{"option name NumaPolicy type string default auto", option{"NumaPolicy", "string", "auto", 0, 0, nil}, ""},
		{"option name Net type combo default <empty> var var a.nnue", option{"Net", "combo", "", 0, 0, []string{"", "a.nnue"}}, ""},
		{"option name " + strings.Repeat("x", 101) + " type spin default 1 min 0 max 3", option{Name: strings.Repeat("x", 100) + "..."}, "a name of at most 100"},
		{"option name P[0][1] type spin default -5 min -20 max 20", option{"P[0][1]", "spin", "-5", -20, 20, nil}, ""},
		{"option name NoobBookLimit type spin default 8 min 0 max 32 ", option{"NoobBookLimit", "spin", "8", 0, 32, nil}, ""},
		{"option name RAZORING_COEFF_0 type spin default 123 min -999999 max 999999", option{"RAZORING_COEFF_0", "spin", "123", -999999, 999999, nil}, ""},
		{"option name LMR_BASE type string default 9.9e-1", option{"LMR_BASE", "string", "9.9e-1", 0, 0, nil}, ""},
		{"option name Rate Of Play type combo default Normal var Slow var Normal var Fast", option{"Rate Of Play", "combo", "Normal", 0, 0, []string{"Slow", "Normal", "Fast"}}, ""},
		{"option name NalimovCache type spin default 1 min 1 max 16 \r", option{"NalimovCache", "spin", "1", 1, 16, nil}, ""},
		{"option name RatingAdv type spin default 0 min -10000 max 10000", option{"RatingAdv", "spin", "0", -10000, 10000, nil}, ""},
		{"option name Mobility (Middle Game) type spin default 100 min 0 max 200", option{"Mobility (Middle Game)", "spin", "100", 0, 200, nil}, ""},
		{"option name X type float default 0.5 min 0 max 1", option{Name: "X", Type: "float"}, "a type: spin"},
		{"option name X type spin default 1e2 min 0 max 1e3", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type check default yes", option{Name: "X", Type: "check"}, "default true or false"},

		{"OPTION Name X TYPE SPIN Default -3 MIN -5 Max 5", option{"X", "spin", "-3", -5, 5, nil}, ""},
		{"Option Name X Type Check Default TRUE", option{"X", "check", "true", 0, 0, nil}, ""},
		{"option", option{}, "option name NAME type TYPE"},
		{"option name", option{}, "option name NAME type TYPE"},
		{"option type spin name X", option{}, "option name NAME type TYPE"},
		{"option name type spin default 1 min 0 max 2", option{}, "a name"},
		{"option name X", option{Name: "X"}, "a type: spin"},
		{"option name X default 3", option{Name: "X default 3"}, "a type: spin"},
		{"option name X type label default a", option{Name: "X", Type: "label"}, "a type: spin"},
		{"option name TablePath type string empty", option{Name: "TablePath", Type: "string"}, "nothing or default TEXT"},
		{"option name X type check", option{Name: "X", Type: "check"}, "default true or false"},
		{"option name X type check default maybe", option{Name: "X", Type: "check"}, "default true or false"},
		{"option name X type spin", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type spin default 1", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type spin min 0 max 3", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type spin default 1 min 2 max 3", option{Name: "X", Type: "spin", Min: 2, Max: 3}, "a default between min and max"},
		{"option name X type spin default 1 min 3 max 0", option{Name: "X", Type: "spin", Min: 3}, "a default between min and max"},
		{"option name X type spin default 1 min a max 3", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type spin default 0.5 min 0 max 1", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type spin default 18446744073709551615 min 0 max 18446744073709551615", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type spin default 1 min 0 max 3 step 2", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type spin default 1 min 0 max 3 more", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type spin default 1 min 0 max 3 default 2", option{Name: "X", Type: "spin"}, "default, min and max"},
		{"option name X type combo var a var b", option{Name: "X", Type: "combo", Vars: []string{"a", "b"}}, "a default among"},
		{"option name X type combo default a var b", option{Name: "X", Type: "combo", Vars: []string{"b"}}, "a default among"},
		{"option name X type combo a var b", option{Name: "X", Type: "combo"}, "default and var"},
		{"option name S\xe9curit\xe9 type check default true", option{Name: "S\xe9curit\xe9"}, "a line in UTF-8"},
	} {
		o, why := parseOption(c.line)
		if !reflect.DeepEqual(o, c.want) || (why == nil) != (c.odd == "") || why != nil && !strings.HasPrefix(why.want, c.odd) {
			t.Errorf("%q reads as %+v, %+v", c.line, o, why)
		}
	}
}

// Moves are read as programs write them.
func TestUCIMoves(t *testing.T) {
	for text, want := range map[string]string{"e2e4": "e2e4", "e7e8Q": "e7e8q", "E7E8Q": "e7e8q", "e7e8=n": "e7e8n", "E2E4": "e2e4", "0000": "", "e7e8k": "", "": "", "e2e4=": "", "e2=e4q": ""} {
		m, ok := uciMove(text)
		if ok != (want != "") || ok && m.String() != want {
			t.Errorf("%q is %s, %v", text, m, ok)
		}
	}
}

// An option that is not understood, or offered twice, is no obstacle: the program plays, and
// the option is refused only where it is named. Words may be parted by tabs.
func TestOddProgram(t *testing.T) {
	s := opened(t, fake("odd", "odd"), fake("good", "good"))
	info, err := s.Describe("odd")
	if err != nil {
		t.Fatal(err)
	}
	var left, named []string
	for _, i := range info.LeftOut.Items {
		left = append(left, i.Field)
	}
	for _, o := range info.Params {
		named = append(named, o.Name+"="+o.Default)
	}
	if got := strings.Join(left, "|"); got != "option TablePath|option|option salt" {
		t.Errorf("left out: %s", got)
	}
	if got := strings.Join(named, "|"); got != "Salt=7|Check Extension (PV nodes, all)=one|Switch=true|CPuct=1.745000" {
		t.Errorf("parameters: %s", got)
	}
	var text strings.Builder
	if err := info.WriteText(&text); err != nil || !strings.Contains(text.String(), "TablePath: expected nothing or default TEXT behind the type") || !strings.Contains(text.String(), "any number") {
		t.Errorf("%s %v", text.String(), err)
	}
	rules := param.Values{{Name: "limit", Text: "nodes:1"}, {Name: "most_plies", Text: "50"}}
	tally, err := arena.NewPool(1).Play(t.Context(), series(t, s, rules, "odd(CPuct=2.5)", "good", 2), nil)
	if err != nil || tally.Games != 4 || tally.Entrants[0].Faults+tally.Entrants[1].Faults > 0 {
		t.Errorf("%+v, %v", tally, err)
	}
	// One that offers too much, in capitals, and oddly what is always set.
	info, err = opened(t, fake("loud", "loud")).Describe("loud")
	if err != nil {
		t.Fatal(err)
	}
	text.Reset()
	if err := info.WriteText(&text); err != nil || info.LeftOut.Count() != 10003 || len(info.Params) != 3 || strings.Count(text.String(), "\n") > 32 || !strings.Contains(text.String(), "and 9985 more") {
		t.Errorf("%d left out, %v, %v\n%s", info.LeftOut.Count(), info.Params, err, text.String())
	}
	if want := []Setting{{"Threads", "1"}, {"Ponder", "false"}, {"OwnBook", "false"}, {"MultiPV", "1"}}; !reflect.DeepEqual(info.Set, want) {
		t.Errorf("set: %v", info.Set)
	}
	bad := fake("odd", "odd")
	bad.Options = []Setting{{"TablePath", "/x"}}
	if _, err := opened(t, bad).Describe("odd"); err == nil || !strings.Contains(err.Error(), `option "TablePath" cannot be set: expected nothing or default TEXT`) {
		t.Errorf("named: %v", err)
	}
}

// A program plays the same games if its lines end in NUL or CR, if its words are in capitals, and if it
// tells a second move to one request.
func TestSloppyProgram(t *testing.T) {
	rules := param.Values{{Name: "limit", Text: "nodes:1"}, {Name: "most_plies", Text: "50"}}
	var tidy []uint64
	for _, how := range []string{"", "NUL and LF", "LF and NUL", "NUL", "CR", "capitals", "a million bytes", "twice"} {
		if suite.Few() && how != "" && how != "NUL" && how != "twice" {
			continue
		}
		e := fake("engine", "sloppy: "+how)
		e.Deadlines = Deadlines{Start: 20 * time.Second, Ready: 20 * time.Second, Move: 20 * time.Second}
		s := opened(t, e)
		s.Unkept = true
		tally, all := digests(t, 1, series(t, s, rules, "engine", "engine(Salt=8)", 1))
		if how == "" {
			tidy = all
		}
		if tally.Games != 2 || tally.Entrants[0].Faults+tally.Entrants[1].Faults > 0 || !slices.Equal(all, tidy) {
			t.Errorf("%s: %d faults, games %x, expected %x", how, tally.Entrants[0].Faults+tally.Entrants[1].Faults, all, tidy)
		}
		if how == "twice" {
			passed, said := found(t, e)
			if passed["one answer"] || !strings.Contains(said, "it told 1 moves more, which are left out") {
				t.Errorf("%q: %s", how, said)
			}
		}
		s.Close()
	}
}

func FuzzOption(f *testing.F) {
	f.Add("option name King Safety X (MG, 1) type spin default -5 min -10 max 10")
	f.Add("option name Style of play type combo default Very Solid var Very Solid var Wild")
	f.Fuzz(func(t *testing.T, line string) {
		if o, why := parseOption(line); why == nil && o.Type != "string" && o.Type != "filename" {
			if err := o.check(o.Default); err != nil {
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
				a, err := e.search("position startpos moves e2e4", limit)
				if err != nil || len(a.Best) != 4 || !a.Scored {
					t.Errorf("%+v, %v", a, err)
				}
			}
			t.Logf("%s, %d options", e.Name, len(e.Options))
		})
	}
}
