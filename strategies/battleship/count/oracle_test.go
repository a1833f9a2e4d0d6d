package count

import (
	"math/rand/v2"
	"testing"

	"sakusen/engines/battleship"
	"sakusen/engines/suite"
)

// A game is shots and their answers in order, with the fleet that gave them.
type game struct {
	board *battleship.Board
	fleet *battleship.Fleet
	lines []battleship.Set
	at    []battleship.Square
	said  []battleship.Answer
}

// hide puts the fleet at random places, or fails.
func hide(board *battleship.Board, fleet *battleship.Fleet, r *rand.Rand) (*game, bool) {
	g := &game{board: board, fleet: fleet}
	for range 200 {
		var used battleship.Set
		g.lines = g.lines[:0]
		for i := range fleet.Ships() {
			vertical := r.IntN(2) == 1
			starts := board.Starts(fleet.Length(i), vertical)
			if starts.Empty() {
				vertical = !vertical
				starts = board.Starts(fleet.Length(i), vertical)
			}
			if starts.Empty() {
				return nil, false
			}
			line := board.Line(starts.Nth(r.IntN(starts.Len())), fleet.Length(i), vertical)
			if line.Meets(used) {
				break
			}
			used = used.Or(line)
			g.lines = append(g.lines, line)
		}
		if len(g.lines) == fleet.Ships() {
			return g, true
		}
	}
	return nil, false
}

// reply returns the answer to a shot after the squares of shot, by the rules
// read plainly.
func reply(lines []battleship.Set, shot battleship.Set, at battleship.Square) battleship.Answer {
	shot.Add(at)
	for i, line := range lines {
		if line.Has(at) {
			if line.Within(shot) {
				return battleship.Sunk(i)
			}
			return battleship.Hit
		}
	}
	return battleship.Miss
}

// fire plays n more shots: mostly next to hits when chase is set, else random.
func (g *game) fire(n int, chase float64, r *rand.Rand) {
	var shot, near battleship.Set
	for i, s := range g.at {
		shot.Add(s)
		if g.said[i] == battleship.Hit {
			near = near.Or(g.board.Neighbours(s))
		}
	}
	for range n {
		choice := g.board.All().AndNot(shot)
		if choice.Empty() {
			return
		}
		if close := near.AndNot(shot); !close.Empty() && r.Float64() < chase {
			choice = close
		}
		s := choice.Nth(r.IntN(choice.Len()))
		said := reply(g.lines, shot, s)
		shot.Add(s)
		g.at, g.said = append(g.at, s), append(g.said, said)
		if said == battleship.Hit {
			near = near.Or(g.board.Neighbours(s))
		}
	}
}

func (g *game) knowledge() *battleship.Knowledge {
	k := battleship.NewKnowledge(g.board, g.fleet)
	for i, s := range g.at {
		k.Record(s, g.said[i])
	}
	return k
}

// plain enumerates: every placement of every ship off the misses, every
// combination, and for each the answers to all shots in turn. It is the oracle
// and shares nothing with the Counter but the geometry.
type plain struct {
	g       *game
	misses  battleship.Set
	hits    battleship.Set
	choices [][]battleship.Set
	lines   []battleship.Set
	total   uint64
	square  [battleship.MaxSquares]uint64
}

func (g *game) plain() *plain {
	p := &plain{g: g}
	for i, s := range g.at {
		if g.said[i] == battleship.Miss {
			p.misses.Add(s)
		} else {
			p.hits.Add(s)
		}
	}
	for i := range g.fleet.Ships() {
		var lines []battleship.Set
		for _, vertical := range []bool{false, true} {
			if vertical && g.fleet.Length(i) == 1 {
				continue
			}
			for s := range g.board.Starts(g.fleet.Length(i), vertical).All() {
				line := g.board.Line(s, g.fleet.Length(i), vertical)
				if !line.Meets(p.misses) && p.timely(i, line) {
					lines = append(lines, line)
				}
			}
		}
		p.choices = append(p.choices, lines)
	}
	p.lines = make([]battleship.Set, g.fleet.Ships())
	return p
}

// timely reports whether a ship on the line alone is sunk when some ship alike
// was announced, or never if it is never wholly hit.
func (p *plain) timely(ship int, line battleship.Set) bool {
	var shot battleship.Set
	for i, s := range p.g.at {
		shot.Add(s)
		if line.Has(s) && line.Within(shot) {
			announced, ok := p.g.said[i].Ship()
			return ok && p.g.fleet.Alike(announced) == p.g.fleet.Alike(ship)
		}
	}
	return true
}

func (p *plain) size() float64 {
	size := 1.0
	for _, lines := range p.choices {
		size *= float64(len(lines))
	}
	return size
}

func (p *plain) run() { p.deeper(0, battleship.Set{}) }

func (p *plain) deeper(ship int, used battleship.Set) {
	if ship < len(p.choices) {
		for _, line := range p.choices[ship] {
			if !line.Meets(used) {
				p.lines[ship] = line
				p.deeper(ship+1, used.Or(line))
			}
		}
		return
	}
	if !p.hits.Within(used) {
		return
	}
	var shot battleship.Set
	for i, s := range p.g.at {
		said := reply(p.lines, shot, s)
		shot.Add(s)
		if said == p.g.said[i] {
			continue
		}
		a, sank := said.Ship()
		b, announced := p.g.said[i].Ship()
		if !sank || !announced || p.g.fleet.Alike(a) != p.g.fleet.Alike(b) {
			return
		}
	}
	p.total++
	for rest := used.AndNot(shot); !rest.Empty(); {
		p.square[rest.Pop()]++
	}
}

func (p *plain) compare(t *testing.T, c *Counter) {
	t.Helper()
	if c.Total() != (Number{0, p.total}) {
		t.Fatalf("%s: %v placements, want %d", p.g.text(), c.Total(), p.total)
	}
	for s := range p.g.board.Squares() {
		if got := c.At(battleship.Square(s)); got != (Number{0, p.square[s]}) {
			t.Fatalf("%s: square %s: %v, want %d", p.g.text(), p.g.board.Name(battleship.Square(s)), got, p.square[s])
		}
	}
}

func (g *game) text() string {
	out := ""
	for i := range g.fleet.Ships() {
		out += g.fleet.Ship(i).Class + " "
	}
	out += "on " + g.board.Name(battleship.Square(g.board.Squares()-1)) + ":"
	for i, s := range g.at {
		out += " " + g.board.Name(s)
		if ship, ok := g.said[i].Ship(); ok {
			out += "=" + g.fleet.Ship(ship).Class
		} else if g.said[i] == battleship.Hit {
			out += "+"
		}
	}
	return out
}

// randomGame returns a game that plain enumeration can count in at most limit
// steps.
func randomGame(r *rand.Rand, limit float64) *game {
	for {
		width, height := 10, 10
		fleet := battleship.Classic()
		switch r.IntN(4) {
		case 0: // many ships on a small board
			width, height = 4+r.IntN(3), 4+r.IntN(3)
			lengths := make([]int, 5+r.IntN(2))
			for i := range lengths {
				lengths[i] = 1 + r.IntN(4)
			}
			fleet, _ = battleship.NewNameless(lengths...)
		case 1, 2:
			width, height = 1+r.IntN(16), 1+r.IntN(16)
			lengths := make([]int, 1+r.IntN(6))
			for i := range lengths {
				lengths[i] = 1 + r.IntN(6)
				if r.IntN(8) == 0 {
					lengths[i] = 1 + r.IntN(16)
				}
			}
			ships := make([]battleship.Ship, len(lengths))
			for i, length := range lengths {
				ships[i] = battleship.Ship{Class: string(rune('A' + i)), Length: length}
			}
			fleet, _ = battleship.NewFleet(ships...)
			if r.IntN(2) == 0 {
				fleet, _ = battleship.NewNameless(lengths...)
			}
		}
		board, err := battleship.NewBoard(width, height)
		if err != nil {
			panic(err)
		}
		g, ok := hide(board, fleet, r)
		if !ok {
			continue
		}
		chase := r.Float64()
		g.fire(r.IntN(board.Squares()/2+1), chase, r)
		for g.plain().size() > limit {
			if len(g.at) == board.Squares() {
				break
			}
			g.fire(1+board.Squares()/20, chase, r)
		}
		if g.plain().size() <= limit {
			return g
		}
	}
}

// TestAgainstEnumeration is the property the package stands on: 2 000 random
// positions of random boards and fleets, 300 by default, equal plain
// enumeration in every number.
func TestAgainstEnumeration(t *testing.T) {
	positions := 2000
	if suite.Few() {
		positions = 300
	}
	r := rand.New(rand.NewPCG(20, 2))
	kinds := map[string]int{}
	for range positions {
		g := randomGame(r, 1e6)
		k := g.knowledge()
		p := g.plain()
		p.run()
		c := New(g.board)
		c.Count(k)
		p.compare(t, c)
		if p.total == 0 {
			t.Fatalf("%s: no placement", g.text())
		}
		kinds["positions"]++
		if !k.Open().Empty() {
			kinds["open hits"]++
		}
		if k.Loose() > 0 {
			kinds["ambiguous sinkings"]++
		}
		if k.Afloat() >= 4 {
			kinds["four or more afloat"]++
		}
		if k.Afloat() >= 5 {
			kinds["five or more afloat"]++
		}
	}
	t.Log(kinds)
	for _, kind := range []string{"open hits", "ambiguous sinkings", "four or more afloat", "five or more afloat"} {
		if kinds[kind] < positions/50 {
			t.Errorf("only %d positions with %s", kinds[kind], kind)
		}
	}
}
