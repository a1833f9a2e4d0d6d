package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"
)

const supported = true

// ownGroup starts a child in a group of its own and has it killed with its parent.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// guardGroup keeps signals of the terminal away from the guard.
func guardGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills all processes of a group.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }

// awaitExit returns when a child has ended, and leaves it to be reaped.
func awaitExit(cmd *exec.Cmd) {
	const byPid, exited, leave = 1, 4, 0x01000000 // P_PID, WEXITED, WNOWAIT
	var info [128]byte                            // a siginfo_t
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(cmd.Process.Pid), uintptr(unsafe.Pointer(&info[0])), exited|leave, 0, 0)
		if e != syscall.EINTR {
			return
		}
	}
}

// resident returns how much a process holds in memory, bytes, 0 where that is not known.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, pages int64
	fmt.Sscan(string(text), &size, &pages)
	return pages * int64(os.Getpagesize())
}

func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// CPU returns the processor time that the child has taken, all its threads together
// and without its own children; false where the system does not tell.
//
// Source: clock_getcpuclockid(3), whose clock of a process is its number inverted
// and shifted by three bits, with the kind of clock below.
func (c *Child) CPU() (time.Duration, bool) {
	const scheduled = 2 // what the scheduler counts
	clock := int32(^c.cmd.Process.Pid)<<3 | scheduled
	var now syscall.Timespec
	_, _, failed := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&now)), 0)
	return time.Duration(now.Nano()), failed == 0
}
