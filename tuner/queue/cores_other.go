//go:build !linux

package queue

import "runtime"

// physicalCores returns how many threads the program may use, where the system does not tell
// of cores.
func physicalCores() int { return runtime.GOMAXPROCS(0) }

// freeMemory returns 0: the system does not tell.
func freeMemory() int64 { return 0 }
