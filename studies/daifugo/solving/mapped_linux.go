package solving

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// mapped is a file without a name, in memory.
type mapped struct{ bytes []byte }

// newMapped makes a file of so many bytes beside another one. It is gone when the
// process ends, however it ends.
func newMapped(beside string, bytes uint64) (*mapped, error) {
	f, err := os.CreateTemp(filepath.Dir(beside), filepath.Base(beside)+".layer-*")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return nil, err
	}
	// The blocks are taken now: a disk that is full later would end the process.
	if err := syscall.Fallocate(int(f.Fd()), 0, 0, int64(bytes)); err != nil {
		return nil, fmt.Errorf("%s: no room for a layer of %d bytes: %w", filepath.Dir(beside), bytes, err)
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%s: mapping a layer: %w", f.Name(), err)
	}
	return &mapped{b}, nil
}

// drop gives the pages back to the file. What they hold stays.
func (m *mapped) drop() { _ = syscall.Madvise(m.bytes, syscall.MADV_DONTNEED) }

func (m *mapped) close() { _ = syscall.Munmap(m.bytes) }

// statm is the file in which the system tells how many pages the process has.
var statm = sync.OnceValues(func() (*os.File, error) { return os.Open("/proc/self/statm") })

// resident returns the memory of the process in bytes, 0 where it is not known. It is asked
// for often, and so makes no garbage.
func resident() uint64 {
	f, err := statm()
	if err != nil {
		return 0
	}
	var text [128]byte
	n, _ := f.ReadAt(text[:], 0)
	field, pages := 0, uint64(0)
	for _, c := range text[:n] {
		switch {
		case c == ' ':
			field++
		case field == 1 && c >= '0' && c <= '9':
			pages = 10*pages + uint64(c-'0')
		}
	}
	return pages * uint64(os.Getpagesize())
}
