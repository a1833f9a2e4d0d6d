package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// Command is what to start.
type Command struct {
	Args []string // the program and its arguments
	Dir  string   // where it runs; empty: here
	Env  []string // further variables, NAME=VALUE
	// Memory is how much it may hold in memory, bytes; one that holds more is killed
	// within moments. 0 is no limit. Watched on Linux alone.
	Memory int64
	// Bounds, unless nil, are those of a program that is not trusted. It also has no variables
	// but Env.
	Bounds *Bounds
}

// Bounds are what a child may use and see at most, as far as the system has the means.
type Bounds struct {
	Address   int64 // of address space, bytes
	FileSize  int64 // of a file that it writes, bytes
	Files     int   // open at a time
	Processes int   // with its threads
	// Read are files and folders that it may read and run, beside what the system has for all.
	Read []string
}

// Means are those by which a system bounds a child.
type Means struct {
	Limits  bool // of memory, files and processes
	Files   bool // it reads what it is given and writes nothing
	Calls   bool // it opens no sockets
	Network bool // it is in a network of its own, which has nothing
}

// Keeper starts children and sees to it that none outlives it. It is safe for
// concurrent use.
type Keeper struct {
	starts chan func() // run by the one thread that is the children's parent
	mark   string      // in the environment of all that its children start
	limit  limit       // that all that its children start inherit

	mu       sync.Mutex
	started  int // children so far
	means    func() Means
	guard    *exec.Cmd
	wire     io.WriteCloser // to the guard
	children map[*Child]bool
	closed   bool
	closing  sync.Once
}

// guarding is the program of the guard process: it keeps a list of process groups. When its
// input ends without a farewell it kills those that are left, and then, where the system
// shows the environment and the limits of processes, whatever carries one of the two marks
// that it is given. Whatever carries one is stopped before it is killed, so that nothing
// can begin anew behind a look. As a process shows no environment while it becomes
// another program, and its child may have come after the look at the list, only five looks
// without a find are the end.
const guarding = `trap '' HUP INT TERM QUIT; all=
while read -r op id; do
  rest=
  for i in $all; do [ "$i" = "$id" ] || rest="$rest $i"; done
  all=$rest
  case $op in add) all="$all $id";; end) exit;; esac
done
for i in $all; do kill -9 "-$i"; done 2>/dev/null
sweep() {
  found=
  for i in $(grep -lsF -e "$2" -e "$3" /proc/[0-9]*/environ /proc/[0-9]*/limits); do
    i=${i#/proc/}; i=${i%/*}
    grep -qs '^State:.Z' "/proc/$i/status" && continue
    found=y
    kill "-$1" "$i"
  done 2>/dev/null
}
n=0 quiet=0
while [ "$n" -lt 200 ] && [ "$quiet" -lt 5 ]; do
  n=$((n+1)); quiet=$((quiet+1))
  for signal in STOP STOP KILL; do
    sweep "$signal" "$1" "$2"
    if [ "$found" ]; then quiet=0; else break; fi
  done
  [ "$quiet" = 0 ] || sleep 0.1 2>/dev/null || sleep 1
done`

// NewKeeper makes a keeper and starts its guard. It ends what children of killed programs
// with keepers have left behind.
func NewKeeper() (*Keeper, error) {
	if !supported {
		return nil, errors.New("engines are not run on this system: it has no process groups")
	}
	k := &Keeper{starts: make(chan func()), children: map[*Child]bool{}, means: sync.OnceValue(FindMeans)}
	k.mark, k.limit = adopt()
	k.guard = exec.Command("/bin/sh", "-c", guarding, "guard", k.mark, k.limit.line())
	k.guard.Dir, k.guard.Env = "/", []string{"PATH=" + os.Getenv("PATH")} // no marks of a keeper of ours
	k.guard.SysProcAttr = guardGroup()
	var err error
	if k.wire, err = k.guard.StdinPipe(); err != nil {
		return nil, fmt.Errorf("guard of children: %w", err)
	}
	if err := k.guard.Start(); err != nil {
		return nil, fmt.Errorf("guard of children: %w", err)
	}
	k.limit.remove(k.guard.Process.Pid)
	go func() {
		// The kernel kills a child when the thread that started it ends, so one
		// thread starts them all and lives as long as the keeper.
		runtime.LockOSThread()
		for start := range k.starts {
			start()
		}
	}()
	return k, nil
}

// Start starts a child. The error tells why the program could not be started; one
// that starts and ends at once is found by its first Read.
func (k *Keeper) Start(command Command) (*Child, error) {
	if len(command.Args) == 0 || command.Args[0] == "" {
		return nil, errors.New("command: expected a program and its arguments, got nothing")
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil, errors.New("the keeper of programs is closed")
	}
	cmd := exec.Command(command.Args[0], command.Args[1:]...)
	cmd.Dir = command.Dir
	k.started++
	mark := fmt.Sprintf("%s%d/", k.mark, k.started)
	inherited := os.Environ()
	if command.Bounds != nil {
		inherited = nil
	}
	cmd.Env = append(append(inherited, command.Env...), markedBy+"="+os.Getenv(markedBy)+mark)
	cmd.SysProcAttr = ownGroup()
	c, theirs, err := newChild(k, cmd)
	if err != nil {
		return nil, err
	}
	done := make(chan error)
	if command.Bounds != nil {
		go c.startConfined(command.Bounds, k.means(), func(err error) { done <- err })
	} else {
		k.starts <- func() {
			k.limit.set(0)
			err := cmd.Start()
			if err == nil {
				k.limit.set(cmd.Process.Pid) // another keeper may have set back that of this process
			}
			k.limit.remove(0)
			done <- err
		}
	}
	err = <-done
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		c.closePipes()
		return nil, fmt.Errorf("program %s: %w", command.Args[0], err)
	}
	c.mark, c.bounded = mark, command.Bounds != nil
	k.children[c] = true
	k.tell("add", c)
	c.memory = command.Memory
	c.watch()
	if c.memory > 0 {
		go c.weigh()
	}
	return c, nil
}

// tell informs the guard about a child. A guard that has died is no reason to stop: the
// kernel and the closed pipe still end the children.
func (k *Keeper) tell(op string, c *Child) { fmt.Fprintf(k.wire, "%s %d\n", op, c.cmd.Process.Pid) }

// forget removes a child that has ended from the guard's list, and ends what it has left.
// The child has not been waited for yet, so its number does not belong to another process.
func (k *Keeper) forget(c *Child) {
	k.mu.Lock()
	delete(k.children, c)
	last := len(k.children) == 0
	k.mu.Unlock()
	endStrays(c.mark, last)
	k.tell("del", c)
}

// Running returns the number of children that have not ended.
func (k *Keeper) Running() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.children)
}

// Allowed returns the sum of what running children may hold in memory, bytes.
func (k *Keeper) Allowed() (sum int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for c := range k.children {
		sum += c.memory
	}
	return sum
}

// Close kills all children and ends the guard. When it returns the
// children are gone, also where another call has begun before.
func (k *Keeper) Close() { k.closing.Do(k.end) }

func (k *Keeper) end() {
	k.mu.Lock()
	k.closed = true
	var left []*Child
	for c := range k.children {
		left = append(left, c)
	}
	k.mu.Unlock()
	for _, c := range left {
		c.Close()
	}
	close(k.starts)
	endStrays(k.mark, true)
	io.WriteString(k.wire, "end\n")
	k.wire.Close()
	ended := make(chan struct{})
	go func() { k.guard.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(patience):
		k.guard.Process.Kill()
	}
}
