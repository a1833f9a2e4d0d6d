package tubstap

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/tubstap"
)

type vector struct {
	tubstap.Position
	Seed     uint64
	Sims     int
	Chosen   [4]int
	MaxDepth int
	RngAfter string
	Root     [][2]float64
}

func vectors(t testing.TB, name string) []vector {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var v vector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// compare runs a search and compares all it says with the vector.
func (v *vector) compare(t *testing.T, s *muctSearch) {
	t.Helper()
	state, err := v.State(tubstap.Rules{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.MuctSettings = MuctProgram()
	s.Simulations = v.Sims
	a := s.runFrom(state, v.Seed)
	if got := [4]int{int(a.Unit), int(a.X), int(a.Y), int(a.Target)}; got != v.Chosen {
		t.Errorf("%s seed %d: chose %v, want %v", v.Map, v.Seed, got, v.Chosen)
	}
	root := s.rootChildren()
	if len(root) != len(v.Root) {
		t.Fatalf("%s seed %d: %d children, want %d", v.Map, v.Seed, len(root), len(v.Root))
	}
	for i, c := range root {
		if c.Visits != int(v.Root[i][0]) || float64(c.Halves)/2 != v.Root[i][1] {
			t.Fatalf("%s seed %d: child %d %v: %d visits, %d halves; want %v", v.Map, v.Seed, i, c.Action, c.Visits, c.Halves, v.Root[i])
		}
	}
	if s.deepest() != v.MaxDepth {
		t.Errorf("%s seed %d: depth %d, want %d", v.Map, v.Seed, s.deepest(), v.MaxDepth)
	}
	if got := strconv.FormatUint(s.generator(), 10); got != v.RngAfter {
		t.Errorf("%s seed %d: generator %s, want %s", v.Map, v.Seed, got, v.RngAfter)
	}
}

// The files in testdata were recorded from the reference program 0.108 with
// SplitMix64 in place of its own generator.
func TestMuctVectors(t *testing.T) {
	var s muctSearch
	for _, v := range vectors(t, "muct.jsonl") {
		v.compare(t, &s)
	}
}

func TestDeepVectors(t *testing.T) {
	var s muctSearch
	for _, v := range vectors(t, "muct_deep.jsonl") {
		v.compare(t, &s)
	}
}
