package enginestore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"time"
)

// Getter writes a file of an engine, from an offset on to its end.
type Getter func(ctx context.Context, f File, from int64, to io.Writer) error

// Take fetches what is missing of an engine, after making room for it: engines that were not used
// for the longest time go, but for those that keep names, by hash. The received part of a file
// stays for the next attempt; nothing of it is called by its hash before that was worked out.
func (s *Store) Take(ctx context.Context, m *Manifest, keep func(hash string) bool, get Getter) error {
	if err := m.Check(); err != nil {
		return err
	}
	files, size, err := m.Need(runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return err
	}
	if size > s.most {
		return fmt.Errorf("engine %s: it has %d MB, and this store may hold %d (--store-mb)", m.Name, (size+1<<20-1)>>20, s.most>>20)
	}
	if err := errors.Join(s.make("files"), s.make("partial")); err != nil {
		return err
	}
	var missing []File
	size = 0
	for _, f := range files {
		if s.holds(f) || slices.ContainsFunc(missing, func(x File) bool { return x.SHA256 == f.SHA256 }) {
			continue
		}
		missing = append(missing, f)
		size += f.Size
	}
	if err := s.room(size, m, keep); err != nil {
		return err
	}
	for _, f := range missing {
		mode := fs.FileMode(0o400)
		if p, _ := m.Program(runtime.GOOS, runtime.GOARCH); p.SHA256 == f.SHA256 {
			mode = 0o500
		}
		if err := s.fetch(ctx, f, mode, get); err != nil {
			return fmt.Errorf("engine %s: %w", m.Name, err)
		}
	}
	return s.keep(m)
}

// holds reports whether a file is here, whole.
func (s *Store) holds(f File) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.verify(s.file(f.SHA256), f.SHA256, f.Size) == nil
}

// room deletes engines until so many bytes more may come, and what has come of other files.
func (s *Store) room(size int64, m *Manifest, keep func(hash string) bool) error {
	partial, err := os.ReadDir(s.path("partial"))
	if err != nil {
		return err
	}
	for _, f := range partial {
		if _, ok := m.has(f.Name()); !ok {
			os.Remove(s.path("partial", f.Name()))
		}
	}
	hashes, err := s.hashes()
	if err != nil {
		return err
	}
	used := map[string]time.Time{}
	for _, hash := range hashes {
		if info, err := os.Stat(s.path("engines", hash+".json")); err == nil {
			used[hash] = info.ModTime()
		}
	}
	slices.SortFunc(hashes, func(a, b string) int { return cmp.Or(used[a].Compare(used[b]), cmp.Compare(a, b)) })
	for {
		now, err := s.used()
		if err != nil || now+size <= s.most {
			return err
		}
		i := slices.IndexFunc(hashes, func(hash string) bool { return hash != m.Hash() && !keep(hash) })
		if i < 0 {
			return fmt.Errorf("engine %s: %d MB more do not fit beside the engines that are played with: this store may hold %d MB (--store-mb)", m.Name, (size+1<<20-1)>>20, s.most>>20)
		}
		if err := s.drop(hashes[i]); err != nil {
			return err
		}
		hashes = slices.Delete(hashes, i, i+1)
	}
}

// Touch notes that an engine is played with, which makes it the last to go.
func (s *Store) Touch(hash string) {
	if hashText().MatchString(hash) {
		now := time.Now()
		os.Chtimes(s.path("engines", hash+".json"), now, now)
	}
}

// errWrongHash says that a file has come that is another one.
var errWrongHash = errors.New("the received file's hash differs from its manifest: it is refused")

// fetch fetches a file. One that went on where an earlier attempt had ended and is wrong is
// fetched anew, once.
func (s *Store) fetch(ctx context.Context, f File, mode fs.FileMode, get Getter) error {
	for {
		resumed, err := s.attempt(ctx, f, mode, get)
		if !errors.Is(err, errWrongHash) || !resumed {
			return err
		}
	}
}

// attempt fetches what is missing of a file, and reports whether there was some of it.
func (s *Store) attempt(ctx context.Context, f File, mode fs.FileMode, get Getter) (resumed bool, err error) {
	path := s.path("partial", f.SHA256)
	to, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return false, err
	}
	defer to.Close()
	from, err := to.Seek(0, io.SeekEnd)
	if err == nil && from > f.Size {
		from, err = 0, errors.Join(to.Truncate(0), seek(to))
	}
	if err != nil {
		return false, err
	}
	if from < f.Size {
		if err := get(ctx, f, from, &bounded{to, f.Size - from}); err != nil {
			return from > 0, err
		}
	}
	if err := errors.Join(to.Sync(), seek(to)); err != nil {
		return false, err
	}
	sum := sha256.New()
	n, err := io.Copy(sum, to)
	if err != nil {
		return false, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 || n != f.Size {
		return from > 0, errors.Join(fmt.Errorf("%s: %w", f.Name, errWrongHash), os.Remove(path))
	}
	return false, errors.Join(to.Chmod(mode), os.Rename(path, s.file(f.SHA256)))
}

func seek(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return err
}

// bounded is a writer that takes no more than so many bytes.
type bounded struct {
	to   io.Writer
	left int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if int64(len(p)) > b.left {
		return 0, fmt.Errorf("%w (it is longer)", errWrongHash)
	}
	n, err := b.to.Write(p)
	b.left -= int64(n)
	return n, err
}
