//go:build unix

package runner

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the most memory that a process had, in bytes.
func peakMemory(p *os.ProcessState) (float64, error) {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, errors.New("the system does not tell how much memory a process had")
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(usage.Maxrss), nil
	}
	return float64(usage.Maxrss) * 1024, nil // kilobytes everywhere else
}
