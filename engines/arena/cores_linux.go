package arena

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// PhysicalCores returns how many cores this machine has, of which two threads of a core count as
// one; no more than the program may use.
func PhysicalCores() int {
	seen := map[string]bool{}
	files, _ := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			seen[strings.TrimSpace(string(text))] = true
		}
	}
	if n := len(seen); n > 0 {
		return min(n, runtime.GOMAXPROCS(0))
	}
	return runtime.GOMAXPROCS(0)
}

// FreeMemory returns how much memory games may take, bytes; 0 where the system does not tell.
func FreeMemory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "MemAvailable:")
	words := strings.Fields(rest)
	if len(words) == 0 {
		return 0
	}
	kilobytes, _ := strconv.ParseInt(words[0], 10, 64)
	return kilobytes << 10
}
