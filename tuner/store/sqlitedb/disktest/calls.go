//go:build cgo && unix

package disktest

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
int disk_register(void);
*/
import "C"

import (
	"fmt"
	"path/filepath"
	"sync"
	"unsafe"
)

// register puts the layer between SQLite and its files, once.
var register = sync.OnceValue(func() error {
	if rc := C.disk_register(); rc != 0 {
		return fmt.Errorf("disktest: SQLite refuses the layer: error %d", int(rc))
	}
	return nil
})

// opened are the files that SQLite has open on watched disks, by number.
var opened struct {
	sync.Mutex
	disks []*Disk
	files []*handle // number n at n-1
}

// handle is a file that was opened once.
type handle struct {
	disk *Disk
	file *file
	name string
}

// diskOf returns the disk that watches a file's folder, nil where none does.
func diskOf(name string) *Disk {
	opened.Lock()
	defer opened.Unlock()
	for _, d := range opened.disks {
		if filepath.Dir(name) == d.dir {
			return d
		}
	}
	return nil
}

func handleOf(id C.int) *handle {
	opened.Lock()
	defer opened.Unlock()
	return opened.files[id-1]
}

//export diskOpen
func diskOpen(name *C.char, flags C.int) C.int {
	path := C.GoString(name)
	d := diskOf(path)
	if d == nil {
		return 0
	}
	const create, journal, log = 0x4, 0x800, 0x80000
	h := &handle{disk: d, name: filepath.Base(path)}
	h.file = d.open(h.name, flags&create != 0 && flags&(journal|log) != 0)
	opened.Lock()
	defer opened.Unlock()
	opened.files = append(opened.files, h)
	return C.int(len(opened.files))
}

//export diskRead
func diskRead(id, n C.int, at C.longlong) C.int {
	h := handleOf(id)
	return C.int(h.disk.fault(Call{Read, h.name, int(n)}).code(Read))
}

//export diskWrite
func diskWrite(id C.int, from unsafe.Pointer, n C.int, at C.longlong, kept *C.int) C.int {
	h := handleOf(id)
	f := h.disk.fault(Call{Write, h.name, int(n)})
	if f.fails() {
		*kept = C.int(min(int(n), f.Written))
	}
	if *kept > 0 {
		h.disk.add(op{kind: Write, file: h.file, at: int64(at), data: C.GoBytes(from, *kept)})
	}
	return C.int(f.code(Write))
}

//export diskTruncate
func diskTruncate(id C.int, size C.longlong) C.int {
	h := handleOf(id)
	f := h.disk.fault(Call{Truncate, h.name, 0})
	if !f.fails() {
		h.disk.add(op{kind: Truncate, file: h.file, at: int64(size)})
	}
	return C.int(f.code(Truncate))
}

//export diskSync
func diskSync(id C.int) C.int {
	h := handleOf(id)
	f := h.disk.fault(Call{Sync, h.name, 0})
	h.disk.sync(h.file, f.fails())
	return C.int(f.code(Sync))
}

//export diskDelete
func diskDelete(name *C.char, sync C.int) C.int {
	path := C.GoString(name)
	d := diskOf(path)
	if d == nil {
		return 0
	}
	f := d.fault(Call{Delete, filepath.Base(path), 0})
	if !f.fails() {
		d.remove(filepath.Base(path), sync != 0)
	}
	return C.int(f.code(Delete))
}
