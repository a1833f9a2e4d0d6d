package battleship

import "sakusen/engines/battleship"

// endgame is the placements that agree with the answers when they are few, one
// by one.
type endgame struct {
	board *battleship.Board
	fleet *battleship.Fleet
	most  int // placements

	n      int                        // placements found
	ships  int                        // ships afloat
	class  [battleship.MaxShips]uint8 // by ship afloat: the answer's ship when it sinks
	sizes  [battleship.MaxShips]int
	places []battleship.Set // by placement, ships each
	covers []battleship.Set // by placement: all its ships afloat
	open   battleship.Set   // hits to be covered
	free   battleship.Set   // squares not shot

	sunk    [battleship.MaxShips]*battleship.Sinking
	unknown int // sunk ships whose place is not settled
	inside  [battleship.MaxShips]battleship.Set
	now     [battleship.MaxShips]battleship.Set
}

func newEndgame(r *battleship.Rules, most int) *endgame {
	return &endgame{board: r.Board(), fleet: r.Fleet(), most: most,
		places: make([]battleship.Set, 0, (most+1)*r.Fleet().Ships()),
		covers: make([]battleship.Set, 0, most+1)}
}

// list lists the placements that agree with k and reports whether they are few
// enough.
func (e *endgame) list(k *battleship.Knowledge) bool {
	e.n, e.ships, e.unknown = 0, 0, 0
	e.places, e.covers = e.places[:0], e.covers[:0]
	e.open, e.free = k.Open(), k.Unshot()
	for i := range k.Sinkings() {
		if s := k.Sinking(i); !s.Settled {
			e.sunk[e.unknown], e.inside[e.unknown] = s, k.Inside(s)
			e.unknown++
		}
	}
	for i := range e.fleet.Ships() {
		if k.IsAfloat(i) {
			e.class[e.ships], e.sizes[e.ships] = uint8(e.fleet.Alike(i)), e.fleet.Length(i)
			e.ships++
		}
	}
	e.raise(0, e.open)
	return e.n <= e.most
}

// raise places the sunk ships from the i-th on.
func (e *endgame) raise(i int, open battleship.Set) {
	if i == e.unknown {
		e.cover(1<<e.ships-1, open, open.Or(e.free))
		return
	}
	s := e.sunk[i]
	length := e.fleet.Length(s.Ship)
	for _, vertical := range ways(length) {
		for start := range e.board.Fits(e.inside[i].And(open), length, vertical).All() {
			if line := e.board.Line(start, length, vertical); line.Has(s.At) {
				e.raise(i+1, open.AndNot(line))
			}
		}
	}
}

// cover places the ships left, those over the open hits first.
func (e *endgame) cover(left uint16, open, area battleship.Set) {
	if e.n > e.most {
		return
	}
	if left == 0 {
		if open.Empty() {
			e.n++
			var all battleship.Set
			for _, line := range e.now[:e.ships] {
				all = all.Or(line)
			}
			e.places = append(e.places, e.now[:e.ships]...)
			e.covers = append(e.covers, all)
		}
		return
	}
	if open.Empty() {
		ship := 0
		for left>>ship&1 == 0 {
			ship++
		}
		for _, vertical := range ways(e.sizes[ship]) {
			for start := range e.board.Fits(area, e.sizes[ship], vertical).All() {
				e.now[ship] = e.board.Line(start, e.sizes[ship], vertical)
				e.cover(left&^(1<<ship), open, area.AndNot(e.now[ship]))
			}
		}
		return
	}
	at := open.First()
	for ship := range e.ships {
		if left>>ship&1 == 0 {
			continue
		}
		length := e.sizes[ship]
		for _, vertical := range ways(length) {
			step, back := 1, e.board.Column(at)
			if vertical {
				step, back = e.board.Width(), e.board.Row(at)
			}
			for i := range min(back+1, length) {
				line := e.board.Line(at-battleship.Square(i*step), length, vertical)
				if line.Empty() || !line.Within(area) || !line.Meets(e.free) {
					continue
				}
				e.now[ship] = line
				e.cover(left&^(1<<ship), open.AndNot(line), area.AndNot(line))
			}
		}
	}
}

// ways returns how a ship can lie.
func ways(length int) []bool {
	if length == 1 {
		return []bool{false}
	}
	return []bool{false, true}
}
