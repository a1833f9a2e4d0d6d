package process

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
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
// was killed with it.
func TestNoOrphanOutlivesUs(t *testing.T) {
	keeper(t)
	for _, r := range []string{"parent of leaver", "parent of leaver, guard killed"} {
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
		if r != "parent of leaver" {
			keeper(t) // or that of another test of this machine
		}
		waitGone(t, orphan)
	}
}
