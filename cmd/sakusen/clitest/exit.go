package clitest

// The exit codes of the contract.
const (
	ExitDone         = 0
	ExitNegative     = 1
	ExitUsage        = 2
	ExitInconclusive = 3
	ExitNothing      = 4
	ExitInternal     = 5
	ExitInterrupted  = 130
)
