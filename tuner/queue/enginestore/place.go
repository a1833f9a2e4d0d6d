package enginestore

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// place returns an error where the files of an engine are not what its manifest says, after it
// has put them where the engine runs. It is called before every start of a process: a file whose
// hash was worked out is not read again while its stamp is the same, which holds its time of
// change, and that no program sets.
func (s *Store) place(m *Manifest, p Program, hash string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir, err := s.path("run", hash), s.verify(s.file(p.SHA256), p.SHA256, p.Size)
	if err == nil && s.placed(dir, m) != nil {
		if err = s.lay(dir, m); err == nil {
			err = s.placed(dir, m)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("its package %.12s is no longer in the store, as after engine rm: %w", hash, err)
	}
	if err != nil {
		err = fmt.Errorf("engine %s: %w", m.Name, err)
	}
	return err
}

// verify returns an error where a file is not one of this hash. The caller holds mu.
func (s *Store) verify(path, hash string, size int64) error {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return err
	}
	if !before.Mode().IsRegular() || before.Size() != size {
		return fmt.Errorf("%s: expected a file of %d bytes, got %d", path, size, before.Size())
	}
	if s.verified[path] == stampOf(before) {
		return nil
	}
	delete(s.verified, path)
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	after, err := f.Stat()
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != hash || changed(before, after) {
		return fmt.Errorf("%s: its hash is %.12s, and the manifest says %.12s: it is not run", path, got, hash)
	}
	s.verified[path] = stampOf(before)
	return nil
}

// placed returns an error where a folder has not the files of an engine, and nothing else.
func (s *Store) placed(dir string, m *Manifest) error {
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(all) != len(m.Files) {
		return fmt.Errorf("%s: expected %d files, got %d", dir, len(m.Files), len(all))
	}
	for _, f := range m.Files {
		if err := s.verify(filepath.Join(dir, f.Name), f.SHA256, f.Size); err != nil {
			return err
		}
	}
	return nil
}

// lay makes the folder in which an engine runs: its files, read-only, and nothing else.
func (s *Store) lay(dir string, m *Manifest) error {
	if err := s.make("run"); err != nil {
		return err
	}
	made, err := os.MkdirTemp(s.path("run"), "new-*")
	if err != nil {
		return err
	}
	defer s.clear(made)
	for _, f := range m.Files {
		to := filepath.Join(made, f.Name)
		if os.Link(s.file(f.SHA256), to) != nil {
			if err := copyFile(s.file(f.SHA256), to); err != nil {
				return err
			}
		}
	}
	if err := s.clear(dir); err != nil {
		return err
	}
	err = os.Rename(made, dir)
	if errors.Is(err, fs.ErrExist) { // another process has laid it
		return nil
	}
	return errors.Join(err, os.Chmod(dir, 0o500))
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o400)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// clear deletes a folder in which an engine ran.
func (s folder) clear(dir string) error {
	if err := os.Chmod(dir, 0o700); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.RemoveAll(dir)
}

// clearAll deletes a folder in which programs may have made folders that cannot be written, as Go
// does with modules.
func (s folder) clearAll(dir string) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if e != nil && e.IsDir() && err == nil {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}
