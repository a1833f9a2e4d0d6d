//go:build cgo && unix

package disktest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Kind is an operation on a file.
type Kind int

// The kinds of calls.
const (
	Read Kind = iota
	Write
	Truncate
	Sync
	Delete
	create
	failedSync
	syncFolder
)

// Call is what SQLite asks of a file.
type Call struct {
	Kind  Kind
	Name  string // of the file, without its folder
	Bytes int    // to be read or written
}

// Fault is how a call fails; the zero value is that it does not.
type Fault struct {
	Error   bool // the device fails (EIO)
	Full    bool // no space is left (ENOSPC), for writes
	Written int  // bytes that a write has written before it failed
}

func (f Fault) fails() bool { return f.Error || f.Full }

// code returns SQLite's code of the failure (sqlite.org/rescode.html).
func (f Fault) code(k Kind) int {
	const ioErr, full = 10, 13
	switch {
	case f.Full && k == Write:
		return full
	case !f.fails():
		return 0
	}
	return ioErr | map[Kind]int{Read: 1, Write: 3, Sync: 4, Truncate: 6, Delete: 10}[k]<<8
}

// Disk is a folder whose SQLite files are watched. Its methods may be called from
// any goroutine.
type Disk struct {
	dir  string
	plan func(Call) Fault

	mu    sync.Mutex
	first map[string]*file // what was there before
	names map[string]*file // as the program sees them
	ops   []op
}

// file is a file under whatever name.
type file struct {
	start      []byte // what it held before
	syncFolder bool   // with its first sync
}

// op is what happened to a file, or to the folder.
type op struct {
	kind Kind
	file *file
	name string // of create and Delete
	at   int64  // of a write; the size of Truncate
	data []byte
	same bool // the bytes are those that are read there
}

// Watch watches the SQLite files of a folder, which must not be open yet; what is
// in the folder already counts as synced.
func Watch(dir string) (*Disk, error) {
	if err := register(); err != nil {
		return nil, err
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	d := &Disk{dir: dir, first: map[string]*file{}, names: map[string]*file{}}
	all, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if !e.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		d.first[e.Name()] = &file{start: text}
		d.names[e.Name()] = d.first[e.Name()]
	}
	opened.Lock()
	defer opened.Unlock()
	opened.disks = append(opened.disks, d)
	return d, nil
}

// Close stops watching.
func (d *Disk) Close() {
	opened.Lock()
	defer opened.Unlock()
	opened.disks = slices.DeleteFunc(opened.disks, func(other *Disk) bool { return other == d })
}

// Plan sets how calls fail from now on; nil lets them succeed. The plan is called
// for one call after another.
func (d *Disk) Plan(plan func(Call) Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plan = plan
}

// Now returns the present moment: the number of events so far.
func (d *Disk) Now() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ops)
}

func (d *Disk) fault(c Call) Fault {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.plan == nil {
		return Fault{}
	}
	return d.plan(c)
}

func (d *Disk) add(o op) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops = append(d.ops, o)
}

// open returns the file of a name. One that is new, or was made without SQLite, has a
// name that does not last yet.
func (d *Disk) open(name string, journal bool) *file {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.names[name]
	if f == nil {
		f = &file{}
		d.names[name] = f
		d.ops = append(d.ops, op{kind: create, file: f, name: name})
	}
	f.syncFolder = f.syncFolder || journal
	return f
}

func (d *Disk) sync(f *file, failed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if failed {
		d.ops = append(d.ops, op{kind: failedSync, file: f})
		return
	}
	d.ops = append(d.ops, op{kind: Sync, file: f})
	if f.syncFolder {
		f.syncFolder = false
		d.ops = append(d.ops, op{kind: syncFolder})
	}
}

func (d *Disk) remove(name string, sync bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.names, name)
	d.ops = append(d.ops, op{kind: Delete, name: name})
	if sync {
		d.ops = append(d.ops, op{kind: syncFolder})
	}
}

// Rewritten returns an error that says that the program, without SQLite, has written a file
// over itself, as it reads, and synced it.
func (d *Disk) Rewritten(name string) error {
	text, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		return err
	}
	f := d.open(name, false)
	d.add(op{kind: Write, file: f, data: text, same: true})
	d.sync(f, false)
	return nil
}

// empty returns an error that says that a folder is there and has nothing in it.
func empty(dir string) error {
	all, err := os.ReadDir(dir)
	if err == nil && len(all) > 0 {
		return &fs.PathError{Op: "image", Path: dir, Err: errors.New("expected an empty folder")}
	}
	return err
}
