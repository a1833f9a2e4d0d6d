package uci

import "time"

// CPU is the processor time that the program has taken since it was started, all
// its threads together; false where the system does not tell.
func (e *Engine) CPU() (time.Duration, bool) { return e.child.CPU() }
