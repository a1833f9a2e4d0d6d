package count

import (
	"fmt"
	"math/big"
	"math/bits"
)

// A Number is a count of placements: an unsigned integer below 2^128.
type Number struct{ Hi, Lo uint64 }

// Cmp returns -1, 0 or +1 as a is less than, equal to or greater than b.
func (a Number) Cmp(b Number) int {
	switch {
	case a == b:
		return 0
	case a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo:
		return -1
	}
	return 1
}

// IsZero reports whether a is 0.
func (a Number) IsZero() bool { return a.Hi|a.Lo == 0 }

// Float returns the nearest float64.
func (a Number) Float() float64 {
	if a.Hi == 0 {
		return float64(a.Lo)
	}
	f, _ := new(big.Float).SetInt(a.big()).Float64()
	return f
}

// String returns a in decimal.
func (a Number) String() string {
	if a.Hi == 0 {
		return fmt.Sprint(a.Lo)
	}
	return a.big().String()
}

func (a Number) big() *big.Int {
	hi := new(big.Int).Lsh(new(big.Int).SetUint64(a.Hi), 64)
	return hi.Or(hi, new(big.Int).SetUint64(a.Lo))
}

// plus adds modulo 2^128.
func (a Number) plus(b Number) Number {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	hi, _ := bits.Add64(a.Hi, b.Hi, carry)
	return Number{hi, lo}
}

// mul multiplies modulo 2^128.
func (a Number) mul(b Number) Number {
	hi, lo := bits.Mul64(a.Lo, b.Lo)
	return Number{hi + a.Hi*b.Lo + a.Lo*b.Hi, lo}
}

// signed widens a signed integer modulo 2^128.
func signed(x int64) Number { return Number{uint64(x >> 63), uint64(x)} }
