package battleship

import (
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/battleship"
	"sakusen/strategies/battleship/count"
)

// Scene draws Battleship: for each seat the board that it shoots at, with
// what its shots have told it and the exact chance of a ship on every other
// square, counted as `sakusen paper analyse battleship` counts it. Films are made
// of it (engines/arena/film).

// Scene returns how the game is shown.
func Scene() film.Scene {
	return film.Scene{Draw: newNavies, Measure: "chance to win if both shot at random from here on, exact", Entrants: []string{"MP70/ED2", "EX"}, Seed: "1"}
}

// navies draws a game of Battleship: for each seat the board that it shoots at,
// with what its shots have told it and the exact chance of a ship on every other
// square.
type navies struct {
	board   *battleship.Board
	fleet   *battleship.Fleet
	names   []string
	emit    film.Emit
	counter *count.Counter
	sides   [2]*fleetAt
}

// fleetAt is the board that one seat shoots at.
type fleetAt struct {
	seat      int
	enemy     []battleship.Placement
	shots     []battleship.Shot // all, those after the end of the game too
	knowledge *battleship.Knowledge
	shown     int                         // shots drawn
	turn      [battleship.MaxSquares]int  // of the shot at each square, from 1
	sunk      [battleship.MaxSquares]bool // the shot there sank a ship
	drawing   string
	hits      int // of its shots
}

func newNavies(rs *arena.Ruleset, seats []string, emit film.Emit) (film.Drawer, error) {
	rules, errs := battleship.NewRules(rs.Rules)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	n := &navies{board: rules.Board(), fleet: rules.Fleet(), names: seats, emit: emit, counter: count.New(rules.Board())}
	for seat := range n.sides {
		n.sides[seat] = &fleetAt{seat: seat, knowledge: battleship.NewKnowledge(n.board, n.fleet)}
	}
	return n, nil
}

// See implements film.Drawer. Nothing is drawn before the end, since each side's
// shots come in one piece.
func (n *navies) See(event any) error {
	switch e := event.(type) {
	case battleship.Placed:
		if e.Illegal {
			return n.emit(film.Frame{Seat: e.Seat, Text: n.names[e.Seat] + " places an impossible fleet."})
		}
		n.sides[1-e.Seat].enemy = e.Fleet
	case battleship.Shot:
		side := n.sides[e.Seat]
		side.shots = append(side.shots, e)
	case battleship.Decided:
		return n.tell(e)
	}
	return nil
}

// tell draws the game in the order of its turns.
func (n *navies) tell(end battleship.Decided) error {
	if n.sides[0].enemy == nil || n.sides[1].enemy == nil {
		return n.emit(film.Frame{Seat: end.Winner, Text: n.names[end.Winner] + " wins."})
	}
	for _, side := range n.sides {
		side.drawing = n.draw(side)
	}
	if err := n.frame(film.Nobody, "The fleets are placed."); err != nil {
		return err
	}
	for turn := range max(end.Shots[0], end.Shots[1]) + 1 {
		for seat, side := range n.sides {
			if turn >= len(side.shots) {
				continue
			}
			shot := side.shots[turn]
			if turn >= end.Shots[seat] && !(shot.Illegal && end.Winner != seat) {
				continue
			}
			if err := n.shoot(side, shot); err != nil {
				return err
			}
		}
	}
	text := fmt.Sprintf("%s wins after %s.", n.names[end.Winner], film.Plural(end.Shots[end.Winner], "shot"))
	if loser := n.sides[1-end.Winner]; len(loser.shots) > 0 && !loser.shots[len(loser.shots)-1].Illegal {
		text += fmt.Sprintf(" %s would have needed %d.", n.names[loser.seat], len(loser.shots))
	}
	last := n.still(end.Winner, text)
	last.Standing = []float64{0, 0}
	last.Standing[end.Winner] = 1
	return n.emit(last)
}

// shoot draws one shot.
func (n *navies) shoot(side *fleetAt, shot battleship.Shot) error {
	if shot.Illegal {
		return n.frame(side.seat, fmt.Sprintf("%s: shot %d is illegal.", n.names[side.seat], shot.Turn))
	}
	side.knowledge.Record(shot.At, shot.Answer)
	side.shown++
	side.turn[shot.At] = shot.Turn
	word, mark := "miss", ""
	if ship, ok := shot.Answer.Ship(); ok {
		side.sunk[shot.At] = true
		mark = "sunk"
		word = n.fleet.Ship(ship).Class + " sunk"
	} else if shot.Answer == battleship.Hit {
		word = "hit"
	}
	if word != "miss" {
		side.hits++
	}
	side.drawing = n.draw(side)
	f := n.still(side.seat, fmt.Sprintf("%s: shot %d at %s, %s.", n.names[side.seat], shot.Turn, n.board.Name(shot.At), word))
	f.Mark = mark
	return n.emit(f)
}

func (n *navies) frame(seat int, text string) error {
	return n.emit(n.still(seat, text))
}

// still returns both boards as they are.
func (n *navies) still(seat int, text string) film.Frame {
	next, other := n.sides[0], n.sides[1]
	if next.shown > other.shown {
		next, other = other, next
	}
	whole, squares := n.fleet.Squares(), n.board.Squares()
	standing := make([]float64, 2)
	standing[next.seat] = chance([2]int{whole - next.hits, whole - other.hits}, [2]int{squares - next.shown, squares - other.shown})
	standing[other.seat] = 1 - standing[next.seat]
	return film.Frame{Seat: seat, Text: text, SVG: n.sides[0].drawing + n.sides[1].drawing, Standing: standing}
}

// chance returns how likely the seat that shoots next is to sink the other fleet first, if
// from here on both shoot at squares drawn at random from those that they have not shot at.
// left are the squares of ships that the two still have to hit, open those that they have
// not shot at, the next to shoot first. It is exact: the last of m hits among u squares
// falls by shot t with probability C(t,m)/C(u,m).
func chance(left, open [2]int) float64 {
	win := 0.0
	for t := 0; t <= open[0]; t++ {
		// It ends with its shot t, before the other one's.
		win += (by(left[0], open[0], t) - by(left[0], open[0], t-1)) * (1 - by(left[1], open[1], t-1))
	}
	return min(1, max(0, win))
}

// by returns the probability that m hits among u squares have fallen by shot t.
func by(m, u, t int) float64 {
	if t < m {
		return 0
	}
	p := 1.0
	for k := range m {
		p *= float64(t-k) / float64(u-k)
	}
	return p
}

const (
	square = 10.0 // the side of a square
	margin = 8.0  // letters and numbers of the board
	row    = 8.0  // a line of text
	swatch = 6.0  // width of a shade in the legend

	// countLimit bounds the closed forms counted for one heat map, at 5 to 40
	// microseconds each; see count.Counter.Cost. The standard fleet takes some
	// hundreds.
	countLimit = 5000
)

// shades are the chances of a ship, in per cent, at which a darker shade begins: the same
// in all drawings, so that steps and boards can be compared. Few squares are above a third
// before a ship is hit.
var shades = [...]float64{2, 5, 10, 15, 20, 30, 50, 75}

// shade returns the shade of a chance of a ship, from 1 to 9.
func shade(chance float64) int {
	n := 1
	for _, from := range shades {
		if 100*chance >= from {
			n++
		}
	}
	return n
}

// sceneHeat is the exact chance of a ship on every square not shot.
type sceneHeat struct {
	known bool   // it could be counted
	why   string // why not
	total float64
	most  float64
	text  string // placements that agree, decimal
}

// draw draws the board that a seat shoots at.
func (n *navies) draw(side *fleetAt) string {
	h := n.heat(side)
	width := margin + square*float64(n.board.Width())
	bottom := margin + row + square*float64(n.board.Height())
	label := fmt.Sprintf("%s shoots at %s: %s, %s hit, %s afloat", n.names[side.seat], n.names[1-side.seat],
		film.Plural(side.shown, "shot"), film.Plural(side.knowledge.Hits().Len(), "square"), film.Plural(side.knowledge.Afloat(), "ship"))
	s := film.NewSketch("battleship", label, max(width, 88)+1, bottom+(3+float64((n.fleet.Ships()+1)/2))*row)
	s.Text("heading", 0, 5, film.Clip(n.names[side.seat], 18)+" shoots at "+film.Clip(n.names[1-side.seat], 18))
	for column := range n.board.Width() {
		s.Text("axis middle", margin+square*(float64(column)+0.5), row+6, string(rune('a'+column)))
	}
	for line := range n.board.Height() {
		s.Text("axis middle", 4, row+margin+square*(float64(line)+0.5)+2, strconv.Itoa(line+1))
	}
	for at := range n.board.All().All() {
		n.square(s, side, at, h)
	}
	for i := range side.knowledge.Sinkings() {
		if sinking := side.knowledge.Sinking(i); sinking.Settled {
			n.ship(s, "ship sunk", n.fleet.Ship(sinking.Ship).Class+", sunk", sinking.Place)
		}
	}
	for _, p := range side.enemy {
		n.ship(s, "ship secret", n.fleet.Ship(p.Ship).Class+" of "+n.names[1-side.seat], p)
	}
	n.best(s, side, h)
	n.marks(s, side)
	n.legend(s, h, bottom+5)
	n.afloat(s, side, bottom+3*row, max(width, 88)/2)
	return s.String()
}

// heat counts placements for each square, unless that would take too long.
func (n *navies) heat(side *fleetAt) *sceneHeat {
	k := side.knowledge
	if k.Over() {
		return &sceneHeat{why: "All ships are sunk."}
	}
	if cost := n.counter.Cost(k); cost > countLimit {
		return &sceneHeat{why: fmt.Sprintf("Not counted: it would take about %.2g closed forms, the limit is %d.", cost, countLimit)}
	}
	n.counter.Count(k)
	_, most := n.counter.Best()
	return &sceneHeat{known: true, total: n.counter.Total().Float(), most: most.Float(), text: film.Grouped(n.counter.Total().String())}
}

func (n *navies) corner(at battleship.Square) (x, y float64) {
	return margin + square*float64(n.board.Column(at)), row + margin + square*float64(n.board.Row(at))
}

// square draws the ground of one square and says what is known of it.
func (n *navies) square(s *film.Sketch, side *fleetAt, at battleship.Square, h *sceneHeat) {
	x, y := n.corner(at)
	name, k := n.board.Name(at), side.knowledge
	switch {
	case k.Misses().Has(at):
		s.Rect("miss", fmt.Sprintf("%s: miss, shot %d", name, side.turn[at]), x, y, square, square)
	case k.Shots().Has(at):
		word := "hit"
		if side.sunk[at] {
			word = "hit and sunk"
		}
		s.Rect("hit", fmt.Sprintf("%s: %s, shot %d", name, word, side.turn[at]), x, y, square, square)
	case !h.known:
		s.Rect("water", name+": not shot", x, y, square, square)
	default:
		here := n.counter.At(at)
		class := "water"
		if !here.IsZero() {
			class = fmt.Sprintf("heat-%d", shade(here.Float()/h.total))
		}
		s.Rect(class, fmt.Sprintf("%s: %.2f %%, %s placements", name, 100*here.Float()/h.total, film.Grouped(here.String())), x, y, square, square)
	}
}

// ship draws a ship where it lies.
func (n *navies) ship(s *film.Sketch, class, title string, p battleship.Placement) {
	x, y := n.corner(p.Start)
	long, wide := square*float64(n.fleet.Length(p.Ship))-2, square-2.0
	if p.Vertical {
		long, wide = wide, long
	}
	s.Rect(class, title, x+1, y+1, long, wide)
}

// best rings the likeliest squares, over all others.
func (n *navies) best(s *film.Sketch, side *fleetAt, h *sceneHeat) {
	if !h.known {
		return
	}
	for at := range n.board.All().All() {
		if here := n.counter.At(at); !side.knowledge.Shots().Has(at) && !here.IsZero() && here.Float() == h.most {
			x, y := n.corner(at)
			title := fmt.Sprintf("%s: %.2f %%, %s placements, no square is likelier", n.board.Name(at), 100*here.Float()/h.total, film.Grouped(here.String()))
			s.Rect("best", title, x+0.4, y+0.4, square-0.8, square-0.8)
		}
	}
}

// marks draws the shots.
func (n *navies) marks(s *film.Sketch, side *fleetAt) {
	last := battleship.Set{}
	if side.shown > 0 {
		last = battleship.SetOf(side.shots[side.shown-1].At)
	}
	for at := range side.knowledge.Shots().All() {
		x, y := n.corner(at)
		if side.knowledge.Misses().Has(at) {
			s.Circle("splash", "", x+5, y+5, 1.5)
		} else {
			s.Path("cross", "", fmt.Sprintf("M%s %sl5 5m0 -5l-5 5", film.Length(x+2.5), film.Length(y+2.5)))
		}
		if last.Has(at) {
			s.Rect("last", "", x+0.5, y+0.5, square-1, square-1)
		}
	}
}

// legend returns what the shades stand for.
func (n *navies) legend(s *film.Sketch, h *sceneHeat, y float64) {
	if !h.known {
		s.Text("note", 0, y, h.why)
		return
	}
	agree := h.text + " placements agree"
	if h.total == 1 {
		agree = "1 placement agrees"
	}
	s.Text("note", 0, y, agree)
	for i := range len(shades) + 1 {
		s.Rect(fmt.Sprintf("heat-%d", i+1), "", swatch*float64(i), y+3, swatch, 4)
	}
	for i, from := range shades {
		s.Text("axis middle", swatch*float64(i+1), y+11, strconv.FormatFloat(from, 'f', -1, 64))
	}
	s.Text("axis", swatch*float64(len(shades)+1)+1, y+6.5, "% chance of a ship")
	s.Text("axis", swatch*float64(len(shades)+1)+1, y+11, fmt.Sprintf("ringed: %.2f %%", 100*h.most/h.total))
}

// afloat lists the enemy's ships in two columns.
func (n *navies) afloat(s *film.Sketch, side *fleetAt, y, column float64) {
	longest := 0
	for i := range n.fleet.Ships() {
		longest = max(longest, n.fleet.Length(i))
	}
	unit := min(2.6, 16/float64(longest)) // of a bar, for each square
	for i := range n.fleet.Ships() {
		x, at := column*float64(i%2), y+row*float64(i/2)
		class, word := "afloat", n.fleet.Ship(i).Class
		if !side.knowledge.IsAfloat(i) {
			class, word = "gone", word+", sunk"
		}
		title := fmt.Sprintf("%s, %s", word, film.Plural(n.fleet.Length(i), "square"))
		s.Group("", title, func() {
			s.Rect("ship "+class, "", x+1, at, unit*float64(n.fleet.Length(i)), 4)
			s.Text("note", x+unit*float64(longest)+3, at+3.6, word)
		})
	}
}
