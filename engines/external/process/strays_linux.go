package process

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// A program may start others that leave its process group and whose parent ends, so that
// neither the group nor the descent shows whose they are. Three things still do. This process
// becomes the parent of such orphans (PR_SET_CHILD_SUBREAPER). The processes that a child
// starts inherit a mark in their environment, which the guard and a later start also find if
// this process was killed. A program that empties its environment still inherits the soft limit
// of RLIMIT_RTTIME, a number of microseconds that says which process set it. The kernel asks
// for that limit of processes of real-time classes alone, and this one is some hundred thousand
// years.

// adopt makes this process the parent of its descendants' orphans, and ends processes left
// behind by children of processes that have ended. It returns two marks for a keeper's
// children: the variable of their environment, which begins with that of this process, and the
// limit.
func adopt() (string, limit) {
	const setSubreaper = 36
	syscall.Syscall6(syscall.SYS_PRCTL, setSubreaper, 1, 0, 0, 0, 0)
	all := processes()
	for _, pid := range all {
		if abandoned(pid) {
			killTree(pid)
		}
	}
	mark := markOf(os.Getpid())
	return mark + rand.Text() + "/", limitBy(mark)
}

// limit is a soft limit of RLIMIT_RTTIME that says which process set it. It has 8 bits that all
// such limits have and no setting of an administrator has, 22 of the process's number, 16 of
// the namespace of that number, 18 of when it began. 0 is none.
type limit uint64

const limitBegin = 0xa5

// limitBy returns the limit of a process with a mark; 0 for an empty one.
func limitBy(mark string) limit {
	of := strings.Split(strings.Trim(mark, "/"), ":")
	if len(of) != 3 {
		return 0
	}
	pid, _ := strconv.ParseUint(of[1], 10, 22)
	bits := func(text string, n int) uint64 {
		h := fnv.New64a()
		h.Write([]byte(text))
		return h.Sum64() * 0x9e3779b97f4a7c15 >> (64 - n)
	}
	return limit(limitBegin<<56 | pid<<34 | bits(of[0], 16)<<18 | bits(of[2], 18))
}

// limitOf returns the limit that a process has inherited; 0 where that is none of ours.
func limitOf(pid int) limit {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	_, text, _ = bytes.Cut(text, []byte(limitName))
	soft, _, _ := bytes.Cut(text, []byte(" "))
	if n, err := strconv.ParseUint(string(soft), 10, 64); err == nil && n>>56 == limitBegin {
		return limit(n)
	}
	return 0
}

// owner returns the number of the process that set it.
func (l limit) owner() int { return int(l >> 34 & (1<<22 - 1)) }

// space returns what it says of the namespace of that number.
func (l limit) space() limit { return l >> 18 & (1<<16 - 1) }

// limitName is how the line of /proc/PID/limits about it begins.
const limitName = "Max realtime timeout      "

// line returns how that line begins for processes with the limit.
func (l limit) line() string { return fmt.Sprintf("%s%d ", limitName, l) }

// set has a process, 0 for this one, and all that it starts from now on have the limit.
func (l limit) set(pid int) {
	if l != 0 {
		softTo(pid, uint64(l))
	}
}

// remove takes the limit from a process, 0 for this one.
func (l limit) remove(pid int) { softTo(pid, math.MaxUint64) }

// softTo sets the soft limit of RLIMIT_RTTIME. Where the hard one is lower it stays.
func softTo(pid int, n uint64) {
	const realTime = 15
	var l struct{ soft, hard uint64 }
	syscall.Syscall6(syscall.SYS_PRLIMIT64, uintptr(pid), realTime, 0, uintptr(unsafe.Pointer(&l)), 0, 0)
	if l.soft = n; n <= l.hard {
		syscall.Syscall6(syscall.SYS_PRLIMIT64, uintptr(pid), realTime, uintptr(unsafe.Pointer(&l)), 0, 0, 0)
	}
}

// markOf returns the mark of a process: the namespace of its number, the number, and when it
// began; empty where it does not run.
func markOf(pid int) string {
	space, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", pid))
	s, ok := statOf(pid)
	if err != nil || !ok {
		return ""
	}
	return fmt.Sprintf("/%s:%d:%s/", strings.Trim(space, "pid:[]"), pid, s.began)
}

// abandoned reports whether a process was started by a child of a keeper that runs no more.
func abandoned(pid int) bool {
	space, _, _ := strings.Cut(markOf(pid), ":")
	for mark := range strings.SplitSeq(markedIn(pid), "//") {
		// "/space:pid:began/keeper/child/"
		owner, _, _ := strings.Cut(strings.TrimPrefix(mark, "/"), "/")
		of := strings.Split(owner, ":")
		if len(of) != 3 || "/"+of[0] != space {
			continue // in other namespaces numbers are of other processes
		}
		if keeper, err := strconv.Atoi(of[1]); err == nil && markOf(keeper) != "/"+owner+"/" {
			return true
		}
	}
	l := limitOf(pid)
	return l != 0 && l.space() == limitBy(space+":0:0").space() && l != limitBy(markOf(l.owner()))
}

// markedIn returns the marks in a process's environment, which its own user may read.
func markedIn(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	for variable := range bytes.SplitSeq(text, []byte{0}) {
		if marks, ok := bytes.CutPrefix(variable, []byte(markedBy+"=")); ok {
			return string(marks)
		}
	}
	return ""
}

// stat is what the kernel tells of a process.
type stat struct {
	state                  byte
	parent, group, session int
	began                  string // in ticks of the clock since the system began
}

// statOf reads what the kernel tells of a process; false where it does not run.
func statOf(pid int) (s stat, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if err != nil || len(fields) < 20 {
		return s, false
	}
	s = stat{state: fields[0][0], began: fields[19]}
	for i, into := range []*int{&s.parent, &s.group, &s.session} {
		*into, _ = strconv.Atoi(fields[i+1])
	}
	return s, true
}

// processes returns the numbers of all processes.
func processes() (pids []int) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// offspring returns the children of a process. Kernels without lists of them are asked
// about every process.
func offspring(parent int) (pids []int) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", parent))
	if err != nil {
		return nil
	}
	for _, thread := range threads {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", parent, thread.Name()))
		if err != nil && len(pids) == 0 && thread.Name() == strconv.Itoa(parent) {
			return slices.DeleteFunc(processes(), func(pid int) bool {
				s, ok := statOf(pid)
				return !ok || s.parent != parent
			})
		}
		for field := range strings.FieldsSeq(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// killTree kills a process, its group where it leads one, and all that descend from it.
// No new process can start: all are stopped before the first is killed.
func killTree(pid int) {
	tree := []int{pid}
	for i := 0; i < len(tree); i++ {
		syscall.Kill(tree[i], syscall.SIGSTOP)
		tree = append(tree, offspring(tree[i])...)
	}
	for _, p := range tree {
		syscall.Kill(p, syscall.SIGKILL)
	}
	killGroup(pid)
}

// endStrays ends what has come to this process as an orphan and carries a mark, and where
// nothing else may be its owner, also what no longer carries any, and waits until it is gone.
func endStrays(mark string, rest bool) {
	self, ours := os.Getpid(), markOf(os.Getpid())
	own, ok := statOf(self)
	if !ok || ours == "" {
		return
	}
	unsure := 20 // looks at those that show no mark, as one that becomes another program does
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		left, bare := 0, 0
		for _, pid := range offspring(self) {
			s, ok := statOf(pid)
			if !ok || s.parent != self {
				left++ // it has ended since, and may have left another
				continue
			}
			// Whom this process starts is of its session, and in its group or at the
			// head of one.
			apart := s.session != own.session || s.group != own.group && s.group != pid
			marks := markedIn(pid)
			switch {
			case s.state == 'Z' && apart:
				syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
				left++
			case s.state == 'Z':
			case strings.Contains(marks, mark), rest && apart && !strings.Contains(marks, ours):
				killTree(pid)
				left++
			case apart && marks == "":
				bare++
			}
		}
		if bare > 0 && unsure > 0 {
			unsure--
		} else if left == 0 {
			return
		}
	}
}
