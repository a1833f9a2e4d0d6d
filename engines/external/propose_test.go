//go:build unix

package external

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"sakusen/engines/chess"
	"sakusen/engines/external/ucitest"
)

// Of an engine that is asked what it offers, what is no way to play and what changes nothing
// is left out, and ranges lie about the defaults.
func TestPropose(t *testing.T) {
	s := opened(t, Entry{Name: "toy", Command: []string{os.Args[0]}, Environment: ucitest.As("", 0)},
		fake("dull", "odd"), Entry{Name: "go", Protocol: gtp, Command: []string{os.Args[0]}})
	p, err := s.Propose(t.Context(), "toy")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Params) != 1 || p.Params[0].Name != "Sense" || p.Params[0].Low != "5" || p.Params[0].High != "25" || p.Limit.Nodes < 500 || p.Recorded != "" {
		t.Errorf("%+v", p)
	}
	if left := strings.Join(p.LeftOutLines(), "|"); !strings.HasPrefix(left, "no effect in 25 positions at nodes:") || !strings.Contains(left, ": Contempt (Middle Game)") || !strings.HasSuffix(left, "|"+aside+": Hash") {
		t.Errorf("left out: %s", left)
	}
	if p, err = s.Propose(t.Context(), "dull"); err != nil || len(p.Params) != 1 || p.Params[0].Name != "Salt" {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := s.Propose(t.Context(), "go"); err == nil || !strings.Contains(err.Error(), "expected one that speaks uci, got gtp: name the game as well, study new go go") {
		t.Errorf("%v", err)
	}
}

// Where nothing can be proposed, the lines of a study that tunes an option nevertheless are told.
func TestNothingToPropose(t *testing.T) {
	p := Proposal{Info: &Info{Name: "fish", Command: []string{"fish", "-x"}, Params: []option{{Name: "Skill Level"}}, Other: []string{"Log"}},
		Limit: chess.Limit{Nodes: 500}, Fresh: "it remembers", LeftOut: []leftOut{{"Skill Level", aside}}}
	got := p.anyway()
	for _, want := range []string{"1 further options", "\n  by the name a setting of the program or its strength: Skill Level\n", `engines: {fish: {command: ["fish","-x"], fresh: true}}`, `{name: limit, value: "nodes:500"}`, `tune: {strategy: fish, params: [{name: "NAME"}]}`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	p.LeftOut = nil
	if got := p.anyway(); strings.Contains(got, "tune:") {
		t.Errorf("an engine without options has one to tune: %s", got)
	}
}

// What is left out is told in few lines: a reason has its first options, and there are few reasons.
func TestLeftOutLines(t *testing.T) {
	p := Proposal{Info: &Info{}}
	for i := range 500 {
		p.LeftOut = append(p.LeftOut, leftOut{fmt.Sprintf("%d%s", i, strings.Repeat("é", 1000)), []string{aside, "one value"}[i%2]}, leftOut{fmt.Sprint(i), fmt.Sprintf("with %d the engine fails", i)})
	}
	all := p.LeftOutLines()
	if len(all) != mostReasons+1 || len(all[0]) > 10000 || !strings.HasSuffix(all[0], "..., and 220 more (sakusen engine show lists all)") || all[1] != "with 0 the engine fails: 0" || !strings.HasPrefix(all[mostReasons], "for other reasons: 10, 11, ") {
		t.Errorf("%d lines: %q", len(all), all)
	}
}

// A first study has the few options that change the most moves, and no option of the search under a depth.
func TestFewProposed(t *testing.T) {
	p := Proposal{}
	for i, name := range []string{"a", "b", "c", "d", "e", "f"} {
		p.Params = append(p.Params, Proposed{Name: name, Moves: []int{1, 9, 3, 3, 0, 3}[i], answers: i})
	}
	p.choose()
	names := ""
	for _, x := range p.Params {
		names += x.Name
	}
	if left := p.LeftOutLines(); names != "bfdc" || len(left) != 1 || !strings.HasSuffix(left[0], ": a, e") {
		t.Errorf("%s, %q", names, left)
	}
	for name, search := range map[string]bool{
		"NullMove Pruning": true, "LMR_BASE": true, "Futility Margin": true, "Razoring Margin": true, "nmpDepth": true, "History Threshold": true, "Check Extension (PV nodes)": true, "AspirationWindow": true,
		"Delta Pruning": true, "Full Depth Moves (PV nodes)": true, "Material": false, "King Safety": false, "Passed Pawns": false, "Contempt": false, "Mobility (Middle Game)": false, "Space": false,
	} {
		if ofSearch(name) != search {
			t.Errorf("%s: %t", name, !search)
		}
	}
}

// Options that are no way to play are known by the words of their names.
func TestConventions(t *testing.T) {
	for _, name := range []string{
		"Hash", "Threads", "Number of Threads", "Ponder", "OwnBook", "Book File", "BookPath", "Debug Log File", "LogFile", "LogLiveStats", "Skill Level", "UCI_Elo", "UCI_LimitStrength", "MultiPV",
		"nodestime", "Slow Mover", "SlowMover", "Move Overhead", "MoveOverheadMs", "Minimum Thinking Time", "SyzygyPath", "SyzygyProbeDepth", "NNCacheSize", "RamLimitMb",
		"UCI_ShowWDL", "UCI_Chess960", "UCI_AnalyseMode", "Analysis Contempt", "Bitbases Cache Size", "EvalFile", "Use NNUE", "Backend", "NumaPolicy", "Search Time", "maxNPS", "RandomMoves", "Clear Hash", "Personality",
	} {
		if !convention(name) {
			t.Errorf("%s is a way to play", name)
		}
	}
	for _, name := range []string{
		"Development", "King Safety", "Contempt", "CPuct", "CPuctFactor", "FpuReduction", "Passed Pawns", "History Threshold", "Piece Square Activity", "Check Extension (PV nodes)",
		"LMR_BASE", "razorMargin", "PolicyTemperature", "Style", "Mobility (Middle Game)", "Aggressiveness", "Pawn Strength", "Bookkeeping", "Timeliness", "seeDepth", "tempo",
	} {
		if convention(name) {
			t.Errorf("%s is no way to play", name)
		}
	}
}
