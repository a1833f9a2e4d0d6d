package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What a child has started ends with it, in a session of its own and an orphan too, and
// nothing of another child.
func TestOrphansEnd(t *testing.T) {
	k := keeper(t)
	orphan := func(r string) (*Child, int) {
		c := start(t, k, r)
		line, err := c.Read(soon())
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(line)
		if err != nil || !alive(pid) {
			t.Fatalf("the orphan %q does not run: %v", line, err)
		}
		return c, pid
	}
	other, others := orphan("leaves")
	bystander := exec.Command("sleep", "1000")
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	defer bystander.Wait()
	defer bystander.Process.Kill()
	for i := range 4 { // closed, or ended by itself
		c, pid := orphan("leaves")
		if i%2 == 0 {
			c.Write("end", soon())
			<-c.gone
		}
		c.Close()
		waitGone(t, pid)
	}
	c, bare := orphan("leaves, marks removed")
	c.Close()
	if !alive(others) || !alive(other.pid()) {
		t.Error("what another child has started is ended")
	}
	other.Close()
	waitGone(t, others)
	waitGone(t, bare)
	if !alive(bystander.Process.Pid) {
		t.Error("a process of this program that no keeper started is ended")
	}
	_, bare = orphan("leaves, marks removed")
	k.Close()
	waitGone(t, bare)
}

// Orphans end too when this program is killed, and at the next start of one where the guard
// was killed with it, also those that have emptied their environment.
func TestNoOrphanOutlivesUs(t *testing.T) {
	keeper(t)
	for _, r := range []string{"parent of leaver", "parent of leaver, guard killed", "parent of leaver, marks removed", "parent of leaver, marks removed, guard killed"} {
		parent := exec.Command(os.Args[0])
		parent.Env = append(os.Environ(), role+"="+r)
		out, err := parent.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		var child, orphan int
		if _, err := fmt.Fscan(out, &child, &orphan); err != nil {
			t.Fatal(err)
		}
		keeper(t)
		if !alive(orphan) {
			t.Fatalf("%s: the orphan does not run", r)
		}
		parent.Process.Kill()
		parent.Wait()
		waitGone(t, child)
		if strings.Contains(r, "guard killed") {
			keeper(t) // or that of another test of this machine
		}
		waitGone(t, orphan)
	}
}

// A process that goes on in another one and another session every moment, with its
// environment emptied, is caught, at the end of the child and after a kill.
func TestHoppersEnd(t *testing.T) {
	hops := func(t *testing.T) string {
		path := filepath.Join(t.TempDir(), "hop")
		if err := os.WriteFile(path, []byte(`[ "$1" = 0 ] || (exec env -i "PATH=$PATH" setsid sh "$0" $(($1-1)) &)`), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	noneLeft := func(t *testing.T, path string) {
		for range 200 { // of twenty looks, as a look may miss it
			left := 0
			for range 20 {
				for _, pid := range processes() {
					if line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); strings.Contains(string(line), path) {
						left++
					}
				}
				time.Sleep(10 * time.Millisecond)
			}
			if left == 0 {
				return
			}
		}
		t.Error("it still hops")
	}
	t.Run("child ended", func(t *testing.T) {
		k, path := keeper(t), hops(t)
		c, err := k.Start(Command{Args: []string{"sh", path, "20000"}})
		if err != nil {
			t.Fatal(err)
		}
		<-c.gone
		c.Close()
		noneLeft(t, path)
	})
	t.Run("killed", func(t *testing.T) {
		path := hops(t)
		parent := exec.Command(os.Args[0], path)
		parent.Env = append(os.Environ(), role+"=parent of hopper")
		out, err := parent.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		var child int
		if _, err := fmt.Fscan(out, &child); err != nil {
			t.Fatal(err)
		}
		parent.Process.Kill()
		parent.Wait()
		waitGone(t, child)
		noneLeft(t, path)
	})
}
