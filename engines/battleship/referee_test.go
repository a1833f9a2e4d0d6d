package battleship

import (
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/arena"
)

// drifter places at random and shoots at unknown squares at random.
type drifter struct{ rules *Rules }

func (d drifter) Place(chance *arena.Stream, fleet []Placement) {
	b, f := d.rules.Board(), d.rules.Fleet()
	for taken, i := (Set{}), 0; i < len(fleet); {
		p := Placement{Ship: i, Start: Square(chance.IntN(b.Squares())), Vertical: chance.Bool()}
		if line := b.Covers(f, p); !line.Empty() && !line.Meets(taken) {
			fleet[i], taken = p, taken.Or(line)
			i++
		}
	}
}
func (d drifter) Aim(*View) {}
func (d drifter) Shoot(v *View) Square {
	u := v.Unknown()
	v.Visit(0, uint64(u.Len()))
	return u.Nth(v.Chance.IntN(u.Len()))
}

// script is a drifter with a fixed fleet or fixed shots.
type script struct {
	drifter
	fleet []Placement
	shots []Square
	n     *int
}

func (s script) Place(chance *arena.Stream, fleet []Placement) {
	if s.drifter.Place(chance, fleet); s.fleet != nil {
		copy(fleet, s.fleet)
	}
}
func (s script) Aim(*View) { *s.n = 0 }
func (s script) Shoot(v *View) Square {
	if *s.n++; *s.n <= len(s.shots) {
		return s.shots[*s.n-1]
	}
	return s.drifter.Shoot(v)
}

// alternate returns the game as the rules tell it, turn by turn.
func alternate(t *testing.T, r *Rules, fx *arena.Fixture, players []Player) (winner int, counts [2][2]int64, placed [2][]Placement) {
	var views [2]View
	var chance [2]arena.Stream
	for s, p := range players {
		placed[s] = make([]Placement, r.Fleet().Ships())
		chance[s] = fx.Stream(s, Placing)
		p.Place(&chance[s], placed[s])
	}
	for s, p := range players {
		views[s] = View{Knowledge: NewKnowledge(r.Board(), r.Fleet()), Chance: fx.Stream(s, Shooting)}
		p.Aim(&views[s])
	}
	for {
		for s, p := range players {
			at := p.Shoot(&views[s])
			answer := Miss
			counts[s][0]++
			for _, ship := range placed[1-s] {
				if line := r.Board().Covers(r.Fleet(), ship); line.Has(at) {
					answer = Hit
					counts[s][1]++
					if line.Within(views[s].Shots().Or(SetOf(at))) {
						answer = Sunk(ship.Ship)
					}
				}
			}
			views[s].Record(at, answer)
			if views[s].Over() {
				return s, counts, placed
			}
		}
	}
}

func TestRefereeSlowly(t *testing.T) {
	r, err := rules(t)
	if err != nil {
		t.Fatal(err)
	}
	players := []Player{drifter{r}, drifter{r}}
	ref := newReferee(r)
	seconds := 0
	for block := range int64(300) {
		fx := &arena.Fixture{Seed: 4, Block: block}
		out := arena.NewOutcome(2, 4)
		if err := ref.Play(fx, players, out); err != nil {
			t.Fatal(err)
		}
		winner, counts, _ := alternate(t, r, fx, players)
		seconds += winner
		for s := range players {
			got := out.Counts(s)
			if got[shotsFired] != counts[s][0] || got[shotsHit] != counts[s][1] {
				t.Fatalf("block %d, seat %d: %d shots, %d hits; want %v", block, s, got[shotsFired], got[shotsHit], counts[s])
			}
			if got[shotsToWin] < got[shotsFired] || got[placementsVisited] == 0 {
				t.Fatalf("block %d, seat %d: %v", block, s, got)
			}
		}
		if out.Scores[winner] != 2 || out.Scores[1-winner] != 0 {
			t.Fatalf("block %d: scores %v, seat %d wins", block, out.Scores, winner)
		}
	}
	if seconds < 100 || seconds > 200 {
		t.Errorf("the second player wins %d of 300", seconds)
	}
}

// TestPlayersAreAloneWithTheirChance: a seat's shots and fleet depend on
// nothing that the other seat does.
func TestPlayersAreAloneWithTheirChance(t *testing.T) {
	r, _ := rules(t)
	ref := newReferee(r)
	n := 0
	fx := &arena.Fixture{Seed: 9}
	tell := func(players ...Player) (fleets string) {
		fx.Story = func(line string) {
			if strings.HasPrefix(line, "fleet of seat 1") || fleets != "" && strings.HasPrefix(line, " ") {
				fleets += line + "\n"
			}
		}
		if err := ref.Play(fx, players, arena.NewOutcome(2, 4)); err != nil {
			t.Fatal(err)
		}
		return fleets
	}
	a := tell(drifter{r}, drifter{r})
	b := tell(script{drifter: drifter{r}, shots: []Square{5, 6}, n: &n}, drifter{r})
	if a != b || a == "" {
		t.Errorf("seat 1 places otherwise against another player:\n%s%s", a, b)
	}
}

func TestFaultsDecide(t *testing.T) {
	r, _ := rules(t)
	ref := newReferee(r)
	row := func(i int, start Square) Placement { return Placement{Ship: i, Start: start} }
	good := []Placement{row(0, 0), row(1, 10), row(2, 20), row(3, 30), row(4, 40)}
	with := func(i int, p Placement) []Placement {
		f := append([]Placement(nil), good...)
		f[i] = p
		return f
	}
	// sink sinks the good fleet in 17 shots.
	var sink []Square
	for i, p := range good {
		for s := range r.Board().Covers(r.Fleet(), Placement{Ship: i, Start: p.Start}).All() {
			sink = append(sink, s)
		}
	}
	miss := []Square{99, 98, 97}
	for _, c := range []struct {
		name   string
		fleets [2][]Placement
		shots  [2][]Square
		winner int
		fault  int   // seat, -1 for none
		shot   int64 // by seat 0
	}{
		{"no fault", [2][]Placement{good, good}, [2][]Square{sink, sink}, 0, -1, 17},
		{"second is faster", [2][]Placement{good, good}, [2][]Square{append(miss, sink...), sink}, 1, -1, 17},
		{"overlap", [2][]Placement{with(1, row(1, 0)), good}, [2][]Square{sink, sink}, 1, 0, 0},
		{"across the border", [2][]Placement{good, with(0, row(0, 56))}, [2][]Square{sink, sink}, 0, 1, 0},
		{"below the border", [2][]Placement{good, with(0, Placement{Ship: 0, Start: 60, Vertical: true})}, [2][]Square{sink, sink}, 0, 1, 0},
		{"off the board", [2][]Placement{good, with(4, row(4, 200))}, [2][]Square{sink, sink}, 0, 1, 0},
		{"another ship", [2][]Placement{good, with(4, row(3, 40))}, [2][]Square{sink, sink}, 0, 1, 0},
		{"both fleets", [2][]Placement{with(1, row(1, 0)), with(1, row(1, 0))}, [2][]Square{sink, sink}, 1, 0, 0},
		{"shot twice", [2][]Placement{good, good}, [2][]Square{{1, 2, 1}, sink}, 1, 0, 2},
		{"shot off the board", [2][]Placement{good, good}, [2][]Square{sink, {1, 100}}, 0, 1, 2},
		{"both shoot twice, the second earlier", [2][]Placement{good, good}, [2][]Square{{1, 2, 2}, {1, 1}}, 0, 1, 2},
		{"both shoot twice at once", [2][]Placement{good, good}, [2][]Square{{1, 1}, {1, 1}}, 1, 0, 1},
		{"fault after the end", [2][]Placement{good, good}, [2][]Square{sink, append(append([]Square(nil), sink[:16]...), 0)}, 0, -1, 17},
	} {
		var n [2]int
		players := []Player{
			script{drifter{r}, c.fleets[0], c.shots[0], &n[0]},
			script{drifter{r}, c.fleets[1], c.shots[1], &n[1]},
		}
		out := arena.NewOutcome(2, 4)
		var story []string
		fx := &arena.Fixture{Story: func(line string) { story = append(story, line) }}
		if err := ref.Play(fx, players, out); err != nil {
			t.Fatal(err)
		}
		if out.Scores[c.winner] != 2 || out.Faults[0] != (c.fault == 0) || out.Faults[1] != (c.fault == 1) || out.Counts(0)[shotsFired] != c.shot {
			t.Errorf("%s: scores %v, faults %v, %d shots of seat 0", c.name, out.Scores, out.Faults, out.Counts(0)[shotsFired])
		}
		if last := story[len(story)-1]; last != fmt.Sprintf("seat %d wins", c.winner) {
			t.Errorf("%s: the story ends %q", c.name, last)
		}
	}
}

func TestWorkIsCapped(t *testing.T) {
	var v View
	v.Visit(0, 5)
	v.Visit(0, 7)
	if v.work != 12 {
		t.Errorf("work %d", v.work)
	}
	v.Visit(1, 0)
	v.Visit(0, 1<<63)
	if v.work != workCap {
		t.Errorf("work %d", v.work)
	}
}
