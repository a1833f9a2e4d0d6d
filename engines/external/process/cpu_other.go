//go:build !linux

package process

import "time"

// CPU returns the processor time that the child has taken: this system does not tell.
func (c *Child) CPU() (time.Duration, bool) { return 0, false }
