package count

import (
	"math"

	"sakusen/engines/battleship"
)

// A sweep goes through the rows of a field and counts the arrangements in which
// at most so many ships lie down.
type sweep[T word] struct {
	field *field
	book  *book
	down  int
	lists []*list // by class
	room  int     // numbers that a new layer has room for

	known                [][]term[T] // of the row, by the columns taken
	taken                []uint16    // those known
	putRight, worthRight [battleship.MaxSide + 1][]T

	here       layer[T]                 // in a row, its starts done
	begun      []begun                  // the starts, in order
	able       []int32                  // profiles of here in which more may start
	out, price []T                      // numbers of one profile, and what they are worth
	spare      []*layer[T]              // to be used again
	total      T                        // arrangements
	sum        [battleship.MaxSquares]T // and those with a ship on a square
}

// begun is a start: a profile, the one that it becomes, and the ship's size.
type begun struct{ from, to, size int32 }

func newSweep[T word](d *side) *sweep[T] {
	f, b, down := d.field, d.book, d.down
	b.limit = math.MaxInt32
	s := &sweep[T]{field: f, book: b, down: down, room: d.between, known: make([][]term[T], 1<<f.width)}
	s.here.data = make([]T, 0, d.inside)
	for c := range f.width + 1 {
		s.putRight[c], s.worthRight[c] = make([]T, b.ring.size), make([]T, b.ring.size)
	}
	s.out, s.price = make([]T, b.ring.size*(down+1)), make([]T, b.ring.size*(down+1))
	return s
}

// layer returns an empty layer.
func (s *sweep[T]) layer() *layer[T] {
	n := len(s.spare)
	if n == 0 {
		l := &layer[T]{data: make([]T, 0, s.room)}
		l.reset()
		return l
	}
	l := s.spare[n-1]
	s.spare = s.spare[:n-1]
	l.reset()
	return l
}

// block returns the numbers of a profile of here in data of the same layout.
func (s *sweep[T]) block(data []T, i int) []T {
	if i+1 < len(s.here.at) {
		return data[s.here.at[i]:s.here.at[i+1]]
	}
	return data[s.here.at[i]:]
}

// A list says which numbers the profiles of a class have in a sweep: one for
// each multiset of ships in place, and each number of them that lie down,
// of those that can be. It holds where the numbers go in a step.
type list struct {
	n     int      // numbers
	place []int16  // by multiset and ships down, -1 if there is no such number
	more  []int32  // by size, the class when a ship starts down, -1 if none may
	start [][]pair // by size, to the list of that class
	less  int32    // the class after the row
	after []pair   // to the list of that class
	put   [][]pair // by multiset of ships put across
}
