package count

// A ring holds the multisets of ships that a sweep keeps apart: how many of
// each size are in place. A multiset is a number, mixed radix, the digit of
// size i worth stride[i]; sums of multisets are sums of numbers.
type ring struct {
	lengths []int // different lengths, longest first
	ships   []int // of each length
	stride  []int
	size    int         // multisets
	digits  [][]uint8   // of each multiset
	members []int       // ships in it
	squares []int       // squares they cover
	room    [][]uint16  // by size, the multisets to which one more may be added
	longer  [][17]uint8 // ships of at least so many squares
}

func newRing(lengths, ships []int) *ring {
	r := &ring{lengths: lengths, ships: ships, stride: make([]int, len(ships)), size: 1, room: make([][]uint16, len(ships))}
	for i, n := range ships {
		r.stride[i] = r.size
		r.size *= n + 1
	}
	for u := range r.size {
		digits := make([]uint8, len(ships))
		var longer [17]uint8
		members, squares := 0, 0
		for i, n := range ships {
			digit := u / r.stride[i] % (n + 1)
			digits[i] = uint8(digit)
			members += digit
			squares += digit * lengths[i]
			for v := 1; v <= lengths[i]; v++ {
				longer[v] += uint8(digit)
			}
			if digit < n {
				r.room[i] = append(r.room[i], uint16(u))
			}
		}
		r.digits = append(r.digits, digits)
		r.members = append(r.members, members)
		r.squares = append(r.squares, squares)
		r.longer = append(r.longer, longer)
	}
	return r
}

// fits reports whether u and j together are not more than the fleet.
func (r *ring) fits(u, j int) bool {
	for i, n := range r.ships {
		if int(r.digits[u][i]+r.digits[j][i]) > n {
			return false
		}
	}
	return true
}

// sums returns for every multiset how many others of at most so many squares
// may be added to it.
func (r *ring) sums(squares int) []int {
	n := make([]int, r.size)
	for u := range n {
		for j := range r.size {
			if r.squares[j] <= squares && r.fits(u, j) {
				n[u]++
			}
		}
	}
	return n
}
