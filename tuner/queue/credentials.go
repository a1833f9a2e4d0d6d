package queue

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/nats-io/nkeys"
)

// Credentials are what a worker shows: its name and its secret key.
type Credentials struct {
	Name string
	Seed string // an nkey of a user, "SU..."
}

const credentialsHead = "sakusen-worker"

// String is the text of credentials: one line.
func (c Credentials) String() string { return credentialsHead + " " + c.Name + " " + c.Seed }

// ReadCredentials reads the text of credentials.
func ReadCredentials(text string) (Credentials, error) {
	f := strings.Fields(text)
	if len(f) != 3 || f[0] != credentialsHead || !workerName.MatchString(f[1]) {
		return Credentials{}, fmt.Errorf("expected one line %q, as sakusen worker add prints it", credentialsHead+" NAME KEY")
	}
	if _, err := publicKey(f[2]); err != nil {
		return Credentials{}, errors.New("the key of the credentials is damaged: copy the line again, as sakusen worker add printed it")
	}
	return Credentials{f[1], f[2]}, nil
}

func publicKey(seed string) (string, error) {
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return "", err
	}
	key, err := pair.PublicKey()
	if err == nil && !nkeys.IsValidPublicUserKey(key) {
		err = errors.New("not a key of a user")
	}
	return key, err
}

var workerName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,39}$`)

// Known is a worker that may connect.
type Known struct {
	Name string
	Key  string // public nkey, "U..."
}

// Register is the file of the workers that may connect to a daemon: a line "NAME KEY"
// each, with public keys only.
type Register string

// RegisterOf is that of a database.
func RegisterOf(database string) Register { return Register(database + ".workers") }

// Read reads the workers, sorted by name; none where there is no file.
func (r Register) Read() ([]Known, error) {
	text, err := os.ReadFile(string(r))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Known
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		f := strings.Fields(lines.Text())
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) != 2 || !workerName.MatchString(f[0]) || !nkeys.IsValidPublicUserKey(f[1]) {
			return nil, fmt.Errorf("%s:%d: expected a name and a public key, as sakusen worker add writes them", r, n)
		}
		if slices.ContainsFunc(all, func(k Known) bool { return k.Name == f[0] || k.Key == f[1] }) {
			return nil, fmt.Errorf("%s:%d: worker %s is there twice", r, n, f[0])
		}
		all = append(all, Known{f[0], f[1]})
	}
	slices.SortFunc(all, func(a, b Known) int { return strings.Compare(a.Name, b.Name) })
	return all, lines.Err()
}

// ErrTaken and ErrUnknown are about names of workers.
var (
	ErrTaken   = errors.New("a worker of that name is there already")
	ErrUnknown = errors.New("there is no worker of that name (see sakusen worker list)")
)

// Add lets a worker of a new name connect. Its credentials are kept nowhere else.
func (r Register) Add(name string) (Credentials, error) {
	if !workerName.MatchString(name) {
		return Credentials{}, fmt.Errorf("worker %q: expected 1 to 40 letters, digits, - and _, a letter or digit first", name)
	}
	all, err := r.Read()
	if err != nil {
		return Credentials{}, err
	}
	if slices.ContainsFunc(all, func(k Known) bool { return k.Name == name }) {
		return Credentials{}, fmt.Errorf("worker %s: %w", name, ErrTaken)
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return Credentials{}, err
	}
	seed, err := pair.Seed()
	if err != nil {
		return Credentials{}, err
	}
	key, err := pair.PublicKey()
	if err != nil {
		return Credentials{}, err
	}
	return Credentials{name, string(seed)}, r.write(append(all, Known{name, key}))
}

// Remove takes a worker's permission back. A daemon that runs learns of it at SIGHUP.
func (r Register) Remove(name string) error {
	all, err := r.Read()
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(all), func(k Known) bool { return k.Name == name })
	if len(left) == len(all) {
		return fmt.Errorf("worker %s: %w", name, ErrUnknown)
	}
	return r.write(left)
}

// write replaces the file whole.
func (r Register) write(all []Known) error {
	f, err := os.CreateTemp(filepath.Dir(string(r)), ".workers-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	fmt.Fprintln(f, "# workers that may connect: name and public key; written by sakusen worker add and remove")
	for _, k := range all {
		fmt.Fprintln(f, k.Name, k.Key)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), string(r))
}
