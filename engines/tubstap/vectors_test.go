package tubstap

// The vectors in testdata (damage.tsv, positions.jsonl, games.jsonl,
// bestsingle.sgf) were recorded from the reference program 0.108 on the maps
// in maps/.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func lines(t testing.TB, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<24)
	var out []string
	for sc.Scan() {
		out = append(out, sc.Text())
	}
	return out
}

func TestDamageVectors(t *testing.T) {
	p := powerOf(Rules{})
	n := 0
	for i, line := range lines(t, "damage.tsv") {
		if i == 0 {
			continue
		}
		f := strings.Split(line, "\t")
		num := func(i int) int {
			v, err := strconv.Atoi(f[i])
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		a, _ := kindOf(f[0])
		d, _ := kindOf(f[1])
		as := num(4)
		damage := p.damage(a, num(2), d, num(3), num(5))
		_, counter := p.exchange(a, num(2), as, d, num(3), num(5))
		if damage != num(6) || counter != num(7) {
			t.Fatalf("line %d: %s: got %d, %d", i+1, line, damage, counter)
		}
		n++
	}
	t.Logf("%d rows", n)
}

type row struct {
	Position
	U []struct {
		ID    int      `json:"id"`
		Reach [][2]int `json:"reach"`
		Atk   [][4]int `json:"atk"`
		NEff  int      `json:"nEff"`
		NAll  int      `json:"nAll"`
	} `json:"u"`
	Log10Est float64 `json:"log10est"`
}

func mustMap(t testing.TB, name string) *Map {
	t.Helper()
	m, err := EmbeddedMap(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestPositionVectors(t *testing.T) {
	var list []Action
	n := 0
	for i, line := range lines(t, "positions.jsonl") {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		s, err := r.State(Rules{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range r.U {
			list = s.AppendMoves(list[:0], u.ID)
			if len(list) != len(u.Reach) {
				t.Fatalf("line %d, unit %d: %d end cells, want %d", i+1, u.ID, len(list), len(u.Reach))
			}
			for j, a := range list {
				if int(a.X) != u.Reach[j][0] || int(a.Y) != u.Reach[j][1] {
					t.Fatalf("line %d, unit %d: end cell %d is %v, want %v", i+1, u.ID, j, a, u.Reach[j])
				}
			}
			list = s.AppendAttacks(list[:0], u.ID)
			if len(list) != len(u.Atk) {
				t.Fatalf("line %d, unit %d: %d attacks, want %d", i+1, u.ID, len(list), len(u.Atk))
			}
			for j, a := range list {
				if got := [4]int{int(a.Unit), int(a.X), int(a.Y), int(a.Target)}; got != u.Atk[j] {
					t.Fatalf("line %d, unit %d: attack %d is %v, want %v", i+1, u.ID, j, got, u.Atk[j])
				}
				if err := s.Check(a); err != nil {
					t.Fatalf("line %d: %v: %v", i+1, a, err)
				}
			}
			if got := len(s.AppendActions(list[:0], u.ID)); got != u.NEff {
				t.Fatalf("line %d, unit %d: |A| = %d, want %d", i+1, u.ID, got, u.NEff)
			}
			if got := len(s.AppendAll(list[:0], u.ID)); got != u.NAll {
				t.Fatalf("line %d, unit %d: all %d, want %d", i+1, u.ID, got, u.NAll)
			}
			n++
		}
		if got := s.LogMoves(r.Team); math.Abs(got-r.Log10Est) > 1e-9 {
			t.Fatalf("line %d: log10 of the estimate %v, want %v", i+1, got, r.Log10Est)
		}
	}
	t.Logf("%d units", n)
}

type gameRow struct {
	Map   string    `json:"map"`
	Init  []unitRow `json:"init"`
	Turns []struct {
		T     int                  `json:"t"`
		Team  Team                 `json:"team"`
		Acts  [][3]json.RawMessage `json:"acts"`
		After []unitRow            `json:"after"`
	} `json:"turns"`
	TurnCount int    `json:"turnCount"`
	End       string `json:"end"`
	Winner    Team   `json:"winner"`
}

func TestGameVectors(t *testing.T) {
	for i, line := range lines(t, "games.jsonl") {
		var g gameRow
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			t.Fatal(err)
		}
		s, err := (&Position{Map: g.Map, Units: g.Init}).State(Rules{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range g.Turns {
			if s.Over() || s.Counter() != turn.T || s.Mover() != turn.Team {
				t.Fatalf("game %d turn %d: counter %d, mover %v, over %v", i, turn.T, s.Counter(), s.Mover(), s.Over())
			}
			for _, raw := range turn.Acts {
				var act [4]int
				var damage, counter int
				for _, err := range []error{json.Unmarshal(raw[0], &act), json.Unmarshal(raw[1], &damage), json.Unmarshal(raw[2], &counter)} {
					if err != nil {
						t.Fatal(err)
					}
				}
				a := Action{Unit: int16(act[0]), X: int8(act[1]), Y: int8(act[2]), Target: int16(act[3])}
				if err := s.Check(a); err != nil {
					t.Fatalf("game %d turn %d: %v", i, turn.T, err)
				}
				if done, back := s.Do(a); done != damage || back != counter {
					t.Fatalf("game %d turn %d: %v does %d, %d; want %d, %d", i, turn.T, a, done, back, damage, counter)
				}
			}
			if !s.TurnDone() {
				t.Fatalf("game %d turn %d: the turn is not done", i, turn.T)
			}
			s.EndTurn()
			if got := s.Rows(); !reflect.DeepEqual(got, turn.After) {
				t.Fatalf("game %d turn %d: units %v, want %v", i, turn.T, got, turn.After)
			}
		}
		winner, end := s.Result()
		if winner != g.Winner || end.String() != g.End || s.Counter() != g.TurnCount {
			t.Fatalf("game %d: %v by %v after %d, want %v by %s after %d", i, winner, end, s.Counter(), g.Winner, g.End, g.TurnCount)
		}
	}
}
