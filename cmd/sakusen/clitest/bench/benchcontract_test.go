package bench

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// The JSON that others script against: these fields, by these names; undefined is
// null. What is added may stand beside them.
func TestBenchContract(t *testing.T) {
	old := benchText(t, samples(100, 3)+"BenchmarkGone 1 5 ns/op\nBenchmarkZero 1 0 B/op\n")
	slow := benchText(t, samples(120, 4)+"BenchmarkFresh 1 5 ns/op\nBenchmarkZero 1 7 B/op\n")
	type object = map[string]any
	has := func(what string, o object, fields string) {
		t.Helper()
		for field := range strings.FieldsSeq(fields) {
			if _, ok := o[field]; !ok {
				t.Errorf("%s: no field %q in %v", what, field, slices.Sorted(maps.Keys(o)))
			}
		}
	}
	compared := clitest.Decode[object](t, clitest.Launch(t, "", "bench", "compare", old, slow, "--json").Out)
	has("compare", compared, "series warnings")
	verdicts := map[string]string{}
	for _, s := range compared["series"].([]any) {
		s := s.(object)
		has("series", s, "name unit config old new delta p q verdict")
		name := s["name"].(string) + " " + s["unit"].(string)
		verdicts[name] = s["verdict"].(string)
		has(name, s["config"].(object), "pkg goos goarch")
		for _, side := range []string{"old", "new"} {
			if s[side] != nil {
				has(name+" "+side, s[side].(object), "center lo hi n")
			}
		}
		switch s["name"] {
		case "Gone":
			if s["new"] != nil || s["delta"] != nil || s["p"] != nil || s["q"] != nil {
				t.Errorf("%v", s)
			}
		case "Fresh":
			if s["old"] != nil {
				t.Errorf("%v", s)
			}
		case "Zero": // from nothing: the change is no number, an interval of one sample neither
			if s["delta"] != nil || s["old"].(object)["lo"] != nil || s["new"].(object)["center"] != 7.0 {
				t.Errorf("%v", s)
			}
		}
	}
	for name, want := range map[string]string{
		"A-2 sec/op": "worse", "A-2 allocs/op": "exact-changed", "Gone sec/op": "missing", "Fresh sec/op": "new", "Zero B/op": "inconclusive",
	} {
		if verdicts[name] != want {
			t.Errorf("%s: %q, want %s", name, verdicts[name], want)
		}
	}
	gate := clitest.Decode[object](t, clitest.Launch(t, "", "bench", "gate", old, slow, "--json").Out)
	has("gate", gate, "verdict exit failures")
	if gate["verdict"] != "regression" || gate["exit"] != 1.0 || len(gate["failures"].([]any)) != 2 {
		t.Errorf("%v", gate)
	}
	for _, f := range gate["failures"].([]any) {
		has("failure", f.(object), "name unit config old new delta q reason")
	}
	gate = clitest.Decode[object](t, clitest.Launch(t, "", "bench", "gate", old, old, "--json", "--exact").Out)
	if gate["verdict"] != "pass" || gate["exit"] != 0.0 || len(gate["failures"].([]any)) != 0 {
		t.Errorf("%v", gate)
	}
	points := clitest.Decode[object](t, clitest.Launch(t, "1 1 1 1 1 9 9 9 9 9", "bench", "changepoints", "--window", "20", "--max-p", ".01", "--min-magnitude", ".1").Out)
	if list, ok := points["changepoints"].([]any); !ok || len(list) != 1 || list[0] != 5.0 {
		t.Errorf("%v", points)
	}
	if none := clitest.Decode[object](t, clitest.Launch(t, "", "bench", "changepoints").Out); none["changepoints"] == nil {
		t.Errorf("%v", none)
	}
}
