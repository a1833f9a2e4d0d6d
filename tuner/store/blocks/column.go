package blocks

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// A column is one number of one seat in one rotation, over the blocks of a
// run. It is kept as the difference from another column or from nothing, less
// the smallest difference, in whichever of three ways is shortest.
//
// The ways were compared on battleship (MP70 against CB, MP50 and RNB against
// R): fixed widths alone take 29.6, 33.2 and 24.8 bytes a block with the 16
// of the digests, with Rice codes and differences 27.4, 30.0 and 23.5; the
// zeroth-order entropy is 23.8, 25.5 and 21.2, and an arithmetic coder that
// nears it would cost more time than a fast game takes to play.
const (
	wayConstant = iota // all the same
	wayFixed           // as many bits as the largest takes
	wayRice            // the k lowest bits, the rest in unary (Rice and Plaunt 1971)
	wayFloat           // the number of bits, then the bits below the highest: for wide ranges
)

// columnCode is how a column is kept.
type columnCode struct {
	way   int
	back  int   // difference from the column so many places before, 0 from nothing
	least int64 // smallest difference
	width uint  // wayFixed: bits; wayRice: k; wayFloat: bits of the number of bits
	short uint  // wayFloat: the smallest number of bits
	cost  int   // bits
}

// maxBack bounds the differences that are tried; the code has two bits for it.
const maxBack = 3

// differences writes column less reference into into, wrapping around.
func differences(into, column, reference []int64) {
	copy(into, column)
	for i, x := range reference {
		into[i] -= x
	}
}

// fit finds the shortest way for the differences.
func fit(diff []int64, back int) columnCode {
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range diff {
		least, most = min(least, x), max(most, x)
	}
	c := columnCode{back: back, least: least}
	width := uint(bits.Len64(uint64(most) - uint64(least)))
	if width == 0 {
		return c
	}
	c.way, c.width, c.cost = wayFixed, width, 8+int(width)*len(diff)
	c.tryFloat(diff)
	if width > 40 {
		return c // far beyond what is counted; this keeps the sums below from overflowing
	}
	var sum uint64
	for _, x := range diff {
		sum += uint64(x - least)
	}
	// The best k is near the logarithm of the mean: three are tried at once.
	k := max(uint(bits.Len64(sum/uint64(len(diff)))), 2) - 2
	var high [3]uint64
	for _, x := range diff {
		u := uint64(x-least) >> k
		high[0] += u
		high[1] += u >> 1
		high[2] += u >> 2
	}
	for i, h := range high {
		if cost := 8 + (int(k)+i+1)*len(diff) + int(h); cost < c.cost {
			c.way, c.least, c.width, c.cost = wayRice, least, k+uint(i), cost
		}
	}
	return c
}

// tryFloat chooses wayFloat if that is shorter. If nothing is negative it subtracts
// nothing, since the smallest number would be left with no bits at all.
func (c *columnCode) tryFloat(diff []int64) {
	least := min(c.least, 0)
	short, long, below := uint(64), uint(0), 0
	for _, x := range diff {
		n := uint(bits.Len64(uint64(x) - uint64(least)))
		short, long = min(short, n), max(long, n)
		below += int(max(n, 1)) - 1
	}
	width := uint(bits.Len(long - short))
	if cost := 16 + int(width)*len(diff) + below; cost < c.cost {
		c.way, c.least, c.width, c.short, c.cost = wayFloat, least, width, short, cost
	}
}

// packColumn appends a column: a byte of way and back, the smallest
// difference, the width (and for wayFloat the smallest number of bits), the
// bits.
func packColumn(out []byte, c columnCode, diff []int64) []byte {
	out = append(out, byte(c.way|c.back<<2))
	out = binary.AppendVarint(out, c.least)
	if c.way == wayConstant {
		return out
	}
	w := bitWriter{out: append(out, byte(c.width))}
	if c.way == wayFloat {
		w.out = append(w.out, byte(c.short))
	}
	for _, x := range diff {
		u := uint64(x) - uint64(c.least)
		if c.way == wayFixed {
			w.put(u, c.width)
			continue
		}
		if c.way == wayFloat {
			n := uint(bits.Len64(u))
			w.put32(uint64(n-c.short), c.width)
			w.put(u, max(n, 1)-1)
			continue
		}
		if high := u >> c.width; high+1+uint64(c.width) <= 32 {
			w.put32((u&(1<<c.width-1)<<1|1)<<high, uint(high)+1+c.width)
		} else {
			w.unary(high)
			w.put(u, c.width)
		}
	}
	return w.flush()
}

// unpackColumn undoes packColumn; before gives the column that is back places
// before this one.
func unpackColumn(r *bitReader, column []int64, before func(back int) ([]int64, bool)) error {
	head := r.byte()
	least := r.varint()
	way, back := int(head&3), int(head>>2)
	var width, short uint
	if way != wayConstant {
		width = uint(r.byte())
	}
	if way == wayFloat {
		short = uint(r.byte())
	}
	if r.err != nil {
		return r.err
	}
	if width > 64 || way == wayFloat && (width > 7 || short > 64) {
		return fmt.Errorf("column: way %d, width %d, %d bits", way, width, short)
	}
	whole := r.in
	for i := range column {
		var u uint64
		switch way {
		case wayFixed:
			u = r.take(width)
		case wayRice:
			high := r.unary()
			u = high<<width | r.take(width)
		case wayFloat:
			if n := short + uint(r.take32(width)); n > 64 {
				return fmt.Errorf("column: a number of %d bits", n)
			} else if n > 0 {
				u = 1<<(n-1) | r.take(n-1)
			}
		}
		column[i] = int64(u + uint64(least))
	}
	r.align(whole)
	if back == 0 || r.err != nil {
		return r.err
	}
	reference, ok := before(back)
	if !ok {
		return fmt.Errorf("column: difference from %d places before", back)
	}
	for i := range column {
		column[i] += reference[i]
	}
	return nil
}
