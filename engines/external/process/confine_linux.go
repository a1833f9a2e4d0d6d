package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

// A child with bounds is started by a separate thread, which first gives up the rights that the
// child may not have. Landlock and seccomp hold for that thread and for all that it starts, and
// for nothing else of this process. The thread ends with the child. The limits of resources
// cannot be given to a child before it runs, so a shell waits at a gate until it has them, and
// then becomes the program.

// gate is the program of the shell: it reads a line from descriptor 3, and becomes its arguments.
const gate = `read -r go <&3 && [ "$go" = go ] || exit 126; exec 3<&-; exec "$0" "$@"`

// systemFiles is what every program may read and run: libraries, and what tells of the processor.
var systemFiles = [...]string{
	"/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/localtime",
	"/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage",
	"/dev/zero", "/dev/random", "/dev/urandom",
}

// startConfined starts the command of a child with bounds, and calls started when that is done
// or has failed; it returns when the child has ended.
func (c *Child) startConfined(b *Bounds, means Means, started func(error)) {
	runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
	hold, push, err := os.Pipe()
	if err != nil {
		started(err)
		return
	}
	defer push.Close()
	program := c.cmd.Args
	c.cmd.Path, c.cmd.Args = "/bin/sh", append([]string{"/bin/sh", "-c", gate}, program...)
	c.cmd.ExtraFiles = []*os.File{hold}
	if means.Network {
		c.cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
	}
	if err = confine(b.Read, means); err == nil {
		err = c.cmd.Start()
	}
	hold.Close()
	if err == nil {
		c.keeper.limit.set(c.cmd.Process.Pid)
		if err = b.limit(c.cmd.Process.Pid, means); err == nil {
			_, err = push.WriteString("go\n")
		}
		if err != nil {
			c.cmd.Process.Kill()
			c.cmd.Wait()
		}
	}
	started(err)
	if err == nil {
		<-c.gone
	}
}

// Numbers of prctl(2), of Landlock's system calls and of its rights.
const (
	setNoNewPrivileges = 38
	setSeccomp         = 22

	landlockCreate, landlockAdd, landlockRestrict = 444, 445, 446

	mayExecute, mayWrite, mayRead, mayList = 1 << 0, 1 << 1, 1 << 2, 1 << 3
	mayAll                                 = 1<<13 - 1 // of the first version
)

// landlockVersion returns the version of Landlock, 0 where there is none.
func landlockVersion() int {
	n, _, failed := syscall.Syscall(landlockCreate, 0, 0, 1)
	if failed != 0 {
		return 0
	}
	return int(n)
}

// confine takes rights from the calling thread, for good.
func confine(read []string, means Means) error {
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, setNoNewPrivileges, 1, 0, 0, 0, 0); e != 0 {
		return fmt.Errorf("no new privileges: %w", e)
	}
	if means.Files {
		if err := restrictFiles(read); err != nil {
			return fmt.Errorf("the files that it may read: %w", err)
		}
	}
	if means.Calls {
		if err := restrictCalls(); err != nil {
			return fmt.Errorf("the calls that it may make: %w", err)
		}
	}
	return nil
}

// restrictFiles lets the calling thread read and run what every program may and what is listed,
// and write nothing. Where the kernel has it, TCP and signals to others are refused too.
func restrictFiles(read []string) error {
	version := landlockVersion()
	attr := struct{ files, net, scoped uint64 }{files: mayAll}
	size := uintptr(8)
	for _, right := range []struct{ since, bit int }{{2, 13}, {3, 14}, {5, 15}} {
		if version >= right.since {
			attr.files |= 1 << right.bit
		}
	}
	if version >= 4 {
		attr.net, size = 3, 16
	}
	if version >= 6 {
		attr.scoped, size = 3, 24
	}
	rules, _, e := syscall.Syscall(landlockCreate, uintptr(unsafe.Pointer(&attr)), size, 0)
	if e != 0 {
		return e
	}
	defer syscall.Close(int(rules))
	for _, path := range systemFiles {
		if err := allow(rules, path, mayExecute|mayRead|mayList); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := allow(rules, "/dev/null", mayRead|mayWrite); err != nil {
		return err
	}
	for _, path := range read {
		if err := allow(rules, path, mayExecute|mayRead|mayList); err != nil {
			return err
		}
	}
	if _, _, e = syscall.Syscall(landlockRestrict, rules, 0, 0); e != 0 {
		return e
	}
	return nil
}

// allow adds a file, or a folder with what is in it, to rules.
func allow(rules uintptr, path string, rights uint64) error {
	const asPath = 0x200000 // O_PATH
	fd, err := syscall.Open(path, asPath|syscall.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil {
		return err
	}
	if info.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		rights &^= mayList
	}
	// A packed struct: rights, descriptor.
	var rule [12]byte
	*(*uint64)(unsafe.Pointer(&rule[0])) = rights
	*(*int32)(unsafe.Pointer(&rule[8])) = int32(fd)
	if _, _, e := syscall.Syscall6(landlockAdd, rules, 1, uintptr(unsafe.Pointer(&rule[0])), 0, 0, 0); e != 0 {
		return &os.PathError{Op: "allow", Path: path, Err: e}
	}
	return nil
}

// machine is what a filter of system calls has to know of a processor.
type machine struct {
	audit  uint32   // its number
	most   uint32   // numbers from here on are of another interface
	denied []uint32 // refused with EPERM
}

// machineOf returns the filter for the processor for which this program is built, if there is
// one. It allows no sockets, no access to other processes, no keys, mounts and namespaces, and
// no call that gives these in another way.
func machineOf() (machine, bool) {
	const ioURing = 425
	// In both: socket, ptrace, process_vm_readv, process_vm_writev, mount, unshare, setns, add_key,
	// request_key, keyctl, perf_event_open, bpf, userfaultfd, open_by_handle_at, pidfd_getfd.
	switch runtime.GOARCH {
	case "amd64":
		return machine{0xc000003e, 0x40000000, []uint32{41, 101, 310, 311, 165, 272, 308, 248, 249, 250, 298, 321, 323, 304, 438, ioURing}}, true
	case "arm64":
		return machine{0xc00000b7, 0xffffffff, []uint32{198, 117, 270, 271, 40, 97, 268, 217, 218, 219, 241, 280, 282, 265, 438, ioURing}}, true
	}
	return machine{}, false
}

// restrictCalls gives the calling thread a filter of system calls.
func restrictCalls() error {
	m, _ := machineOf()
	const load, equal, atLeast, answer = 0x20, 0x15, 0x35, 0x06 // BPF
	const allowed, refused = 0x7fff0000, 0x00050000
	f := []syscall.SockFilter{
		{Code: load, K: 4}, // the processor
		{Code: equal, Jt: 1, K: m.audit},
		{Code: answer, K: refused | uint32(syscall.ENOSYS)},
		{Code: load, K: 0}, // the call
		{Code: atLeast, Jf: 1, K: m.most},
		{Code: answer, K: refused | uint32(syscall.ENOSYS)},
	}
	for _, n := range m.denied {
		f = append(f, syscall.SockFilter{Code: equal, Jf: 1, K: n}, syscall.SockFilter{Code: answer, K: refused | uint32(syscall.EPERM)})
	}
	f = append(f, syscall.SockFilter{Code: answer, K: allowed})
	program := syscall.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, setSeccomp, 2, uintptr(unsafe.Pointer(&program)), 0, 0, 0); e != 0 {
		return e
	}
	return nil
}

// limit sets the limits of resources of a process that waits at the gate.
func (b *Bounds) limit(pid int, means Means) error {
	processes := uint64(b.Processes)
	if !means.Network { // those of the user count, wherever they came from
		processes += usersThreads()
	}
	for _, l := range []struct {
		what  int
		bound uint64
	}{{syscall.RLIMIT_AS, uint64(b.Address)}, {syscall.RLIMIT_FSIZE, uint64(b.FileSize)}, {syscall.RLIMIT_NOFILE, uint64(b.Files)}, {6, processes}, {syscall.RLIMIT_CORE, 0}} {
		limit := syscall.Rlimit{Cur: l.bound, Max: l.bound}
		if _, _, e := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), uintptr(l.what), uintptr(unsafe.Pointer(&limit)), 0, 0, 0); e != 0 {
			return fmt.Errorf("its limits: %w", e)
		}
	}
	return nil
}

// usersThreads returns how many threads this user has.
func usersThreads() (n uint64) {
	own := uint32(os.Getuid())
	for _, pid := range processes() {
		var info syscall.Stat_t
		if syscall.Stat(fmt.Sprintf("/proc/%d", pid), &info) == nil && info.Uid == own {
			if threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid)); err == nil {
				n += uint64(len(threads))
			}
		}
	}
	return n
}

// FindMeans tries by which means this system bounds a child.
func FindMeans() Means {
	m := Means{Limits: true, Files: landlockVersion() > 0}
	_, m.Calls = machineOf()
	try := func(means Means) bool {
		done := make(chan error)
		go func() {
			runtime.LockOSThread() // and never unlocked
			cmd := exec.Command("/bin/sh", "-c", ":")
			cmd.SysProcAttr = &syscall.SysProcAttr{}
			if means.Network {
				cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET
			}
			null, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
			if err == nil {
				cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = null, null, null, "/"
				if err = confine(nil, means); err == nil {
					err = cmd.Run()
				}
				null.Close()
			}
			done <- err
		}()
		return <-done == nil
	}
	m.Calls = m.Calls && try(Means{Calls: true})
	m.Files = m.Files && try(Means{Files: true})
	m.Network = try(Means{Network: true})
	return m
}

// treeResident returns how much a process and all that descend from it hold in memory, bytes.
func treeResident(pid int) (sum int64) {
	for tree := []int{pid}; len(tree) > 0; tree = tree[1:] {
		sum += resident(tree[0])
		tree = append(tree, offspring(tree[0])...)
	}
	return sum
}

// String reports for people by which means a child is bounded, and what is left open.
func (m Means) String() string {
	var has, lacks []string
	for _, x := range []struct {
		ok         bool
		has, lacks string
	}{
		{m.Limits, "bounds on memory, files and processes", "have no bounds on memory, files and processes"},
		{m.Files, "read what is theirs and the system's and write nothing", "read and write whatever this user may (no Landlock)"},
		{m.Calls, "open no sockets", "open sockets (no filter of system calls)"},
		{m.Network, "see no network", "see this machine's network (no user namespaces)"},
	} {
		if x.ok {
			has = append(has, x.has)
		} else {
			lacks = append(lacks, x.lacks)
		}
	}
	text := "engines from the daemon have " + strings.Join(has, ", ")
	if len(lacks) > 0 {
		text += "; on this machine they " + strings.Join(lacks, ", ")
	}
	return text
}
