package client

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A token goes to the process that holds the lock, over the loopback interface, or
// over TLS, and nowhere else.
func TestProve(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "x.db.lock")
	file, err := os.Create(lock)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().(*net.TCPAddr).Port
	closed.Close()
	// A process that holds nothing; a lock file may name any.
	other := exec.Command("sleep", "60")
	if err := other.Start(); err != nil {
		t.Skip(err)
	}
	defer other.Wait()
	defer other.Process.Kill()
	for address, want := range map[string]string{
		fmt.Sprintf("http://127.0.0.1:%d", port):   "",
		fmt.Sprintf("http://localhost:%d", port):   "",
		fmt.Sprintf("http://127.0.0.1:%d", nobody): "no process listens there",
		fmt.Sprintf("http://[::1]:%d", port):       "no process listens there",
		"http://192.0.2.1:80":                      "not an address of this machine",
		"http://evil.example:80":                   "expected an address of this machine",
		"http://127.0.0.1":                         "expected an address of this machine with a port",
		"https://192.0.2.1:80":                     "",
	} {
		err := Prove(address, lock, os.Getpid())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, expected %q", address, err, want)
		}
	}
	// What the lock file says of its holder does not count where the system knows.
	if lockHolder(inodeOf(t, lock)) == os.Getpid() {
		if err := Prove(fmt.Sprintf("http://127.0.0.1:%d", port), lock, other.Process.Pid); err != nil {
			t.Errorf("the holder's address: %v", err)
		}
	}
	free := filepath.Join(t.TempDir(), "free.lock")
	if err := os.WriteFile(free, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err = Prove(fmt.Sprintf("http://127.0.0.1:%d", port), free, other.Process.Pid)
	if err == nil || !strings.Contains(err.Error(), "another process than") {
		t.Errorf("the address of another process than the holder: %v", err)
	}
}

func inodeOf(t *testing.T, file string) uint64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t).Ino
}
