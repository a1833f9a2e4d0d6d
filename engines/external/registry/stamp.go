package registry

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// stamp is what tells cheaply that an engine's files have changed since its
// identity was worked out: their sizes and times of change.
func (e *Entry) stamp() string {
	path, err := e.resolved()
	if err != nil {
		return err.Error()
	}
	text := ""
	look := func(path string) {
		if !filepath.IsAbs(path) && e.Directory != "" {
			path = filepath.Join(e.Directory, path)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			text += fmt.Sprintf("%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	look(path)
	for _, a := range append(slices.Clone(e.Command[1:]), e.Files...) {
		look(a)
	}
	for _, o := range e.Options {
		if o.Value != "" {
			look(o.Value)
		}
	}
	return text
}
