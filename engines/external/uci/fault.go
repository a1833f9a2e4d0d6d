package uci

import "fmt"

// Kind is a kind of fault.
type Kind uint8

// The kinds of faults.
const (
	Crash    Kind = iota + 1 // the program ended
	Stall                    // it did not answer before the deadline
	Overtime                 // it answered after its time, or only when told to stop
	Protocol                 // it said what is no answer
)

var kindNames = [...]string{"", "crash", "stall", "overtime", "protocol"}

// String is the kind's name.
func (k Kind) String() string { return kindNames[k] }

// Fault is something that a program did wrong.
type Fault struct {
	Kind Kind
	Said string // what it said, or how it ended, for people
}

func (f *Fault) Error() string { return fmt.Sprintf("%s: %s", f.Kind, f.Said) }
