package blocks

import (
	"encoding/binary"
	"io"
	"math/bits"
)

// bitWriter appends bits to bytes, the lowest bit of a byte first.
type bitWriter struct {
	out  []byte
	held uint64
	n    uint // bits held, below 32 between calls
}

// put appends the lowest width bits of x.
func (w *bitWriter) put(x uint64, width uint) {
	if width > 32 {
		w.put32(x&0xffffffff, 32)
		x >>= 32
		width -= 32
	}
	w.put32(x&(1<<width-1), width)
}

// put32 appends x, which has at most width bits, width at most 32.
func (w *bitWriter) put32(x uint64, width uint) {
	w.held |= x << w.n
	w.n += width
	if w.n >= 32 {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(w.held))
		w.held >>= 32
		w.n -= 32
	}
}

// unary appends n zero bits and a one.
func (w *bitWriter) unary(n uint64) {
	for ; n >= 32; n -= 32 {
		w.put32(0, 32)
	}
	w.put32(1<<n, uint(n)+1)
}

// flush fills the last byte with zero bits.
func (w *bitWriter) flush() []byte {
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.out = append(w.out, byte(w.held))
		w.held >>= 8
	}
	w.held = 0
	return w.out
}

// bitReader undoes bitWriter. Reading past the end sets err, once and for all,
// and gives zeros.
type bitReader struct {
	in   []byte
	held uint64
	n    uint // bits held; those above are zero
	err  error
}

// fill holds more than 32 bits, or all that are left.
func (r *bitReader) fill() {
	if r.n > 32 {
		return
	}
	if len(r.in) >= 4 {
		r.held |= uint64(binary.LittleEndian.Uint32(r.in)) << r.n
		r.in = r.in[4:]
		r.n += 32
		return
	}
	for len(r.in) > 0 && r.n <= 56 {
		r.held |= uint64(r.in[0]) << r.n
		r.in = r.in[1:]
		r.n += 8
	}
}

func (r *bitReader) take(width uint) uint64 {
	if width > 32 {
		low := r.take32(32)
		return low | r.take32(width-32)<<32
	}
	return r.take32(width)
}

func (r *bitReader) take32(width uint) uint64 {
	r.fill()
	if r.n < width {
		r.err = io.ErrUnexpectedEOF
		r.n, r.held = 0, 0
		return 0
	}
	x := r.held & (1<<width - 1)
	r.held >>= width
	r.n -= width
	return x
}

func (r *bitReader) unary() uint64 {
	var n uint64
	for {
		r.fill()
		if r.held != 0 {
			zeros := uint(bits.TrailingZeros64(r.held))
			r.held >>= zeros + 1
			r.n -= zeros + 1
			return n + uint64(zeros)
		}
		if r.n == 0 {
			r.err = io.ErrUnexpectedEOF
			return 0
		}
		n += uint64(r.n)
		r.n = 0
	}
}

// align drops what is left of a byte that was begun and puts back the whole
// bytes that are held. in must still be a part of the slice whole.
func (r *bitReader) align(whole []byte) {
	left := len(r.in) + int(r.n/8)
	r.in = whole[len(whole)-left:]
	r.held, r.n = 0, 0
}

// byte, uvarint and varint read at a byte's begin, with no bits held.
func (r *bitReader) byte() byte {
	if len(r.in) == 0 {
		r.err = io.ErrUnexpectedEOF
		return 0
	}
	b := r.in[0]
	r.in = r.in[1:]
	return b
}

func (r *bitReader) uvarint() uint64 {
	x, n := binary.Uvarint(r.in)
	if n <= 0 {
		r.err, r.in = io.ErrUnexpectedEOF, nil
		return 0
	}
	r.in = r.in[n:]
	return x
}

func (r *bitReader) varint() int64 {
	x, n := binary.Varint(r.in)
	if n <= 0 {
		r.err, r.in = io.ErrUnexpectedEOF, nil
		return 0
	}
	r.in = r.in[n:]
	return x
}
