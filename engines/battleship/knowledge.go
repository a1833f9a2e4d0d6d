package battleship

import "math/bits"

// A Sinking is one announcement of a sunk ship.
type Sinking struct {
	Ship    int       // index in the fleet
	At      Square    // the shot that sank it
	Hits    Set       // all squares hit before it, and At
	Settled bool      // exactly one placement fits: it lies at Place
	Place   Placement // only when Settled
}

// A Knowledge is all that a shooter has been told in one game, and what
// follows from it at once. Use it as a value or keep one and Reset it;
// recording a shot allocates nothing.
//
// A sunk ship lies inside the hits that existed when it sank and holds the
// square that sank it; it is settled when exactly one such placement is left,
// other settled ships and the squares that sank other ships excluded. Misses
// and settled ships are walls; hits that are not explained are not.
type Knowledge struct {
	board    *Board
	fleet    *Fleet
	shot     Set
	misses   Set
	settled  Set // squares of settled ships
	unknown  Set
	stale    bool // unknown is yet to be worked out
	sinks    Set  // squares that sank a ship
	afloat   uint16
	shortest int
	longest  int
	before   int // shortest before the last sinking, until a miss follows it; then shortest
	sunkShips
}

// sunkShips are the sinkings that were announced, in their order.
type sunkShips struct {
	sinkings [MaxShips]Sinking
	sunk     int
	loose    uint16 // sinkings not settled, by position in sinkings
}

// NewKnowledge returns the knowledge before the first shot.
func NewKnowledge(board *Board, fleet *Fleet) *Knowledge {
	k := &Knowledge{}
	k.Reset(board, fleet)
	return k
}

// Reset returns k to the state before the first shot of a new game.
func (k *Knowledge) Reset(board *Board, fleet *Fleet) {
	k.board, k.fleet = board, fleet
	k.shot, k.misses, k.settled, k.sinks = Set{}, Set{}, Set{}, Set{}
	k.afloat = 1<<fleet.count - 1
	k.loose, k.sunk = 0, 0
	k.measure()
	k.before = k.shortest
	k.stale = true
}

// Record takes in the answer to a shot at a square not shot before. A sunk
// answer must name a ship of which one alike is still afloat.
func (k *Knowledge) Record(at Square, answer Answer) {
	k.shot.Add(at)
	switch {
	case answer == Miss:
		k.misses.Add(at)
		k.before = k.shortest
		k.stale = true
	case answer == Hit:
		k.unknown.Remove(at)
	default:
		ship, _ := answer.Ship()
		k.sink(at, ship)
	}
}

func (k *Knowledge) sink(at Square, announced int) {
	class := k.fleet.alike[announced]
	ship := announced
	for i := range k.fleet.count {
		if k.fleet.alike[i] == class && k.afloat>>i&1 != 0 {
			ship = i // of several ships alike, the first is taken as the one
			break
		}
	}
	k.sinkings[k.sunk] = Sinking{Ship: ship, At: at, Hits: k.Hits()}
	k.loose |= 1 << k.sunk
	k.sunk++
	k.sinks.Add(at)
	k.afloat &^= 1 << ship
	k.settle()
	k.before = k.shortest
	k.measure()
	k.stale = true
}

// settle gives every sunk ship its place that has only one left, until no
// more follows.
func (k *Knowledge) settle() {
	for again := true; again; {
		again = false
		for rest := k.loose; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros16(rest)
			p, n := k.only(&k.sinkings[i])
			if n != 1 {
				continue
			}
			k.sinkings[i].Settled, k.sinkings[i].Place = true, p
			k.settled = k.settled.Or(k.board.Covers(k.fleet, p))
			k.loose &^= 1 << i
			again = true
		}
	}
}

// only returns the number of placements that fit a sinking, and one of them.
func (k *Knowledge) only(s *Sinking) (p Placement, n int) {
	inside := k.Inside(s)
	length := k.fleet.Length(s.Ship)
	if length == 1 {
		return Placement{Ship: s.Ship, Start: s.At}, 1
	}
	if inside.Len() == length { // no other hits: the ship is all of them
		start := inside.First()
		vertical := !inside.Has(start + 1)
		if k.board.Line(start, length, vertical) == inside {
			return Placement{Ship: s.Ship, Start: start, Vertical: vertical}, 1
		}
	}
	for _, vertical := range [2]bool{false, true} {
		step, back := 1, k.board.Column(s.At)
		if vertical {
			step, back = k.board.width, k.board.Row(s.At)
		}
		for i := range min(back+1, length) {
			start := s.At - Square(i*step)
			if line := k.board.Line(start, length, vertical); !line.Empty() && line.Within(inside) {
				p = Placement{Ship: s.Ship, Start: start, Vertical: vertical}
				n++
			}
		}
	}
	return p, n
}

// Inside returns the squares among which a sunk ship that is not settled must
// lie: those hit when it sank, less the settled ships and the squares that
// sank others.
func (k *Knowledge) Inside(s *Sinking) Set {
	set := s.Hits.AndNot(k.sinks).AndNot(k.settled)
	set.Add(s.At)
	return set
}

func (k *Knowledge) measure() {
	k.shortest, k.longest = 0, 0
	for rest := k.afloat; rest != 0; rest &= rest - 1 {
		length := k.fleet.Length(bits.TrailingZeros16(rest))
		k.longest = max(k.longest, length)
		if k.shortest == 0 || length < k.shortest {
			k.shortest = length
		}
	}
}

// survey computes the unknown squares. It is done only when they are asked for: in the
// middle of a neighbour attack they are not.
func (k *Knowledge) survey() {
	k.stale = false
	if k.afloat == 0 {
		k.unknown = Set{}
		return
	}
	free := k.board.all.AndNot(k.misses.Or(k.settled))
	k.unknown = k.board.room(free, k.shortest).AndNot(k.shot)
}

// Board returns the geometry.
func (k *Knowledge) Board() *Board { return k.board }

// Fleet returns the enemy's fleet.
func (k *Knowledge) Fleet() *Fleet { return k.fleet }

// Shots returns the squares shot.
func (k *Knowledge) Shots() Set { return k.shot }

// Misses returns the squares shot that hold no ship.
func (k *Knowledge) Misses() Set { return k.misses }

// Hits returns the squares shot that hold a ship, sunk or not.
func (k *Knowledge) Hits() Set { return k.shot.AndNot(k.misses) }

// Open returns the hits that no settled ship explains.
func (k *Knowledge) Open() Set { return k.shot.AndNot(k.misses).AndNot(k.settled) }

// Settled returns the squares of the sunk ships whose place is known.
func (k *Knowledge) Settled() Set { return k.settled }

// Sinks returns the squares whose shot sank a ship.
func (k *Knowledge) Sinks() Set { return k.sinks }

// Walls returns the squares in which no ship afloat can lie for certain:
// misses and settled ships.
func (k *Knowledge) Walls() Set { return k.misses.Or(k.settled) }

// Unknown returns the squares neither shot nor trivially empty. A square is
// trivially empty when the runs through it, across and down, between walls
// are both shorter than the shortest ship afloat.
func (k *Knowledge) Unknown() Set {
	if k.stale {
		k.survey()
	}
	return k.unknown
}

// UnknownLate does what Unknown does, except that the ship sunk last counts as afloat until the
// next miss when the shortest is looked for. So plays a shooter who looks for trivially empty
// squares when a ship sinks, and strikes the ship off afterwards. It holds all squares of
// Unknown.
func (k *Knowledge) UnknownLate() Set {
	if k.before == k.shortest || k.afloat == 0 {
		return k.Unknown()
	}
	return k.board.room(k.board.all.AndNot(k.misses.Or(k.settled)), k.before).AndNot(k.shot)
}

// Unshot returns the squares not shot, trivially empty ones among them.
func (k *Knowledge) Unshot() Set { return k.board.all.AndNot(k.shot) }

// Afloat returns the number of ships afloat.
func (k *Knowledge) Afloat() int { return bits.OnesCount16(k.afloat) }

// IsAfloat reports whether ship i is afloat. Of ships alike the later ones
// count as afloat when some of them are sunk.
func (k *Knowledge) IsAfloat(i int) bool { return k.afloat>>i&1 != 0 }

// Over reports whether all ships are sunk.
func (k *Knowledge) Over() bool { return k.afloat == 0 }

// Shortest returns the length of the shortest ship afloat, 0 if none is.
func (k *Knowledge) Shortest() int { return k.shortest }

// Longest returns the length of the longest ship afloat, 0 if none is.
func (k *Knowledge) Longest() int { return k.longest }

// Sinkings returns the number of ships sunk.
func (k *sunkShips) Sinkings() int { return k.sunk }

// Sinking returns the i-th sinking in the order of the shots. It must not be
// changed and is good until the next Record or Reset.
func (k *sunkShips) Sinking(i int) *Sinking { return &k.sinkings[i] }

// Loose returns the number of sunk ships whose place is not settled.
func (k *sunkShips) Loose() int { return bits.OnesCount16(k.loose) }
