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
	"time"

	"github.com/nats-io/nkeys"

	"sakusen/engines/plain"
	"sakusen/tuner/numeral"
	"sakusen/tuner/queue/fleet"
)

// Credentials are a worker's name and secret key.
type Credentials struct {
	Name string
	Seed string // an nkey of a user, "SU..."
	// Daemon is the public key with which the daemon signs the engines that it hands out, empty
	// where the credentials do not say it.
	Daemon string
}

const credentialsHead = "sakusen-worker"

// String returns the text of credentials: one line.
func (c Credentials) String() string {
	return strings.TrimSpace(credentialsHead + " " + c.Name + " " + c.Seed + " " + c.Daemon)
}

// CredentialsOf reads the file with the text of credentials.
func CredentialsOf(file string) (Credentials, error) {
	text, err := plain.ReadFile(file, 4<<10)
	if err != nil {
		return Credentials{}, fmt.Errorf("--credentials: %w", err)
	}
	c, err := ReadCredentials(string(text))
	if err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// ReadCredentials reads the text of credentials.
func ReadCredentials(text string) (Credentials, error) {
	f := strings.Fields(text)
	if len(f) < 3 || len(f) > 4 || f[0] != credentialsHead || !workerName.MatchString(f[1]) {
		return Credentials{}, fmt.Errorf("expected one line %q, as sakusen worker add prints it", credentialsHead+" NAME KEY")
	}
	if _, err := publicKey(f[2]); err != nil {
		return Credentials{}, errors.New("the key of the credentials is damaged: copy the line again, as sakusen worker add printed it")
	}
	c := Credentials{Name: f[1], Seed: f[2]}
	if len(f) == 4 {
		if c.Daemon = f[3]; !nkeys.IsValidPublicUserKey(c.Daemon) {
			return Credentials{}, errors.New("the daemon's key in the credentials is damaged: copy the line again, as sakusen worker add printed it")
		}
	}
	return c, nil
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
	// Trusted: it plays games by the clock of which the daemon knows no rules.
	Trusted bool
}

// Quarantine says that a worker gets no work until it is readmitted.
type Quarantine struct {
	Name   string    `json:"name"`
	Since  time.Time `json:"since"`
	Reason string    `json:"reason"` // one line
}

// Roll is who may connect and who is in quarantine, both sorted by name. With a NATS
// server that runs already workers may be in quarantine that are not known here.
type Roll struct {
	Known       []Known
	Quarantined []Quarantine
	// Probe is the secret key by which a daemon tries what workers may do at a server that
	// runs already, empty before it was first printed.
	Probe string
	// Signer is the secret key with which the daemon signs the engines that it hands out,
	// empty before a worker was added.
	Signer string
}

// holds reports whether a worker is in quarantine.
func (r Roll) holds(name string) bool {
	return slices.ContainsFunc(r.Quarantined, func(h Quarantine) bool { return h.Name == name })
}

// Names returns the names of those that may connect.
func (r Roll) Names() []string {
	out := []string{}
	for _, w := range r.Known {
		out = append(out, w.Name)
	}
	return out
}

// keys returns those that may connect, by name.
func (r Roll) keys() map[string]Known {
	keys := map[string]Known{}
	for _, w := range r.Known {
		keys[w.Name] = w
	}
	return keys
}

// permissions returns the subjects that a worker may publish and hear: its hellos, results and
// requests for engines,
// and its own inbox. One in quarantine may only ask, and hear why.
func (r Roll) permissions(worker string) (publish, hear []string) {
	publish, hear = []string{helloRoot + worker}, []string{inboxRoot + worker + ".>"}
	if !r.holds(worker) {
		publish = append(publish, doneRoot+worker, fetchRoot+worker)
	}
	return publish, hear
}

// Register is the file of the workers of a daemon. It has a line "NAME KEY" for each that may
// connect, with its public key and "trusted" if it is, and a line "quarantine NAME TIME REASON" for
// each that gets no work. "-probe KEY" and "-signer KEY" are [Roll.Probe] and [Roll.Signer].
type Register string

// RegisterOf returns the register of a database.
func RegisterOf(database string) Register { return Register(database + ".workers") }

// Read reads the file; the roll is empty where there is none.
func (r Register) Read() (Roll, error) {
	text, err := plain.ReadFile(string(r), plain.MostText)
	if errors.Is(err, fs.ErrNotExist) {
		return Roll{}, nil
	}
	if err != nil {
		return Roll{}, err
	}
	return r.parse(text)
}

const quarantineHead, trustedWord = "quarantine", "trusted"

// probeName is the name in which the daemon tries what workers may do; no worker can have it.
const probeName = "-probe"

// signerName heads the line of the key that signs engines.
const signerName = "-signer"

func (r Register) parse(text []byte) (Roll, error) {
	var all Roll
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		f := strings.Fields(lines.Text())
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if f[0] == quarantineHead && len(f) > 2 {
			since, err := time.Parse(time.RFC3339, f[2])
			if err != nil || !workerName.MatchString(f[1]) {
				return Roll{}, fmt.Errorf("%s:%d: expected %q and a name, a time and a reason, as the daemon writes them", r, n, quarantineHead)
			}
			all.Quarantined = append(all.Quarantined, Quarantine{f[1], since, strings.Join(f[3:], " ")})
			continue
		}
		if secret := map[string]*string{probeName: &all.Probe, signerName: &all.Signer}[f[0]]; secret != nil && len(f) == 2 {
			if _, err := publicKey(f[1]); err != nil {
				return Roll{}, fmt.Errorf("%s:%d: expected %s and a secret key, as sakusen worker list --nats-config or worker add writes it", r, n, f[0])
			}
			*secret = f[1]
			continue
		}
		trusted := len(f) == 3 && f[2] == trustedWord
		if len(f) != 2 && !trusted || !workerName.MatchString(f[0]) || !nkeys.IsValidPublicUserKey(f[1]) {
			return Roll{}, fmt.Errorf("%s:%d: expected a name and a public key, and %s or nothing, as sakusen worker add writes them", r, n, trustedWord)
		}
		if slices.ContainsFunc(all.Known, func(k Known) bool { return k.Name == f[0] || k.Key == f[1] }) {
			return Roll{}, fmt.Errorf("%s:%d: worker %s is there twice", r, n, f[0])
		}
		all.Known = append(all.Known, Known{f[0], f[1], trusted})
	}
	slices.SortFunc(all.Known, func(a, b Known) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(all.Quarantined, func(a, b Quarantine) int { return strings.Compare(a.Name, b.Name) })
	all.Quarantined = slices.CompactFunc(all.Quarantined, func(a, b Quarantine) bool { return a.Name == b.Name })
	return all, lines.Err()
}

// Errors about names of workers.
var (
	errNameTaken      = errors.New("a worker of that name is there already")
	errUnknownWorker  = errors.New("there is no worker of that name (see sakusen worker list)")
	errNotQuarantined = errors.New("it is not in quarantine (see sakusen worker list)")
)

// newKey returns a new key of a user, public and secret.
func newKey() (public, seed string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", "", err
	}
	text, err := pair.Seed()
	if err != nil {
		return "", "", err
	}
	public, err = pair.PublicKey()
	return public, string(text), err
}

// Add lets a worker of a new name connect. Its credentials are kept nowhere else.
func (r Register) Add(name string, trusted bool) (Credentials, error) {
	if !workerName.MatchString(name) {
		return Credentials{}, fmt.Errorf("worker %q: expected 1 to 40 letters, digits, - and _, a letter or digit first", name)
	}
	key, seed, err := newKey()
	if err != nil {
		return Credentials{}, err
	}
	c := Credentials{Name: name, Seed: seed}
	err = r.change(func(all *Roll) (err error) {
		if slices.ContainsFunc(all.Known, func(k Known) bool { return k.Name == name }) {
			return fmt.Errorf("worker %s: %w", name, errNameTaken)
		}
		if all.Signer == "" {
			if _, all.Signer, err = newKey(); err != nil {
				return err
			}
		}
		c.Daemon, err = publicKey(all.Signer)
		all.Known = append(all.Known, Known{name, key, trusted})
		return err
	})
	return c, err
}

// Remove takes a worker's permission back. A daemon that runs learns of it at SIGHUP. A
// quarantine stays until [Register.Readmit].
func (r Register) Remove(name string) error {
	return r.change(func(all *Roll) error {
		left := slices.DeleteFunc(slices.Clone(all.Known), func(k Known) bool { return k.Name == name })
		if len(left) == len(all.Known) {
			return fmt.Errorf("worker %s: %w", name, errUnknownWorker)
		}
		all.Known = left
		return nil
	})
}

// Quarantine notes that a worker gets no work.
func (r Register) Quarantine(h Quarantine) error {
	return r.change(func(all *Roll) error {
		if !slices.ContainsFunc(all.Quarantined, func(x Quarantine) bool { return x.Name == h.Name }) {
			all.Quarantined = append(all.Quarantined, h)
		}
		return nil
	})
}

// Readmit takes a worker out of quarantine. A daemon that runs learns of it at SIGHUP.
func (r Register) Readmit(name string) error {
	return r.change(func(all *Roll) error {
		left := slices.DeleteFunc(slices.Clone(all.Quarantined), func(h Quarantine) bool { return h.Name == name })
		if len(left) == len(all.Quarantined) {
			return fmt.Errorf("worker %s: %w", name, errNotQuarantined)
		}
		all.Quarantined = left
		return nil
	})
}

// NATSConfig returns the configuration of a NATS server of one's own for these workers, whole. It
// notes a key by which the daemon tries what workers may do there.
func (r Register) NATSConfig() (string, error) {
	var roll Roll
	err := r.change(func(all *Roll) (err error) {
		if all.Probe == "" {
			_, all.Probe, err = newKey()
		}
		roll = *all
		return err
	})
	if err != nil {
		return "", err
	}
	probe, err := publicKey(roll.Probe)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, natsHead, mostPayload)
	for _, w := range append([]Known{{Name: probeName, Key: probe}}, roll.Known...) {
		publish, hear := roll.permissions(w.Name)
		fmt.Fprintf(&text, "      # %s\n      {nkey: %s, permissions: {publish: [%s], subscribe: [%s]}}\n", w.Name, w.Key, quoted(publish), quoted(hear))
	}
	text.WriteString("    ]\n  }\n}\n")
	return text.String(), nil
}

func quoted(subjects []string) string { return `"` + strings.Join(subjects, `", "`) + `"` }

// natsHead begins the configuration of a NATS server.
const natsHead = `# The configuration of a NATS server for the workers of Sakusen, as "sakusen worker list
# --nats-config" prints it. A worker may speak and hear in its own name alone: the daemon tries
# that at its start, as "-probe". Print it again after worker add and worker remove, and have the
# server read it: nats-server --signal reload.
#
# The password is in the environment of the server, and in the daemon's address:
#   SAKUSEN_NATS_PASSWORD=... nats-server -c FILE
#   sakusen serve --nats nats://daemon:PASSWORD@127.0.0.1:4222
listen: "127.0.0.1:4222"
max_payload: %d
# Any other address than the loopback interface needs TLS:
# tls {cert_file: "FILE", key_file: "FILE"}
accounts {
  SAKUSEN {
    users: [
      {user: daemon, password: $SAKUSEN_NATS_PASSWORD}
`

// change replaces the file whole, of what is in it; one change at a time.
func (r Register) change(f func(*Roll) error) error {
	letGo, err := plain.LockFolder(filepath.Dir(string(r)))
	if err != nil {
		return err
	}
	defer letGo()
	all, err := r.Read()
	if err != nil {
		return err
	}
	if err := f(&all); err != nil {
		return err
	}
	return r.write(all)
}

// write replaces the file whole.
func (r Register) write(all Roll) error {
	f, err := os.CreateTemp(filepath.Dir(string(r)), ".workers-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	fmt.Fprintln(f, "# workers that may connect: name and public key; written by sakusen worker add and remove")
	for _, k := range all.Known {
		fmt.Fprintln(f, strings.TrimSpace(k.Name+" "+k.Key+" "+map[bool]string{true: trustedWord}[k.Trusted]))
	}
	if all.Probe != "" {
		fmt.Fprintln(f, probeName, all.Probe)
	}
	if all.Signer != "" {
		fmt.Fprintln(f, signerName, all.Signer)
	}
	for _, h := range all.Quarantined {
		fmt.Fprintln(f, quarantineHead, h.Name, h.Since.UTC().Format(time.RFC3339), strings.Join(strings.Fields(h.Reason), " "))
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), string(r))
}

// Lines returns the lines of a list for people: a name each, and why it gets no work. With what a
// daemon tells of its workers they also say what each does; nil is without.
func (r Roll) Lines(f *fleet.Fleet, now time.Time) []string {
	held, came, names := map[string]Quarantine{}, map[string]fleet.Worker{}, r.Names()
	for _, h := range r.Quarantined {
		held[h.Name] = h
		names = append(names, h.Name)
	}
	if f != nil {
		for _, w := range f.Workers {
			came[w.Name] = w
			names = append(names, w.Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	known := r.keys()
	for i, name := range names {
		if known[name].Trusted {
			names[i] += "  trusted"
		}
		if h, ok := held[name]; ok {
			names[i] += fmt.Sprintf("  quarantined %s: %s", h.Since.UTC().Format(time.RFC3339), h.Reason)
		} else if w, ok := came[name]; ok {
			names[i] += "  " + describe(w, now)
		} else if f != nil && f.Open {
			names[i] += "  has not come since the daemon started"
		}
	}
	return names
}

// describe returns what a worker does, in a line.
func describe(w fleet.Worker, now time.Time) string {
	switch {
	case w.State == "working":
		text := fmt.Sprintf("working: %d core%s, %s games/s, %s of the games", w.Cores, map[bool]string{true: "s"}[w.Cores != 1], fleet.PerSecond(w.Second), fleet.Percent(w.Share))
		if w.Scale > 0 {
			text += ", clocks " + w.ScaleText()
		}
		if len(w.Speeds) > 0 {
			text += ", nodes/s: " + w.SpeedText()
		}
		return text
	case w.Reason != "":
		return w.State + ": " + w.Reason
	}
	return w.State + ": last heard " + numeral.Span(now.Sub(w.Heard)) + " ago"
}
