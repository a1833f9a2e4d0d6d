//go:build unix

package enginestore

import "syscall"

// apart has a command lead a process group of its own.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends a process group.
func endGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGKILL) }
