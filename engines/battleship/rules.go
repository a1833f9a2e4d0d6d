package battleship

import (
	"fmt"
	"regexp"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// An Answer is what the shooter is told after a shot: Miss, Hit, or Sunk of a
// ship.
type Answer uint8

// Miss says that no ship is there, Hit that a ship is there which is still
// afloat after the shot.
const (
	Miss Answer = iota
	Hit
	sunk
)

// Sunk returns the answer that the shot sank the given ship of the fleet. Of
// several ships alike any may be named: only the class is announced.
func Sunk(ship int) Answer { return sunk + Answer(ship) }

// Ship returns the ship that was announced as sunk, or false.
func (a Answer) Ship() (ship int, ok bool) { return int(a) - int(sunk), a >= sunk }

// MaxShips is the greatest number of ships in a fleet.
const MaxShips = 12

// A Ship is one straight ship: its class as announced when it sinks, and its
// length in squares. Ships of a nameless fleet have no class but their length.
type Ship struct {
	Class  string
	Length int
}

// A Fleet is the ships of one side in a fixed order; a ship is spoken of by
// its index. A Fleet never changes once made. Ships with the same class and
// length are alike: the announcement does not say which of them sank.
type Fleet struct {
	ships   [MaxShips]Ship
	count   int
	alike   [MaxShips]uint8 // index of the first ship alike
	lengths [MaxShips]uint8
	squares int
}

// NewFleet returns a fleet of 1 to 12 ships, each 1 to 16 squares long.
func NewFleet(ships ...Ship) (*Fleet, error) {
	if len(ships) < 1 || len(ships) > MaxShips {
		return nil, fmt.Errorf("fleet of %d ships: want 1 to %d", len(ships), MaxShips)
	}
	f := &Fleet{count: len(ships)}
	for i, ship := range ships {
		if ship.Length < 1 || ship.Length > MaxSide {
			return nil, fmt.Errorf("ship %d of the fleet (%s) has length %d: want 1 to %d", i+1, ship.Class, ship.Length, MaxSide)
		}
		f.ships[i] = ship
		f.lengths[i] = uint8(ship.Length)
		f.squares += ship.Length
		f.alike[i] = uint8(i)
		for j := range i {
			if ships[j].Class != ship.Class {
				continue
			}
			if ships[j].Length != ship.Length {
				return nil, fmt.Errorf("ships %d and %d of the fleet are both %q with lengths %d and %d", j+1, i+1, ship.Class, ships[j].Length, ship.Length)
			}
			f.alike[i] = uint8(j)
			break
		}
	}
	return f, nil
}

// NewNameless returns a fleet whose classes are its lengths.
func NewNameless(lengths ...int) (*Fleet, error) {
	ships := make([]Ship, len(lengths))
	for i, length := range lengths {
		ships[i] = Ship{Class: fmt.Sprint(length), Length: length}
	}
	return NewFleet(ships...)
}

// Classic returns the fleet of the paper: carrier 5, battleship 4, cruiser 3,
// submarine 3, destroyer 2, the two of length 3 told apart when they sink.
func Classic() *Fleet {
	f, err := NewFleet(Ship{"carrier", 5}, Ship{"battleship", 4}, Ship{"cruiser", 3}, Ship{"submarine", 3}, Ship{"destroyer", 2})
	if err != nil {
		panic(err) // the five ships above are legal
	}
	return f
}

// Ships returns the number of ships.
func (f *Fleet) Ships() int { return f.count }

// Ship returns ship i, 0 <= i < Ships.
func (f *Fleet) Ship(i int) Ship { return f.ships[i] }

// Length returns the length of ship i in squares.
func (f *Fleet) Length(i int) int { return int(f.lengths[i]) }

// Squares returns the number of squares all ships cover.
func (f *Fleet) Squares() int { return f.squares }

// Alike returns the first ship that is announced like ship i when it sinks; i
// itself unless the fleet has several ships of one class.
func (f *Fleet) Alike(i int) int { return int(f.alike[i]) }

// Find returns the first ship of the class, or false.
func (f *Fleet) Find(class string) (ship int, ok bool) {
	for i := range f.count {
		if f.ships[i].Class == class {
			return i, true
		}
	}
	return 0, false
}

// A Placement is one ship's place: from Start going right or, Vertical, down.
type Placement struct {
	Ship     int
	Start    Square
	Vertical bool
}

// Covers returns the squares of placement p of a ship of f on b; the empty set
// if it does not fit.
func (b *Board) Covers(f *Fleet, p Placement) Set {
	return b.Line(p.Start, f.Length(p.Ship), p.Vertical)
}

// Components that the referee counts for each seat.
const (
	shotsFired = iota
	shotsHit
	shotsToWin
	placementsVisited
)

// Game returns what the arena is told about Battleship. Entrants may go by the
// paper's names, see paperName.
func Game() arena.Definition[Rules, Player] {
	return arena.Definition[Rules, Player]{
		Name:       "battleship",
		Doc:        "Two fleets hidden from each other; one shot a turn, and only the class of a sunk ship is announced.",
		Source:     "M. Sakuta and H. Iida, Evaluation of Attacking and Placing Strategies in a Classic Battleship Game, 2002, section 2",
		Declare:    func(r *Rules, f *param.Fields) { r.declare(f) },
		Check:      (*Rules).check,
		Seats:      func(*Rules) int { return 2 },
		Components: []string{"shots", "hits", "shots_to_win", "work"},
		Metrics: []arena.Metric{
			{Name: "shots", Doc: "shots fired in the game, shots", Of: "shots"},
			{Name: "hit_ratio", Doc: "100 x hits / shots in the game, percent", Of: "hits", Per: "shots", Scale: 100},
			{Name: "shots_to_win", Doc: "shots until the enemy fleet is sunk, played on after the game, shots", Of: "shots_to_win", Lower: true},
			{Name: "work", Doc: "placements that plain enumeration would have visited until the enemy fleet is sunk, played on after the game, placements", Of: "work", Lower: true},
		},
		LengthComponent: "shots_to_win",
		PaperName:       paperName, PaperNames: paperNames, Programs: true,
		Referee: func(r *Rules) (arena.Referee[Player], error) {
			return newReferee(r), nil
		},
	}
}

// Rules are the options of the game: the board's size and the fleet, which is
// the same for both sides. The default is the paper's: 10 x 10 squares and the
// ships 5, 4, 3, 3 and 2, each of a class of its own. Conventions name what the
// strategies do by default where the paper leaves it open.
type Rules struct {
	width, height int
	conventions   string
	classes       [len(classNames)]class
	board         *Board
	fleet         *Fleet
}

// class is the ships that are announced by the same name when they sink.
type class struct{ length, ships int }

var classNames = [...]string{"carrier", "battleship", "cruiser", "submarine", "destroyer"}

var classLengths = [...]int{5, 4, 3, 3, 2}

// NewRules makes rules with the given options, the defaults for the rest. All
// mistakes are returned.
func NewRules(given param.Values) (*Rules, []error) {
	r := &Rules{}
	f, err := param.Bind(r.declare)
	if err != nil {
		return nil, []error{err}
	}
	if _, errs := f.Assign(given); len(errs) > 0 {
		return nil, errs
	}
	if err := r.check(); err != nil {
		return nil, []error{err}
	}
	return r, nil
}

func (r *Rules) declare(f *param.Fields) {
	f.Int(&r.width, "width", 10, param.Range(1, MaxSide), "columns of the board, squares")
	f.Int(&r.height, "height", 10, param.Range(1, MaxSide), "rows of the board, squares")
	for i, name := range classNames {
		f.Group(name, func(f *param.Fields) {
			f.Int(&r.classes[i].length, "length", classLengths[i], param.Range(1, MaxSide), "length of the ships of this class, squares")
			f.Int(&r.classes[i].ships, "ships", 1, param.Range(0, MaxShips), "ships of this class in the fleet")
		})
	}
	f.Choice(&r.conventions, "conventions", "fitted", []string{"fitted", "plain"},
		"what strategies do by default where the paper leaves it open: the choice that fits its tables best, or the plainest reading of its text", param.Fixed())
}

// check makes the board and the fleet, and refuses a fleet that cannot be
// placed.
func (r *Rules) check() error {
	var err error
	if r.board, err = NewBoard(r.width, r.height); err != nil {
		return err
	}
	var ships []Ship
	for i, c := range r.classes {
		for range c.ships {
			ships = append(ships, Ship{Class: classNames[i], Length: c.length})
		}
	}
	if r.fleet, err = NewFleet(ships...); err != nil {
		return err
	}
	tries := 1 << 20
	if !r.fits(0, Set{}, &tries) {
		return fmt.Errorf("the fleet of %d squares: expected one that can be placed on %d x %d squares", r.fleet.Squares(), r.width, r.height)
	}
	return nil
}

// fits looks for a way to place ship i and those after it outside the taken
// squares, trying a limited number of placements.
func (r *Rules) fits(i int, taken Set, tries *int) bool {
	if i == r.fleet.Ships() {
		return true
	}
	length := r.fleet.Length(i)
	for _, vertical := range [2]bool{false, true} {
		for start := range r.board.Fits(r.board.All().AndNot(taken), length, vertical).All() {
			if *tries--; *tries < 0 {
				return false
			}
			if r.fits(i+1, taken.Or(r.board.Line(start, length, vertical)), tries) {
				return true
			}
		}
	}
	return false
}

// Fitted reports whether the strategies' defaults are those that fit the tables of the
// paper best.
func (r *Rules) Fitted() bool { return r.conventions == "fitted" }

// Board returns the board that both sides play on.
func (r *Rules) Board() *Board { return r.board }

// Fleet returns the fleet of each side.
func (r *Rules) Fleet() *Fleet { return r.fleet }

var (
	mpName     = regexp.MustCompile(`^MP([0-9]+)$`)
	laName     = regexp.MustCompile(`^LA([0-9]+)\.([0-9]+)\.([0-9]+)$`)
	packedName = regexp.MustCompile(`^PK(SP)?([0-9]+)[Xx]([0-9]+)(SP)?$`)
)

// paperName reads a name of the paper, ATTACK or ATTACK/PLACE. Attacks are R,
// RNB, CB, MPx, LAx.y.z and, not in the paper, EX (exact from the first shot),
// EX+ (exact with foresight) and OM (with an opponent model).
// Places are R (taken where none is given), ED1, ED2 and PKxXy, each with SP
// behind it for separated ships; the paper's own PKSPxXy is read too.
func paperName(text string) (strategy string, values param.Values, ok bool) {
	attack, place, hasPlace := strings.Cut(text, "/")
	if strategy, values, ok = attackName(attack); !ok {
		return "", nil, false
	}
	if !hasPlace {
		return strategy, values, true
	}
	where, ok := placeName(place)
	if !ok {
		return "", nil, false
	}
	return strategy, append(values, where...), true
}

// paperNames describes the names that paperName reads.
const paperNames = "ATTACK or ATTACK/PLACE, such as MP70/ED2SP; ATTACK is R, RNB, CB, MPx (mp from x unknown squares on), " +
	"LAx.y.z (lookahead of x shots, y of them kept, from z squares on), EX, EX+ or OM; PLACE is R, ED1, ED2 or PKxXy " +
	"(packed into x times y squares), each with SP behind it where ships do not touch"

func attackName(text string) (strategy string, values param.Values, ok bool) {
	switch text {
	case "R":
		return "random", nil, true
	case "RNB":
		return "neighbour", nil, true
	case "CB":
		return "checkerboard", nil, true
	case "EX":
		return "exact", nil, true
	case "EX+":
		return "foresight", nil, true
	case "OM":
		return "model", nil, true
	}
	if m := mpName.FindStringSubmatch(text); m != nil {
		return "mp", param.Values{{Name: "start_squares", Text: m[1]}}, true
	}
	if m := laName.FindStringSubmatch(text); m != nil {
		return "lookahead", param.Values{
			{Name: "shots", Text: m[1]}, {Name: "kept", Text: m[2]}, {Name: "start_squares", Text: m[3]},
		}, true
	}
	return "", nil, false
}

func placeName(text string) (param.Values, bool) {
	separated := "false"
	kind, isSeparated := strings.CutSuffix(text, "SP")
	if isSeparated {
		separated = "true"
	}
	var size param.Values
	switch kind {
	case "R":
		kind = "random"
	case "ED1":
		kind = "edge1"
	case "ED2":
		kind = "edge2"
	default:
		m := packedName.FindStringSubmatch(text)
		if m == nil || m[1] != "" && m[4] != "" {
			return nil, false
		}
		kind = "packed"
		if m[1] != "" {
			separated = "true"
		}
		size = param.Values{{Name: "place.height", Text: m[2]}, {Name: "place.width", Text: m[3]}}
	}
	values := append(param.Values{{Name: "place.kind", Text: kind}}, size...)
	return append(values, param.Value{Name: "place.separated", Text: separated}), true
}
