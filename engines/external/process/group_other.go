//go:build !unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

const supported = false

func ownGroup() *syscall.SysProcAttr { return nil }

func guardGroup() *syscall.SysProcAttr { return nil }

func killGroup(int) {}

func awaitExit(cmd *exec.Cmd) { cmd.Wait() }

func brokenPipe(error) bool { return false }

func arrived(*os.File, []byte) int { return 0 }
