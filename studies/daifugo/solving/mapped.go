package solving

import (
	"sync/atomic"

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
