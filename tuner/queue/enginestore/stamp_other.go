//go:build !linux

package enginestore

import (
	"io/fs"
	"time"
)

const noFollow = 0

// stamp is never the same twice here, where the time of a change is not asked for: files are
// read before each start.
type stamp struct{ at time.Time }

func stampOf(fs.FileInfo) stamp { return stamp{time.Now()} }

// changed reports whether a file was changed between two looks at it.
func changed(before, after fs.FileInfo) bool {
	return before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime())
}
