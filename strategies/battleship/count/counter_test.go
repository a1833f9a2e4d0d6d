package count

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"sakusen/engines/battleship"
)

type vector struct {
	Size  int
	Fleet map[string]int
	Shots []struct{ At, Result, Ship string }

	Expect struct {
		Placements string
		Squares    map[string]string
		Best       []string
	}
}

func (v *vector) knowledge(t testing.TB) *battleship.Knowledge {
	board, err := battleship.NewBoard(v.Size, v.Size)
	if err != nil {
		t.Fatal(err)
	}
	fleet := battleship.Classic()
	k := battleship.NewKnowledge(board, fleet)
	for _, shot := range v.Shots {
		at, err := board.Parse(shot.At)
		if err != nil {
			t.Fatal(err)
		}
		answer := battleship.Miss
		switch shot.Result {
		case "hit":
			answer = battleship.Hit
		case "sunk":
			ship, ok := fleet.Find(shot.Ship)
			if !ok {
				t.Fatal(shot.Ship)
			}
			answer = battleship.Sunk(ship)
		}
		k.Record(at, answer)
	}
	return k
}

func vectors(t testing.TB) []vector {
	file, err := os.Open("testdata/positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func TestVectors(t *testing.T) {
	all := vectors(t)
	if len(all) != 91 {
		t.Fatalf("%d rows, want 91", len(all))
	}
	for row, v := range all {
		k := v.knowledge(t)
		c := New(k.Board())
		c.Count(k)
		if got := c.Total().String(); got != v.Expect.Placements {
			t.Errorf("row %d: %s placements, want %s", row, got, v.Expect.Placements)
		}
		unshot := k.Unshot()
		if unshot.Len() != len(v.Expect.Squares) {
			t.Errorf("row %d: %d squares not shot, want %d", row, unshot.Len(), len(v.Expect.Squares))
		}
		wrong := 0
		for s := range unshot.All() {
			if got, want := c.At(s).String(), v.Expect.Squares[k.Board().Name(s)]; got != want {
				if wrong++; wrong < 3 {
					t.Errorf("row %d: %s: %s, want %s", row, k.Board().Name(s), got, want)
				}
			}
		}
		best, _ := c.Best()
		var names []string
		for s := range best.All() {
			names = append(names, k.Board().Name(s))
		}
		if len(names) != len(v.Expect.Best) {
			t.Errorf("row %d: best %v, want %v", row, names, v.Expect.Best)
			continue
		}
		for i := range names {
			if names[i] != v.Expect.Best[i] {
				t.Errorf("row %d: best %v, want %v", row, names, v.Expect.Best)
			}
		}
		if total := c.Total(); c.Placements(k, battleship.Set{}) != total {
			t.Errorf("row %d: placements alone differ", row)
		}
	}
}
