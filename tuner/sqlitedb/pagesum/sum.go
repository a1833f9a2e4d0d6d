package pagesum

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Bytes is the size of a sum, which stands at the end of its page.
const Bytes = 8

// Sum is the checksum of a page without its last 8 bytes, by its number from 1.
// Each word of 8 bytes goes through a bijection, so that a change within one word
// never leaves the sum as it was. It is no protection against intent.
func Sum(page []byte, number int64) uint64 {
	h := uint64(number)*0x9e3779b97f4a7c15 + 0x53414b55
	for ; len(page) >= 8; page = page[8:] {
		h = (h ^ binary.LittleEndian.Uint64(page)) * 0x9fb21c651e98df25
		h = bits.RotateLeft64(h, 29)
	}
	return h
}

// Fits reports whether a page is what was written under its number. A page of
// zeros is one that was never written.
func Fits(page []byte, number int64) bool {
	body, sum := page[:len(page)-Bytes], binary.LittleEndian.Uint64(page[len(page)-Bytes:])
	return Sum(body, number) == sum || sum == 0 && len(bytes.TrimLeft(page, "\x00")) == 0
}
