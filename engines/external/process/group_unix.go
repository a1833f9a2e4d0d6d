//go:build unix && !linux

package process

import (
	"errors"
	"os/exec"
	"syscall"
)

const supported = true

// ownGroup starts a child in a group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// ownSession keeps signals of the terminal away.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killGroup kills all processes of a group.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }

// awaitExit returns when a child has ended; here it is reaped at once.
func awaitExit(cmd *exec.Cmd) { cmd.Wait() }

// resident returns how much a process holds in memory, bytes; here it is not known.
func resident(pid int) int64 { return 0 }

func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
