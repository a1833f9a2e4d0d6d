package plain

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// Open opens a regular file of at most so many bytes to read. A device or a pipe is refused, without waiting for who
// writes to it: it may never end.
func Open(path string, most int64) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: expected a regular file, got %s", path, kindOf(info.Mode()))
	}
	if err == nil && info.Size() > most {
		err = tooLong(path, most)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func tooLong(name string, most int64) error {
	return fmt.Errorf("%s: expected at most %d bytes, got more", name, most)
}

// patience is how long a file of the kernel, such as /proc/kmsg, is waited for.
const patience = 10 * time.Second

// kindOf returns what a file is that is no regular one.
func kindOf(mode os.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&os.ModeNamedPipe != 0:
		return "a pipe"
	case mode&os.ModeDevice != 0:
		return "a device"
	}
	return "another kind"
}

// ReadFile returns the content of a regular file of at most so many bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := Open(path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	_ = f.SetReadDeadline(time.Now().Add(patience)) // files of the kernel alone may have one
	return ReadAll(f, path, most)
}

// ReadAll reads at most so many bytes to the end; more is an error, which names the source.
func ReadAll(r io.Reader, name string, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, tooLong(name, most)
	}
	return text, err
}

// What files of a kind have at most, bytes: a text that people write, results and records of
// programs, a book of openings (the largest published ones of chess take half of it), an
// archive of games or a program.
const (
	MostText   = 4 << 20
	MostRecord = 64 << 20
	MostBook   = 32 << 20
	MostGames  = 16 << 30
)
