package solving

import (
	"sync/atomic"
	"unsafe"

	"sakusen/strategies/daifugo/positions"
)

// Layers that are larger than the memory allowed lie in files that are mapped into
// memory. The system keeps of them what there is room for, and writes back and drops
// the rest: with little memory a run is slow, but it is not killed.

// bounded is a pool that gives up the layers' pages, to the files, whenever more of
// them are resident than the memory allowed.
func (j *Job) bounded(pool positions.Pool) positions.Pool {
	var done atomic.Int64
	return func(n int, work func(i int)) {
		pool(n, func(i int) {
			work(i)
			if done.Add(1)%16 == 0 && resident() > j.Memory {
				for _, m := range j.room {
					m.drop()
				}
			}
		})
	}
}

// words are the file's bytes as so many words of 2, 4 or 8 bytes.
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
