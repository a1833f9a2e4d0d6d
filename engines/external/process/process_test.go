//go:build unix

package process

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// role names the variable that says which child the test's own program plays.
const role = "SAKUSEN_TEST_CHILD"

func TestMain(m *testing.M) {
	if r := os.Getenv(role); r == "wicked" {
		wicked()
		return
	} else if r != "" {
		play(r)
		return
	}
	os.Exit(m.Run())
}

func play(r string) {
	in := bufio.NewScanner(os.Stdin)
	switch r {
	case "echo":
		for in.Scan() {
			fmt.Println(in.Text())
			fmt.Fprintln(os.Stderr, "heard", in.Text())
		}
	case "silent":
		time.Sleep(time.Hour)
	case "deaf": // ignores what asks it to end
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
		for {
			time.Sleep(time.Hour)
		}
	case "dies":
		fmt.Println("last words")
		fmt.Fprintln(os.Stderr, "out of cheese")
		os.Exit(3)
	case "floods":
		w := bufio.NewWriter(os.Stdout)
		for {
			w.WriteString("info string nothing\n")
		}
	case "one long line":
		w := bufio.NewWriter(os.Stdout)
		for {
			w.WriteString("xxxxxxxxxxxxxxxx")
		}
	case "shouts": // into the error output
		for range 100000 {
			fmt.Fprintln(os.Stderr, "warning: something")
		}
		fmt.Println("done")
		time.Sleep(time.Hour)
	case "children": // starts one that is deaf and tells its number
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), role+"=deaf")
		c.Stdout = os.Stdout
		if err := c.Start(); err != nil {
			panic(err)
		}
		fmt.Println(c.Process.Pid)
		time.Sleep(time.Hour)
	case "leaves", "leaves, marks removed": // starts one that leaves its group, by one that ends
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), role+"=middle")
		if r != "leaves" {
			c.Env = []string{role + "=middle"}
		}
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		c.Stdout = os.Stdout
		if err := c.Run(); err != nil {
			panic(err)
		}
		for in.Scan() { // ends when told to
			os.Exit(0)
		}
	case "middle":
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), role+"=deaf")
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := c.Start(); err != nil {
			panic(err)
		}
		fmt.Println(c.Process.Pid)
	case "parent of leaver", "parent of leaver, guard killed", "parent of leaver, marks removed", "parent of leaver, marks removed, guard killed":
		k, err := NewKeeper()
		if err != nil {
			panic(err)
		}
		leaves := role + "=leaves"
		if strings.Contains(r, "marks removed") {
			leaves += ", marks removed"
		}
		c, err := k.Start(Command{Args: []string{os.Args[0]}, Env: []string{leaves}})
		if err != nil {
			panic(err)
		}
		line, err := c.Read(soon())
		if err != nil {
			panic(err)
		}
		if strings.Contains(r, "guard killed") {
			k.guard.Process.Kill()
			k.guard.Wait()
		}
		fmt.Println(c.pid(), line)
		time.Sleep(time.Hour)
	case "parent of hopper":
		k, err := NewKeeper()
		if err != nil {
			panic(err)
		}
		c, err := k.Start(Command{Args: []string{"sh", "-c", `sh "$0" 20000; echo; sleep 1000`, os.Args[1]}})
		if err != nil {
			panic(err)
		}
		if _, err := c.Read(soon()); err != nil {
			panic(err)
		}
		fmt.Println(c.pid())
		time.Sleep(time.Hour)
	case "parent": // a program of ours that will be killed
		k, err := NewKeeper()
		if err != nil {
			panic(err)
		}
		c, err := k.Start(Command{Args: []string{os.Args[0]}, Env: []string{role + "=children"}})
		if err != nil {
			panic(err)
		}
		line, err := c.Read(soon())
		if err != nil {
			panic(err)
		}
		fmt.Println(c.pid(), line)
		time.Sleep(time.Hour)
	}
}

func keeper(t *testing.T) *Keeper {
	t.Helper()
	k, err := NewKeeper()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(k.Close)
	return k
}

func start(t *testing.T, k *Keeper, r string) *Child {
	t.Helper()
	c, err := k.Start(Command{Args: []string{os.Args[0]}, Env: []string{role + "=" + r}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// soon returns a deadline that comes after that of the test binary.
func soon() time.Time { return time.Now().Add(24 * time.Hour) }

// alive reports whether a process runs; one that was not reaped does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	for range 2000 {
		if !alive(pid) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
	syscall.Kill(pid, syscall.SIGKILL)
}

func TestLines(t *testing.T) {
	k := keeper(t)
	c := start(t, k, "echo")
	for _, line := range []string{"one", "", "three words here", strings.Repeat("x", 50000)} {
		if err := c.Write(line, soon()); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Read(soon()); err != nil || got != line {
			t.Fatalf("got %q, %v; expected %q", got, err, line)
		}
	}
	if _, err := c.Read(time.Now().Add(20 * time.Millisecond)); err != ErrTimeout {
		t.Errorf("a silent child: %v", err)
	}
	c.Write("after", soon())
	if got, err := c.Read(soon()); err != nil || got != "after" {
		t.Errorf("after a time-out: %q, %v", got, err)
	}
	if k.Running() != 1 {
		t.Errorf("%d run", k.Running())
	}
	for end := soon(); !strings.Contains(c.Errors(), "heard after") && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	c.Close()
	c.Close()
	if k.Running() != 0 {
		t.Errorf("%d run after the end", k.Running())
	}
	if _, err := c.Read(soon()); err != errGone {
		t.Errorf("a closed child: %v", err)
	}
	if !strings.Contains(c.Errors(), "heard after") {
		t.Errorf("its error output is %q", c.Errors())
	}
}

func TestHostileChildren(t *testing.T) {
	k := keeper(t)
	for r, want := range map[string]error{"silent": ErrTimeout, "deaf": ErrTimeout, "one long line": ErrTooLong} {
		c := start(t, k, r)
		deadline := time.Now().Add(300 * time.Millisecond)
		if want != ErrTimeout {
			deadline = soon()
		}
		if _, err := c.Read(deadline); err != want {
			t.Errorf("%s: %v, expected %v", r, err, want)
		}
		c.Close()
		waitGone(t, c.pid())
	}

	c := start(t, k, "dies")
	if line, err := c.Read(soon()); err != nil || line != "last words" {
		t.Errorf("dies: %q, %v", line, err)
	}
	if _, err := c.Read(soon()); err != errGone || c.Ended() != "exit status 3" || c.Errors() != "out of cheese\n" {
		t.Errorf("dies: %v, %q, %q", err, c.Ended(), c.Errors())
	}
	for range 3 {
		c.Write("hello", soon())
	}
	if err := c.Write("hello", soon()); err != errGone {
		t.Errorf("writing to the dead: %v", err)
	}
	c.Close()

	c = start(t, k, "silent")
	var err error
	for range 100 {
		if err = c.Write(strings.Repeat("y", 100000), time.Now().Add(100*time.Millisecond)); err != nil {
			break
		}
	}
	if err != ErrTimeout {
		t.Errorf("writing to one who does not read: %v", err)
	}
	c.Close()

	c = start(t, k, "floods")
	for range 1000 {
		if _, err := c.Read(soon()); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	waitGone(t, c.pid())

	c = start(t, k, "shouts")
	if line, err := c.Read(soon()); err != nil || line != "done" {
		t.Errorf("shouts: %q, %v", line, err)
	}
	c.Close()
	if n := len(c.Errors()); n == 0 || n > keptErrors {
		t.Errorf("%d bytes of its error output are kept", n)
	}

	c = start(t, k, "children")
	line, err := c.Read(soon())
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	waitGone(t, pid)

	// A child that dies takes its own children along.
	c = start(t, k, "children")
	line, err = c.Read(soon())
	if err != nil {
		t.Fatal(err)
	}
	pid, _ = strconv.Atoi(line)
	syscall.Kill(c.pid(), syscall.SIGKILL)
	waitGone(t, pid)
	if c.Ended() != "signal: killed" {
		t.Errorf("a killed child: %q", c.Ended())
	}
	c.Close()

	if _, err := k.Start(Command{Args: []string{"/no/such/program"}}); err == nil {
		t.Error("a program that is not there is started")
	}
	if k.Running() != 0 {
		t.Errorf("%d run", k.Running())
	}
}

// Nothing outlives this program when it is killed, neither a child that ignores
// everything nor what it has started.
func TestNothingOutlivesUs(t *testing.T) {
	keeper(t)
	for range 3 {
		parent := exec.Command(os.Args[0])
		parent.Env = append(os.Environ(), role+"=parent")
		out, err := parent.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		var child, grandchild int
		if _, err := fmt.Fscan(out, &child, &grandchild); err != nil {
			t.Fatal(err)
		}
		if !alive(child) || !alive(grandchild) {
			t.Fatal("the children do not run")
		}
		parent.Process.Kill()
		parent.Wait()
		waitGone(t, child)
		waitGone(t, grandchild)
	}
}

// Descriptors and processes do not pile up.
func TestNothingIsLeft(t *testing.T) {
	k := keeper(t)
	count := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(names)
	}
	start(t, k, "dies").Close()
	before := count()
	for i := range 20 {
		c := start(t, k, []string{"dies", "silent", "echo"}[i%3])
		if i%2 == 0 {
			c.Read(time.Now().Add(5 * time.Millisecond))
		}
		c.Close()
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
	k.Close()
	if _, err := k.Start(Command{Args: []string{os.Args[0]}}); err == nil {
		t.Error("a closed keeper starts programs")
	}
}

// When Close returns the children are gone, also where another Close is still at it.
func TestCloseWaits(t *testing.T) {
	k := keeper(t)
	for range 10 {
		start(t, k, "deaf")
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			k.Close()
			if n := k.Running(); n > 0 {
				t.Errorf("%d run", n)
			}
		})
	}
	both.Wait()
}

func BenchmarkRoundTrip(b *testing.B) {
	k, err := NewKeeper()
	if err != nil {
		b.Skip(err)
	}
	defer k.Close()
	c, err := k.Start(Command{Args: []string{os.Args[0]}, Env: []string{role + "=echo"}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c.Write("position startpos", soon())
		if _, err := c.Read(soon()); err != nil {
			b.Fatal(err)
		}
	}
}
