package witness_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// payload has the fields of log entries that say what was decided. It is read here
// without the package that reads logs, so that a decision is seen as it is stored.
type payload struct {
	Trial    int
	Trials   json.RawMessage
	Params   param.Values
	Proposed param.Values
	Again    bool
	State    string
	End      string
	Value    *float64
	Error    *float64
	Feasible bool
	Goals    []*float64
	Duel     int
	A, B     int
	From     json.RawMessage
	To       json.RawMessage
	Evidence json.RawMessage
	Attempt  int
	Verdict  string
	Points   int
	Dropped  int
	Games    int64
	Blocks   int64
	Batches  int
}

// member is a trial of a batch that was asked for, or of a generation that played itself.
type member struct {
	Number   int
	Draw     int
	Params   param.Values
	Proposed param.Values
	Again    bool
	Attrs    param.Values
	Trial    int
	Games    int64
	Scores   [][2]int64
}

// sums are what was counted of a candidate's games.
type sums struct {
	Scores []int64
	Sums   []int64
}

// String returns the scores that occurred, score:blocks, and the sums of components.
func (s sums) String() string {
	var out []string
	for score, blocks := range s.Scores {
		if blocks > 0 {
			out = append(out, fmt.Sprintf("%d:%d", score, blocks))
		}
	}
	return strings.Join(out, " ") + fmt.Sprintf(" sums %v", s.Sums)
}

// decisions returns what a study decided as text, a line a decision: asks, tells,
// incumbents, finals, the answer, the verdict and the parameters that it found.
func decisions(t *testing.T, log []entry.Entry, r *tuner.Result) string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	for i, e := range log {
		var p payload
		if err := json.Unmarshal(e.Payload, &p); err != nil {
			t.Fatalf("entry %d (%s): %v", i, e.Kind, err)
		}
		switch e.Kind {
		case "ask":
			line("ask")
			for _, m := range decoded[[]member](t, p.Trials) {
				line("  trial %d draw %d: %s%s", m.Number, m.Draw, m.Params, notes(m.Again, m.Proposed, m.Attrs))
			}
		case "tell":
			feasible := ""
			if !p.Feasible {
				feasible = " infeasible"
			}
			line("tell %d: %s %s %s +- %s%s%s", p.Trial, p.State, p.End, number(p.Value), number(p.Error), goals(p.Goals), feasible)
		case "duel":
			line("duel %d: %d and %d from %s: %s", p.Duel, p.A, p.B, p.From, decoded[sums](t, p.Evidence))
		case "pool":
			for _, m := range decoded[[]member](t, p.Trials) {
				line("told in a pool %d: %d games, scores %v", m.Trial, m.Games, m.Scores)
			}
		case "incumbent":
			line("incumbent %d", p.Trial)
		case "answer":
			line("answer %d: %s %s +- %s%s", p.Trial, p.Params, number(p.Value), number(p.Error), notes(p.Again, p.Proposed, nil))
		case "final":
			line("final %d: %v", p.Trial, decoded[[]sums](t, p.Evidence))
		case "attempt":
			line("attempt %d: trial %d", p.Attempt, p.Trial)
		case "validation":
			line("verdict: trial %d, %s", p.Trial, p.Verdict)
		case "grow":
			line("grow from %s to %s", p.From, p.To)
		case "begun":
			line("begun with %d points, %d dropped, %d games, %d blocks, %d batches", p.Points, p.Dropped, p.Games, p.Blocks, p.Batches)
			for _, m := range decoded[[]member](t, p.Trials) {
				line("  %s%s", m.Params, notes(false, m.Proposed, nil))
			}
		}
	}
	for _, f := range r.Front {
		line("front: trial %d", f.Trial)
	}
	line("result: trial %d of %d, %s", r.Best.Trial, r.Trials, r.Validation.Verdict)
	for _, name := range slices.Sorted(maps.Keys(r.Best.Params)) {
		line("  %s=%s", name, r.Best.Params[name])
	}
	return out.String()
}

// decoded returns a part of a payload.
func decoded[T any](t *testing.T, text json.RawMessage) (v T) {
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// number returns a number with nine significant digits, "-" where there is none.
func number(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.9g", *x)
}

// goals returns the values of several objectives.
func goals(values []*float64) string {
	var out strings.Builder
	for _, x := range values {
		out.WriteString(" goal " + number(x))
	}
	return out.String()
}

// notes returns what an ask says of a trial beside its parameters.
func notes(again bool, proposed, attrs param.Values) string {
	var out string
	if again {
		out += " again"
	}
	if len(proposed) > 0 {
		out += " proposed " + proposed.String()
	}
	for _, a := range attrs {
		out += fmt.Sprintf(" %s %q", a.Name, a.Text)
	}
	return out
}
