//go:build !linux

package process

import "time"

// adopt does nothing: here processes that leave their group are not found.
func adopt() (string, limit) { return "/none/", limit{} }

// limit is none: here no limit tells whose a process is.
type limit struct{}

func (limit) line() string { return "/none/" }
func (limit) set(int)      {}
func (limit) remove(int)   {}

// killTree kills all processes of a child's group.
func killTree(pid int) { killGroup(pid) }

func endStrays(string, bool) {}

// resident returns how much a process holds in memory, bytes; here it is not known.
func resident(int) int64 { return 0 }

// CPU returns the processor time that the child has taken: this system does not tell.
func (c *Child) CPU() (time.Duration, bool) { return 0, false }
