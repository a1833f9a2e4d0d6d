package battleship

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sakusen/engines/battleship"
)

// fleets yields every placement of the fleet on the board, plainly.
func fleets(b *battleship.Board, f *battleship.Fleet, lines []battleship.Set, yield func([]battleship.Set)) {
	ship := len(lines)
	if ship == f.Ships() {
		yield(lines)
		return
	}
	for _, vertical := range []bool{false, true} {
		if vertical && f.Length(ship) == 1 {
			continue
		}
	next:
		for s := range b.Starts(f.Length(ship), vertical).All() {
			line := b.Line(s, f.Length(ship), vertical)
			for _, other := range lines {
				if line.Meets(other) {
					continue next
				}
			}
			fleets(b, f, append(lines, line), yield)
		}
	}
}

// agrees returns after how many shots a fleet first answers otherwise than
// the position says; the number of shots and one if it never does.
func (p *setting) agrees(lines []battleship.Set) int {
	var shot battleship.Set
	for i, s := range p.shots {
		shot.Add(s.at)
		said := battleship.Miss
		for ship, line := range lines {
			if line.Has(s.at) {
				said = battleship.Hit
				if line.Within(shot) {
					said = battleship.Sunk(p.fleet.Alike(ship))
				}
			}
		}
		if said != s.answer {
			return i + 1
		}
	}
	return len(p.shots) + 1
}

// TestContradictions gives random answers to random shots on small boards and
// compares the shot that is named, or the number of placements, with a plain
// look at all fleets.
func TestContradictions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	named, possible, twice := 0, 0, 0
	for range 3000 {
		size := 2 + r.IntN(3)
		lengths := make([]int, 1+r.IntN(3))
		for i := range lengths {
			lengths[i] = 1 + r.IntN(3)
		}
		fleet, _ := json.Marshal(lengths)
		if r.IntN(2) == 0 {
			var classes []string
			for i, length := range lengths {
				classes = append(classes, fmt.Sprintf(`"%c":%d`, 'A'+i, length))
			}
			fleet = []byte("{" + strings.Join(classes, ",") + "}")
		}
		var shots []string
		for _, s := range r.Perm(size * size)[:1+r.IntN(size*size)] {
			at := fmt.Sprintf("%c%d", 'a'+s%size, 1+s/size)
			switch r.IntN(5) {
			case 0:
				ship := r.IntN(len(lengths))
				name := fmt.Sprint(lengths[ship])
				if fleet[0] == '{' {
					name = string(rune('A' + ship))
				}
				shots = append(shots, fmt.Sprintf(`{"at":%q,"result":"sunk","ship":%q}`, at, name))
			case 1:
				shots = append(shots, fmt.Sprintf(`{"at":%q,"result":"hit"}`, at))
			default:
				shots = append(shots, fmt.Sprintf(`{"at":%q,"result":"miss"}`, at))
			}
		}
		line := fmt.Sprintf(`{"size":%d,"fleet":%s,"shots":[%s]}`, size, fleet, strings.Join(shots, ","))
		p, err := parse([]byte(line))
		if err != nil {
			t.Fatalf("%s\n%v", line, err)
		}
		first, total := 0, 0
		fleets(p.board, p.fleet, nil, func(lines []battleship.Set) {
			n := p.agrees(lines)
			first = max(first, n)
			if n > len(p.shots) {
				total++
			}
		})
		out := string(Line([]byte(line)))
		var want string
		switch {
		case first == 0:
			want = `{"error":"fleet: it does not fit the board"}`
		case total > 0 && p.twice != nil: // nothing is wrong before
			want = fmt.Sprintf(`{"error":"%v"}`, p.twice)
			twice++
		case total > 0:
			want = fmt.Sprintf(`{"placements":"%d",`, total)
			possible++
		default:
			want = fmt.Sprintf(`{"error":"shot %d at %s: %s contradicts `, first, p.board.Name(p.shots[first-1].at), p.said(first-1))
			named++
		}
		if !strings.HasPrefix(out, want) {
			t.Fatalf("%s\n got %s\nwant %s...", line, out, want)
		}
	}
	t.Logf("%d contradictions named, %d ships sunk twice, %d positions possible", named, twice, possible)
	if named < 500 || twice < 10 || possible < 200 {
		t.Errorf("only %d contradictions, %d ships sunk twice and %d positions", named, twice, possible)
	}
}
