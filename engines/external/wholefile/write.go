// Package wholefile writes files that others may read meanwhile: a reader finds
// the old file or the new one, whole.
//
//	err := wholefile.Write("results.csv", func(w io.Writer) error {
//		_, err := io.WriteString(w, text)
//		return err
//	})
package wholefile

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write replaces a file in one step, after what write has written is on the disk.
func Write(path string, write func(io.Writer) error) error {
	path = filepath.Clean(path)
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = write(w)
	err = errors.Join(err, w.Flush(), f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// WriteText is Write of a text.
func WriteText(path string, text []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
