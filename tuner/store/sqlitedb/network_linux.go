package sqlitedb

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// fileSystem returns the number of the file system of a folder and, where that is FUSE, the type
// and the source of what is mounted there, which tell more.
func fileSystem(folder string) (number uint32, mount string, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil || uint32(s.Type) != fuse {
		return uint32(s.Type), "", err
	}
	info, err := os.Stat(folder)
	if err != nil {
		return 0, "", err
	}
	dev := uint64(info.Sys().(*syscall.Stat_t).Dev)
	device := fmt.Sprintf(" %d:%d ", dev>>8&0xfff, dev&0xff|dev>>12&0xfff00) // as major(3), minor(3)
	text, err := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(text)) {
		place, what, _ := strings.Cut(line, " - ")
		if f := strings.Fields(what); strings.Contains(place, device) && len(f) > 1 {
			return fuse, f[0] + " " + strings.NewReplacer(`\040`, " ", `\011`, "\t", `\134`, `\`).Replace(f[1]), nil
		}
	}
	return fuse, "", err
}

// writerOf returns the process that has one of SQLite's locks on a database, as /proc/locks names
// it, 0 where it does not.
func writerOf(path string) (pid int) {
	text, _ := os.ReadFile("/proc/locks")
	for _, name := range []string{path, path + "-shm"} {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		inode := fmt.Sprintf(":%d", info.Sys().(*syscall.Stat_t).Ino)
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			if len(f) > 5 && f[3] == "WRITE" && strings.HasSuffix(f[5], inode) {
				_, _ = fmt.Sscan(f[4], &pid)
				return pid
			}
		}
	}
	return 0
}
