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

// guardGroup keeps signals of the terminal away from the guard.
func guardGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills all processes of a group.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }

// awaitExit returns when a child has ended; here it is reaped at once.
func awaitExit(cmd *exec.Cmd) { cmd.Wait() }

func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
