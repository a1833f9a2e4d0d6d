package battleship

import (
	"fmt"

	"sakusen/engines/param"
)

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
		"what strategies do by default where the paper leaves it open: what fits its tables best, or the plainest reading of its text", param.Fixed())
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

// Board is the board that both sides play on.
func (r *Rules) Board() *Board { return r.board }

// Fleet is the fleet of each side.
func (r *Rules) Fleet() *Fleet { return r.fleet }
