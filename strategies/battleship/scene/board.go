package scene

import (
	"fmt"
	"strconv"

	"sakusen/engines/arena/film"
	"sakusen/engines/battleship"
)

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

// shade is the shade of a chance of a ship, from 1 to 9.
func shade(chance float64) int {
	n := 1
	for _, from := range shades {
		if 100*chance >= from {
			n++
		}
	}
	return n
}

// heat is the exact chance of a ship on every square not shot.
type heat struct {
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

// heat counts, unless that would take too long.
func (n *navies) heat(side *fleetAt) *heat {
	k := side.knowledge
	if k.Over() {
		return &heat{why: "All ships are sunk."}
	}
	if cost := n.counter.Cost(k); cost > countLimit {
		return &heat{why: fmt.Sprintf("Not counted: it would take about %.2g closed forms, the limit is %d.", cost, countLimit)}
	}
	n.counter.Count(k)
	_, most := n.counter.Best()
	return &heat{known: true, total: n.counter.Total().Float(), most: most.Float(), text: film.Grouped(n.counter.Total().String())}
}

func (n *navies) corner(at battleship.Square) (x, y float64) {
	return margin + square*float64(n.board.Column(at)), row + margin + square*float64(n.board.Row(at))
}

// square draws the ground of one square and says what is known of it.
func (n *navies) square(s *film.Sketch, side *fleetAt, at battleship.Square, h *heat) {
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
func (n *navies) best(s *film.Sketch, side *fleetAt, h *heat) {
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

// legend says what the shades stand for.
func (n *navies) legend(s *film.Sketch, h *heat, y float64) {
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
