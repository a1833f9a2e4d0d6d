//go:build !unix

package enginestore

import (
	"os"
	"syscall"
)

func apart() *syscall.SysProcAttr { return nil }

func endGroup(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}
