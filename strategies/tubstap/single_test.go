package tubstap

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"sakusen/engines/tubstap"
)

// TestSingleVectors compares every choice with the program's own
// (positions.jsonl of engines/tubstap, field best).
func TestSingleVectors(t *testing.T) {
	data, err := os.ReadFile("../../engines/tubstap/testdata/positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	attacks, walks := 0, 0
	var p singlePlayer
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var row struct {
			tubstap.Position
			Best struct {
				Threat [][2]int
				Attack *[4]int
				Value  int
				Moves  [][4]int
			}
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		s, err := row.State(tubstap.Rules{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for j, threat := range p.threatsTo(s) {
			if got := [2]int{threat.Enemy, threat.Damage}; got != row.Best.Threat[j] {
				t.Fatalf("line %d: threat %v, want %v", i+1, got, row.Best.Threat[j])
			}
		}
		c := p.choose(s)
		if c.Attacks != (row.Best.Attack != nil) {
			t.Fatalf("line %d: attacks %v", i+1, c)
		}
		if c.Attacks {
			attacks++
			if got := quad(c.Action); got != *row.Best.Attack || c.Value != row.Best.Value {
				t.Fatalf("line %d: %v of value %d, want %v of %d", i+1, got, c.Value, *row.Best.Attack, row.Best.Value)
			}
			continue
		}
		walks++
		var moves [][4]int
		for id := range s.Units() {
			if s.Movable(id) {
				moves = append(moves, quad(p.walk(s, id)))
			}
		}
		if !reflect.DeepEqual(moves, row.Best.Moves) {
			t.Fatalf("line %d: moves %v, want %v", i+1, moves, row.Best.Moves)
		}
	}
	t.Logf("%d attacks, %d positions without one", attacks, walks)
}
