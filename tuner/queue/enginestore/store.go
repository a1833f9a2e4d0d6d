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
	"runtime"
	"slices"
	"strings"
	"sync"

	"sakusen/engines/external"
	"sakusen/engines/external/process"
	"sakusen/engines/plain"
)

// Store is a folder with programs, by hash:
//
//	files/HASH           programs and other files
//	engines/HASH.json    manifests
//	names/NAME           the hash of the manifest that has this name; none at a worker
//	run/HASH/            where an engine runs: its other files, under their names
//	partial/HASH         what has come of a file so far
//	logs/                what builds have printed
//
// It is its owner's alone. A Store is safe for concurrent use.
type Store struct {
	folder
	most int64 // bytes of all files

	mu       sync.Mutex
	verified map[string]stamp // files whose hashes were worked out, by path
}

// folder is that of a store, as what is in it is read.
type folder string

// Open returns the store in a folder, which need not be there yet, with at most so many bytes.
func Open(dir string, most int64) *Store {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	return &Store{folder: folder(dir), most: most, verified: map[string]stamp{}}
}

// Of returns the folder of the store of a database.
func Of(database string) string { return database + ".engines" }

func (s folder) path(names ...string) string {
	return filepath.Join(append([]string{string(s)}, names...)...)
}

func (s folder) file(hash string) string { return s.path("files", hash) }

// make makes a folder of the store.
func (s folder) make(name string) error { return os.MkdirAll(s.path(name), 0o700) }

// named returns the manifests that have names, by name.
func (s folder) named() ([]*Manifest, error) {
	names, err := os.ReadDir(s.path("names"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []*Manifest
	for _, n := range names {
		m, err := s.Find(n.Name())
		if err != nil {
			return all, err
		}
		all = append(all, m)
	}
	return all, nil
}

// errUnknown says that there is no engine of a name or a hash.
var errUnknown = errors.New("there is no such engine in the store")

// Find returns the manifest of a name.
func (s folder) Find(name string) (*Manifest, error) {
	if !engineName().MatchString(name) {
		return nil, fmt.Errorf("engine %.64q: %w", name, errUnknown)
	}
	text, err := plain.ReadFile(s.path("names", name), 100)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("engine %s: %w", name, errUnknown)
	}
	if err != nil {
		return nil, err
	}
	m, err := s.Manifest(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", name, err)
	}
	if m.Name != name {
		return nil, fmt.Errorf("engine %s: the store has %s in its place", name, m.Name)
	}
	return m, nil
}

// Manifest returns a manifest by its hash.
func (s folder) Manifest(hash string) (*Manifest, error) {
	if !hashText().MatchString(hash) {
		return nil, errUnknown
	}
	path := s.path("engines", hash+".json")
	text, err := plain.ReadFile(path, mostManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errUnknown
	}
	if err != nil {
		return nil, err
	}
	if hashOf(text) != hash {
		return nil, fmt.Errorf("%s: its hash differs from its name", path)
	}
	return ReadManifest(text)
}

// Text returns the text of a manifest by its hash.
func (s folder) Text(hash string) ([]byte, error) {
	m, err := s.Manifest(hash)
	if err != nil {
		return nil, err
	}
	return m.text(), nil
}

// Read reads a part of a file of an engine, both by hash, into a buffer.
func (s folder) Read(engine, file string, from int64, into []byte) (int, error) {
	m, err := s.Manifest(engine)
	if err != nil {
		return 0, err
	}
	if _, ok := m.has(file); !ok {
		return 0, fmt.Errorf("engine %s: it has no file %.64q", m.Name, file)
	}
	f, err := os.Open(s.file(file))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := f.ReadAt(into, from)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// Add puts an engine into the store after it has shaken hands, and returns what it told. It waits
// for others that change the store: they delete files that no manifest names, and those of an
// engine that is being added have none yet.
func (s *Store) Add(m *Manifest, paths []string) (*external.Info, error) {
	letGo, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer letGo()
	if err := s.Stage(m, paths); err != nil {
		return nil, errors.Join(err, s.discard(m))
	}
	info, err := s.shakeHands(m)
	if err != nil {
		return nil, errors.Join(err, s.discard(m))
	}
	staged := *m
	m.Title = plain.Line(info.Title)
	if err := errors.Join(s.Publish(m), s.discard(&staged)); err != nil {
		return nil, errors.Join(err, s.discard(m))
	}
	return s.shakeHands(m)
}

// lock waits until no other process changes the store.
func (s *Store) lock() (letGo func(), err error) {
	if err := os.MkdirAll(string(s.folder), 0o700); err != nil {
		return nil, err
	}
	return plain.LockFolder(string(s.folder))
}

// shakeHands starts an engine and returns what it told.
func (s *Store) shakeHands(m *Manifest) (*external.Info, error) {
	e, err := s.Entry(m)
	if err != nil {
		return nil, err
	}
	one, err := external.Open([]external.Entry{e})
	if err != nil {
		return nil, err
	}
	defer one.Close()
	return one.Describe(m.Name)
}

// Stage stores the files of an engine that is being added, and says in its manifest what they
// are: programs by their headers, and what has none of a program is a file that it needs. The
// engine has no name yet.
func (s *Store) Stage(m *Manifest, paths []string) error {
	if m.Version = 1; m.Protocol == "" {
		m.Protocol = "uci"
	}
	if m.Memory == 0 {
		m.Memory = usualMemory
	}
	m.Programs, m.Files = []Program{}, []File{}
	if m.Options == nil {
		m.Options = []Option{}
	}
	used, err := s.used()
	if err != nil {
		return err
	}
	for _, path := range paths {
		hash, size, system, arch, err := s.copy(path, s.most-used)
		if err != nil {
			return err
		}
		used += size
		if system == "" {
			m.Files = append(m.Files, File{filepath.Base(path), hash, size})
			continue
		}
		if _, twice := m.Program(system, arch); twice {
			return fmt.Errorf("%s: it is a second program for %s/%s", path, system, arch)
		}
		m.Programs = append(m.Programs, Program{system, arch, hash, size})
	}
	if len(m.Programs) == 0 && len(paths) > 0 {
		return fmt.Errorf("%s: expected at least one file that is a program (ELF, Mach-O or PE), got none: scripts can only be registered in config.yaml", strings.Join(paths[:min(3, len(paths))], ", "))
	}
	slices.SortFunc(m.Programs, func(a, b Program) int { return strings.Compare(a.OS+"/"+a.Arch, b.OS+"/"+b.Arch) })
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	if err := m.Check(); err != nil {
		return err
	}
	_, _, err = m.Need(runtime.GOOS, runtime.GOARCH)
	return err
}

// copy copies a file into the store, where at most so many bytes are left, and tells what it is.
func (s *Store) copy(path string, left int64) (hash string, size int64, system, arch string, err error) {
	from, err := plain.Open(path, plain.MostGames)
	if err != nil {
		return "", 0, "", "", err
	}
	defer from.Close()
	if err := errors.Join(s.make("partial"), s.make("files")); err != nil {
		return "", 0, "", "", err
	}
	to, err := os.CreateTemp(s.path("partial"), "add-*")
	if err != nil {
		return "", 0, "", "", err
	}
	defer os.Remove(to.Name())
	defer to.Close()
	sum := sha256.New()
	if size, err = io.Copy(io.MultiWriter(to, sum), io.LimitReader(from, max(left, 0)+1)); err != nil {
		return "", 0, "", "", err
	}
	hash = hex.EncodeToString(sum.Sum(nil))
	if _, err := os.Stat(s.file(hash)); err != nil && size > left {
		return "", 0, "", "", fmt.Errorf("%s: the store may hold %d MB (setting engine_store_mb), and %d MB are left: sakusen engine rm NAME makes room", path, s.most>>20, max(left, 0)>>20)
	}
	if system, arch, err = systemOf(to); err != nil {
		return "", 0, "", "", fmt.Errorf("%s: %w", path, err)
	}
	mode := fs.FileMode(0o400)
	if system != "" {
		mode = 0o500
	}
	return hash, size, system, arch, errors.Join(to.Chmod(mode), to.Sync(), os.Rename(to.Name(), s.file(hash)))
}

// used returns the size of all files, bytes.
func (s folder) used() (sum int64, err error) {
	all, err := os.ReadDir(s.path("files"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	for _, f := range all {
		if info, err := f.Info(); err == nil {
			sum += info.Size()
		}
	}
	return sum, nil
}

// Publish gives a staged engine its name. A name that is taken by another engine is an error.
func (s *Store) Publish(m *Manifest) error {
	if old, err := s.Find(m.Name); err == nil && old.Hash() != m.Hash() {
		return fmt.Errorf("engine %s: the store has another one of that name: sakusen engine rm %s, or another name", m.Name, m.Name)
	}
	if err := s.keep(m); err != nil {
		return err
	}
	if err := s.make("names"); err != nil {
		return err
	}
	return s.write(s.path("names", m.Name), []byte(m.Hash()+"\n"))
}

// keep writes a manifest.
func (s *Store) keep(m *Manifest) error {
	if err := s.make("engines"); err != nil {
		return err
	}
	return s.write(s.path("engines", m.Hash()+".json"), m.text())
}

// write writes a file whole.
func (s folder) write(path string, text []byte) error {
	if err := s.make("partial"); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.path("partial"), "write-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close(), os.Rename(f.Name(), path))
}

// discard deletes what a staged engine has that no other one has, where it got no name.
func (s *Store) discard(m *Manifest) error { return s.drop(m.Hash()) }

// Remove deletes an engine by its name, and its files that no other one has.
func (s *Store) Remove(name string) error {
	letGo, err := s.lock()
	if err != nil {
		return err
	}
	defer letGo()
	m, err := s.Find(name)
	if err != nil {
		return err
	}
	if err := os.Remove(s.path("names", name)); err != nil {
		return err
	}
	return s.drop(m.Hash())
}

// drop deletes a manifest, where the engine runs, and the files that no manifest needs.
func (s *Store) drop(hash string) error {
	if err := os.Remove(s.path("engines", hash+".json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.clear(s.path("run", hash)); err != nil {
		return err
	}
	needed, err := s.needed()
	if err != nil {
		return err
	}
	all, err := os.ReadDir(s.path("files"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range all {
		if !needed[f.Name()] {
			if err := os.Remove(s.file(f.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// needed returns the hashes of the files that some manifest names.
func (s folder) needed() (map[string]bool, error) {
	hashes, err := s.hashes()
	if err != nil {
		return nil, err
	}
	needed := map[string]bool{}
	for _, hash := range hashes {
		m, err := s.Manifest(hash)
		if err != nil {
			return nil, err
		}
		for _, p := range m.Programs {
			needed[p.SHA256] = true
		}
		for _, f := range m.Files {
			needed[f.SHA256] = true
		}
	}
	return needed, nil
}

// hashes returns those of all manifests.
func (s folder) hashes() ([]string, error) {
	all, err := os.ReadDir(s.path("engines"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []string
	for _, f := range all {
		if hash, ok := strings.CutSuffix(f.Name(), ".json"); ok && hashText().MatchString(hash) {
			out = append(out, hash)
		}
	}
	return out, nil
}

// The bounds of what an engine that travels may use, beside the memory that its manifest says.
const (
	leastAddress  = 4 << 30 // bytes of address space
	mostWritten   = 16 << 20
	mostOpen      = 64
	mostProcesses = 256 // with threads
)

// Entry returns an engine as it is registered on this machine.
func (s *Store) Entry(m *Manifest) (external.Entry, error) {
	p, ok := m.Program(runtime.GOOS, runtime.GOARCH)
	if !ok {
		_, _, err := m.Need(runtime.GOOS, runtime.GOARCH)
		return external.Entry{}, err
	}
	hash := m.Hash()
	e := external.Entry{
		Name: m.Name, Protocol: m.Protocol, Command: []string{s.file(p.SHA256)}, Directory: s.path("run", hash), Memory: m.Memory << 20,
		Package: hash, Place: func() error { return s.place(m, p, hash) },
		Bounds: &process.Bounds{
			Address: max(leastAddress, 4*(m.Memory<<20)), FileSize: mostWritten, Files: mostOpen, Processes: mostProcesses,
			Read: []string{s.file(p.SHA256), s.path("run", hash)},
		},
	}
	for _, o := range m.Options {
		e.Options = append(e.Options, external.Setting(o))
	}
	return e, nil
}

// Entries returns the engines that have names as they are registered on this machine.
func (s *Store) Entries() ([]external.Entry, error) {
	all, err := s.named()
	if err != nil {
		return nil, err
	}
	var entries []external.Entry
	for _, m := range all {
		e, err := s.Entry(m)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}
