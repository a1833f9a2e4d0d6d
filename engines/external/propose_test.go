//go:build unix

package external

import (
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
	if left := strings.Join(p.LeftOut, "|"); !strings.HasPrefix(left, "Contempt (Middle Game): no effect in 25 positions at nodes:") || !strings.HasSuffix(left, "|Hash: "+aside) {
		t.Errorf("left out: %s", left)
	}
	if p, err = s.Propose(t.Context(), "dull"); err != nil || len(p.Params) != 1 || p.Params[0].Name != "Salt" {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := s.Propose(t.Context(), "go"); err == nil || !strings.Contains(err.Error(), "expected one that speaks uci, got gtp") {
		t.Errorf("%v", err)
	}
}

// Where nothing can be proposed, the lines of a study that tunes an option nevertheless are told.
func TestNothingToPropose(t *testing.T) {
	p := Proposal{Info: &Info{Name: "fish", Command: []string{"fish", "-x"}, Params: []option{{Name: "Skill Level"}}, Other: []string{"Log"}},
		Limit: chess.Limit{Nodes: 500}, Fresh: "it remembers", LeftOut: []string{"Skill Level: " + aside}}
	got := p.anyway()
	for _, want := range []string{"1 further options", "\n  Skill Level: by its name a setting", `engines: {fish: {command: ["fish","-x"], fresh: true}}`, `{name: limit, value: "nodes:500"}`, `tune: {strategy: fish, params: [{name: "NAME"}]}`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	p.LeftOut = nil
	if got := p.anyway(); strings.Contains(got, "tune:") {
		t.Errorf("an engine without options has one to tune: %s", got)
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
