package queuetest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Server is a NATS server in a process of its own. It knows a user "daemon" with the password
// "secret" and workers by their public keys, and ends with the test.
type Server struct {
	Address string // HOST:PORT, on the loopback interface

	t       testing.TB
	program string
	file    string // its configuration
	process *exec.Cmd
}

// NewServer is a server that is not started.
func NewServer(t testing.TB, program string, keys []string) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	dir := t.TempDir()
	s := &Server{Address: l.Addr().String(), t: t, program: program, file: filepath.Join(dir, "nats.conf")}
	var text strings.Builder
	fmt.Fprintf(&text, "listen: %q\njetstream { store_dir: %q }\nauthorization { users: [\n  {user: daemon, password: secret}\n", s.Address, filepath.Join(dir, "store"))
	for _, key := range keys {
		fmt.Fprintf(&text, "  {nkey: %s}\n", key)
	}
	text.WriteString("] }\n")
	if err := os.WriteFile(s.file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// Start starts it, and waits until it listens.
func (s *Server) Start() {
	s.t.Helper()
	s.process = exec.Command(s.program, "--config", s.file)
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", s.Address)
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(until) {
			s.t.Fatal(err)
		}
	}
}

// Kill ends it at once, where it runs.
func (s *Server) Kill() {
	if s.process != nil {
		s.process.Process.Kill()
		s.process.Wait()
		s.process = nil
	}
}
