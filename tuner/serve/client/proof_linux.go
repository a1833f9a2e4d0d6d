package client

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// holds reports why the process that holds a lock is not shown to listen at an address;
// empty where it is. Sources: proc(5), /proc/locks, /proc/net/tcp, /proc/PID/fd.
func holds(at netip.AddrPort, lock string, pid int) string {
	info, err := os.Stat(lock)
	if err != nil {
		return "the lock file is gone"
	}
	file, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	if holder := lockHolder(file.Ino); holder > 0 {
		pid = holder
	}
	sockets, readable := listening(at)
	if !readable {
		return "" // a system without /proc
	}
	if len(sockets) == 0 {
		return "no process listens there"
	}
	owns, readable := socketsOf(pid)
	for _, s := range sockets {
		if readable && owns[s.inode] {
			return ""
		}
		// Another user's process does not show what it has open; but only that user, and
		// root, can listen in its name.
		if !readable && s.uid == file.Uid {
			return ""
		}
	}
	return fmt.Sprintf("another process than %d, which holds the lock, listens there", pid)
}

// lockHolder returns the process that has a lock on the file of an inode, 0 where that
// cannot be told.
func lockHolder(inode uint64) int {
	f, err := os.Open("/proc/locks")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// 1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF
		words := strings.Fields(lines.Text())
		if len(words) < 6 || words[1] == "->" || !strings.HasSuffix(words[5], ":"+strconv.FormatUint(inode, 10)) {
			continue
		}
		if pid, err := strconv.Atoi(words[4]); err == nil && pid > 0 {
			return pid
		}
	}
	return 0
}

// socket is one that listens.
type socket struct {
	inode uint64
	uid   uint32
}

// listening returns the sockets that take connections to an address; readable tells
// whether they could be looked for.
func listening(at netip.AddrPort) (out []socket, readable bool) {
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		readable = true
		for lines := bufio.NewScanner(f); lines.Scan(); {
			// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
			words := strings.Fields(lines.Text())
			if len(words) < 10 || words[3] != "0A" {
				continue
			}
			local, ok := kernelAddress(words[1])
			if !ok || local.Port() != at.Port() || local.Addr() != at.Addr() && !local.Addr().IsUnspecified() {
				continue
			}
			uid, err := strconv.ParseUint(words[7], 10, 32)
			inode, bad := strconv.ParseUint(words[9], 10, 64)
			if err == nil && bad == nil {
				out = append(out, socket{inode, uint32(uid)})
			}
		}
		f.Close()
	}
	return out, readable
}

// kernelAddress reads an address as the kernel writes it: words of four bytes in the
// machine's order, and a port.
func kernelAddress(text string) (netip.AddrPort, bool) {
	host, port, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(host)
	n, bad := strconv.ParseUint(port, 16, 16)
	if err != nil || bad != nil || len(raw)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(raw); i += 4 {
		binary.BigEndian.PutUint32(raw[i:], binary.NativeEndian.Uint32(raw[i:]))
	}
	ip, ok := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(ip.Unmap(), uint16(n)), ok
}

// socketsOf returns the inodes of a process's sockets; readable tells whether they could
// be seen.
func socketsOf(pid int) (inodes map[uint64]bool, readable bool) {
	dir := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, os.IsNotExist(err) // one that is gone holds nothing
	}
	inodes = map[uint64]bool{}
	for _, e := range entries {
		to, err := os.Readlink(filepath.Join(dir, e.Name()))
		if number, ok := strings.CutPrefix(to, "socket:["); ok && err == nil {
			if inode, err := strconv.ParseUint(strings.TrimSuffix(number, "]"), 10, 64); err == nil {
				inodes[inode] = true
			}
		}
	}
	return inodes, true
}
