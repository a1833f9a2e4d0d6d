package narrow

import "math/bits"

const (
	ones  = 0x0101010101010101 // a byte of 1 in each lane
	highs = 0x8080808080808080 // the top bit of each lane
)

// pick returns the position of the one bit of x with k one bits below it.
func pick(x uint64, k uint) uint {
	s := x - x>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	p := (s + s>>4) & 0x0f0f0f0f0f0f0f0f * ones
	lane := uint(bits.OnesCount64(((uint64(k)*ones | highs) - p) & highs))
	k -= uint(p<<8>>(lane<<3&63)) & 0xff
	return lane<<3 + uint(inByte[(uint(x>>(lane<<3&63))&0xff|k<<8)&2047])
}

// inByte is the position of the k-th one bit of a byte, at k*256 + byte.
var inByte = func() (t [2048]uint8) {
	for b := range 256 {
		k := 0
		for i := range 8 {
			if b>>i&1 == 1 {
				t[k<<8|b] = uint8(i)
				k++
			}
		}
	}
	return t
}()
