package arena

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// Wide is a signed 128-bit integer in two's complement, for sums of squares
// that pass 2^63: exact, and the same in whatever order it is added up.
type Wide struct {
	hi int64
	lo uint64
}

// Product is x*y, exactly.
func Product(x, y int64) Wide {
	ux, uy := magnitude(x), magnitude(y)
	hi, lo := bits.Mul64(ux, uy)
	w := Wide{int64(hi), lo}
	if (x < 0) != (y < 0) {
		return w.negated()
	}
	return w
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func (w Wide) negated() Wide {
	lo, carry := bits.Add64(^w.lo, 1, 0)
	return Wide{^w.hi + int64(carry), lo}
}

// Plus is w + v.
func (w Wide) Plus(v Wide) Wide {
	lo, carry := bits.Add64(w.lo, v.lo, 0)
	return Wide{w.hi + v.hi + int64(carry), lo}
}

// Minus is w - v.
func (w Wide) Minus(v Wide) Wide { return w.Plus(v.negated()) }

// Float is the nearest float64, within one unit in its last place.
func (w Wide) Float() float64 {
	if w.hi < 0 {
		return -w.negated().Float()
	}
	return math.FMA(float64(w.hi), 0x1p64, float64(w.lo))
}

// big is w as a big integer.
func (w Wide) big() *big.Int {
	x := new(big.Int).Lsh(big.NewInt(w.hi), 64)
	return x.Add(x, new(big.Int).SetUint64(w.lo))
}

// String is w in decimal.
func (w Wide) String() string { return w.big().String() }

// MarshalText writes w in decimal.
func (w Wide) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (w *Wide) UnmarshalText(text []byte) error {
	x, ok := new(big.Int).SetString(string(text), 10)
	if !ok || x.BitLen() > 127 {
		return fmt.Errorf("128-bit integer: expected decimal digits, got %q", text)
	}
	low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64))
	w.lo = low.Uint64()
	w.hi = new(big.Int).Rsh(x, 64).Int64()
	return nil
}
