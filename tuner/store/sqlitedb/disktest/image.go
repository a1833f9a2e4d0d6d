//go:build cgo && unix

package disktest

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Fate says what happens to data that was written and not synced.
type Fate int

// The fates.
const (
	Lost    Fate = iota // nothing of it is there
	Kept                // all of it is there, as after the death of a process alone
	sectors             // each sector of 512 bytes is there, or is not, or holds nonsense
	pages               // the same by 4 096 bytes
	Cut                 // what was written up to a moment is there, its last write in part
)

// Fates is the number of fates.
const Fates = 5

// The sizes of what a disk writes at once, in bytes.
const (
	smallSector  = 512
	largerSector = 4096
)

func (f Fate) String() string { return [...]string{"lost", "kept", "sectors", "pages", "cut"}[f] }

// contents are the bytes of a file while an image is worked out.
type contents struct {
	synced  []byte
	written []write // and not synced
}

// write is an op with its moment.
type write struct {
	op
	moment int
}

// Image writes into an empty folder what is on the disk when the power is cut at a
// moment of the past. rng decides what the fate leaves to chance.
func (d *Disk) Image(into string, at int, fate Fate, rng *rand.Rand) error {
	if err := empty(into); err != nil {
		return err
	}
	d.mu.Lock()
	ops, first := d.ops[:at], d.first
	d.mu.Unlock()
	files := map[*file]*contents{}
	of := func(f *file) *contents {
		if files[f] == nil {
			files[f] = &contents{synced: append([]byte{}, f.start...)}
		}
		return files[f]
	}
	names := maps.Clone(first)
	var renamed []op // what was done to names and not synced
	synced := 0      // the moment of the last sync of anything
	for i, o := range ops {
		switch o.kind {
		case Write, Truncate:
			of(o.file).written = append(of(o.file).written, write{o, i})
		case Sync:
			of(o.file).settle(Kept, 0, rng)
			synced = i
		case failedSync:
			// What of it is not there never will be. It is still read, so that the
			// death of the process alone takes nothing away.
			switch fate {
			case Kept:
			case Cut:
				of(o.file).settle(sectors, 0, rng)
			default:
				of(o.file).settle(fate, 0, rng)
			}
		case create, Delete:
			renamed = append(renamed, o)
		case syncFolder:
			rename(names, renamed)
			renamed = nil
		}
	}
	cut := at
	switch fate {
	case Lost:
		renamed = nil
	case Cut:
		cut = synced + rng.IntN(at-synced+1)
		fallthrough
	case sectors, pages:
		renamed = renamed[:rng.IntN(len(renamed)+1)]
	}
	rename(names, renamed)
	var errs []error
	for name, f := range names {
		c := of(f)
		c.settle(fate, cut, rng)
		errs = append(errs, os.WriteFile(filepath.Join(into, name), c.synced, 0o644))
	}
	return errors.Join(errs...)
}

func rename(names map[string]*file, ops []op) {
	for _, o := range ops {
		if o.kind == create {
			names[o.name] = o.file
		} else {
			delete(names, o.name)
		}
	}
}

// settle ends all uncertainty about what was written: it has its fate, and is
// synced or gone. cut is the moment of [Cut].
func (c *contents) settle(fate Fate, cut int, rng *rand.Rand) {
	for _, w := range c.written {
		switch {
		case fate == Lost:
		case w.kind == Truncate:
			if fate == Kept || fate == Cut && w.moment < cut || fate != Cut && rng.IntN(2) == 0 {
				c.resize(w.at)
			}
		case fate == Kept || fate == Cut && w.moment < cut:
			c.put(w.at, w.data)
		case fate == Cut:
			if w.moment == cut {
				c.put(w.at, w.data[:rng.IntN(len(w.data))])
			}
		default:
			c.scatter(w, fate, rng)
		}
	}
	c.written = nil
}

// scatter decides sector by sector whether it was written.
func (c *contents) scatter(w write, fate Fate, rng *rand.Rand) {
	size := int64(smallSector)
	if fate == pages {
		size = largerSector
	}
	for from, end := w.at, w.at+int64(len(w.data)); from < end; {
		to := min(end, (from/size+1)*size)
		part := w.data[from-w.at : to-w.at]
		switch n := rng.IntN(8); {
		case n < 4:
			c.put(from, part)
		case n == 4 && !w.same:
			nonsense := make([]byte, len(part))
			for i := range nonsense {
				nonsense[i] = byte(rng.Uint32())
			}
			c.put(from, nonsense)
		}
		from = to
	}
}

func (c *contents) put(at int64, data []byte) {
	if end := at + int64(len(data)); end > int64(len(c.synced)) {
		c.resize(end)
	}
	copy(c.synced[at:], data)
}

func (c *contents) resize(size int64) {
	if size <= int64(len(c.synced)) {
		c.synced = c.synced[:size]
		return
	}
	c.synced = append(c.synced, make([]byte, size-int64(len(c.synced)))...)
}
