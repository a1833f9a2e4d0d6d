package process

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A program with bounds does nothing but compute: each of the means that the system has is tried.
func TestWickedProgramIsConfined(t *testing.T) {
	means := FindMeans()
	if !means.Limits || means.String() == "" {
		t.Fatalf("%+v", means)
	}
	t.Setenv("SECRET", "of the worker")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	outside := t.TempDir()
	key, socket := filepath.Join(outside, "key"), filepath.Join(outside, "socket")
	if err := os.WriteFile(key, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	local, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	own := t.TempDir()
	k, err := NewKeeper()
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	start := func() *Child {
		t.Helper()
		c, err := k.Start(Command{Args: []string{os.Args[0]}, Dir: own, Env: []string{role + "=wicked"}, Memory: 150 << 20,
			Bounds: &Bounds{Address: 8 << 30, FileSize: 1 << 20, Files: 32, Processes: 40, Read: []string{own, os.Args[0]}}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := start()
	ask := func(line string) string {
		t.Helper()
		deadline := time.Now().Add(time.Minute)
		if err := c.Write(line, deadline); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		said, err := c.Read(deadline)
		if err != nil {
			t.Fatalf("%s: %v: %s %s", line, err, c.Ended(), c.Errors())
		}
		return said
	}
	if said := ask("environment"); strings.Contains(said, "SECRET") || strings.Contains(said, "HOME=") {
		t.Error(said)
	}
	if said := ask("folder"); said != "0 <nil>" {
		t.Error(said)
	}
	self := strconv.Itoa(os.Getpid())
	for _, x := range []struct {
		line string
		by   bool
	}{
		{"read " + key, means.Files}, {"read /etc/passwd", means.Files}, {"read /proc/" + self + "/environ", means.Files}, {"spy " + self, means.Files},
		{"write " + key, means.Files}, {"write here", means.Files}, {"write /tmp/sakusen-test-wicked", means.Files}, {"write /dev/shm/sakusen-test-wicked", means.Files},
		{"remove " + key, means.Files}, {"kill " + self, means.Files && landlockVersion() >= 6},
		{"listen", means.Calls || means.Files && landlockVersion() >= 4}, {"connect " + l.Addr().String(), means.Network || means.Calls},
		{"packet " + l.Addr().String(), means.Calls}, {"local " + socket, means.Calls},
		{"memory", true}, {"files", true}, {"processes", true},
	} {
		if said := ask(x.line); x.by && !strings.HasPrefix(said, "refused: ") {
			t.Errorf("%s: %s", x.line, said)
		}
	}
	c.Close()
	c = start()
	c.Write("hold", time.Now().Add(time.Minute))
	if _, err := c.Read(time.Now().Add(time.Minute)); err != errGone || !strings.Contains(c.Ended(), "it used ") {
		t.Errorf("%v: %s", err, c.Ended())
	}
	c.Close()
	for _, pid := range processes() {
		if strings.Contains(markedIn(pid), k.mark) {
			t.Errorf("process %d is left", pid)
		}
	}
}
