//go:build !linux

package arena

import "runtime"

// PhysicalCores returns how many threads the program may use, where the system does not tell
// of cores.
func PhysicalCores() int { return runtime.GOMAXPROCS(0) }

// FreeMemory returns 0: the system does not tell.
func FreeMemory() int64 { return 0 }
