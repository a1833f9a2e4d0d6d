// Package queuetest has what tests of workers share.
package queuetest

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Line is a TCP proxy that can stop forwarding in both directions while its connections stay.
type Line struct {
	Address string // HOST:PORT, on the loopback interface

	mu      sync.Mutex
	through chan struct{} // closed while it forwards
}

// NewLine returns a line to an address HOST:PORT that lasts as long as the test.
func NewLine(t testing.TB, to string) *Line {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	p := &Line{Address: l.Addr().String(), through: make(chan struct{})}
	close(p.through)
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			go p.forward(near, far)
			go p.forward(far, near)
		}
	}()
	return p
}

// forward copies what comes, and ends both connections when one has ended.
func (p *Line) forward(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		through := p.through
		p.mu.Unlock()
		<-through
		if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
			return
		}
	}
}

// Cut stops it; mend has it go on.
func (p *Line) Cut() (mend func()) {
	through := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.through = through
	return sync.OnceFunc(func() { close(through) })
}

// Server is a NATS server in a process of its own. It knows a user "daemon" with the password
// "secret" and the workers of a configuration that worker list --nats-config has printed, and
// ends with the test.
type Server struct {
	Address string // HOST:PORT, on the loopback interface

	t       testing.TB
	program string
	file    string // its configuration
	process *exec.Cmd
}

// NewServer returns a server that is not started.
func NewServer(t testing.TB, program, config string) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	s := &Server{Address: l.Addr().String(), t: t, program: program, file: filepath.Join(t.TempDir(), "nats.conf")}
	config = strings.Replace(config, "127.0.0.1:4222", s.Address, -1)
	if err := os.WriteFile(s.file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// Start starts it, and waits until it listens.
func (s *Server) Start() {
	s.t.Helper()
	s.process = exec.Command(s.program, "--config", s.file)
	s.process.Env = append(os.Environ(), "SAKUSEN_NATS_PASSWORD=secret")
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
