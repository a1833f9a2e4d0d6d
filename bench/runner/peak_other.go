//go:build !unix

package runner

import (
	"errors"
	"os"
)

// peakMemory returns nothing: the peak is known only on systems like Unix.
func peakMemory(*os.ProcessState) (float64, error) {
	return 0, errors.New("the peak memory of a process can be measured only on Unix systems")
}
