package solving

import (
	"io"
	"unsafe"
)

// Layers that are larger than the memory allowed lie in files that are mapped into
// memory. The system keeps of them what there is room for, and writes back and drops
// the rest: with little memory a run is slow, but it is not killed.

// relieve gives up the layers' pages, to the files, where all but a sixteenth of the memory
// allowed is resident.
func (j *Job) relieve() {
	if len(j.room) > 0 && resident() > j.Memory-j.Memory/16 {
		for _, m := range j.room {
			m.drop()
		}
	}
}

// eased reads or writes a saved layer within the memory allowed, as that goes through all
// pages of the layer held.
type eased struct {
	io.Reader
	io.Writer
	job  *Job
	left int // bytes until the next look
}

// easedBytes are the bytes of a saved layer from one look at the memory to the next.
const easedBytes = 8 << 20

func (e *eased) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	e.count(n)
	return n, err
}

func (e *eased) Write(p []byte) (int, error) {
	n, err := e.Writer.Write(p)
	e.count(n)
	return n, err
}

func (e *eased) count(n int) {
	if e.left -= n; e.left <= 0 {
		e.left = easedBytes
		e.job.relieve()
	}
}

// words returns the file's bytes as so many words of 2, 4 or 8 bytes.
func (m *mapped) words(n uint64, bytes int) any {
	at := unsafe.Pointer(unsafe.SliceData(m.bytes))
	switch bytes {
	case 2:
		return unsafe.Slice((*uint16)(at), n)
	case 4:
		return unsafe.Slice((*uint32)(at), n)
	}
	return unsafe.Slice((*uint64)(at), n)
}
