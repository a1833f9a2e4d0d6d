package enginestore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"sakusen/engines/plain"
)

// Manifest says what an engine is. Its hash is that of its text.
type Manifest struct {
	Version  int       `json:"version"` // 1
	Name     string    `json:"name"`
	Protocol string    `json:"protocol"` // uci, usi, uai or ugi
	Programs []Program `json:"programs"` // by system, one each
	Files    []File    `json:"files"`    // that stand in the folder in which it runs
	Options  []Option  `json:"options"`  // that are always set
	Memory   int64     `json:"memory"`   // MB that a process may hold
	Title    string    `json:"title"`    // as it called itself when it was added
	Origin   *Origin   `json:"origin,omitempty"`
}

// Program is the file of one system.
type Program struct {
	OS     string `json:"os"`   // GOOS
	Arch   string `json:"arch"` // GOARCH
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// File is a file that decides how an engine plays, such as a net.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// Option is the value of an option.
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Origin is what a program was made from.
type Origin struct {
	Repository string `json:"repository"`
	Ref        string `json:"ref"`
	Commit     string `json:"commit"`
	Command    string `json:"command"`
	Output     string `json:"output"`
	Compiler   string `json:"compiler"` // its version line
}

// The bounds of what a manifest may say.
const (
	mostManifest = 64 << 10 // bytes of its text
	mostPrograms = 16
	mostFiles    = 32
	mostOptions  = 256
	mostMemory   = 1 << 20 // MB
	usualMemory  = 1024    // MB
)

var (
	engineName = plain.Pattern(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	fileName   = plain.Pattern(`^[A-Za-z0-9_][A-Za-z0-9._+-]{0,127}$`)
	systemName = plain.Pattern(`^[a-z0-9]{1,20}$`)
	hashText   = plain.Pattern(`^[0-9a-f]{64}$`)
)

// Check returns the first mistake.
func (m *Manifest) Check() error {
	bad := func(what, want string, got any) error {
		return fmt.Errorf("engine %.64q: %s: expected %s, got %.80q", m.Name, what, want, fmt.Sprint(got))
	}
	switch {
	case m.Version != 1:
		return bad("version", "1", m.Version)
	case !engineName().MatchString(m.Name):
		return bad("name", "1 to 64 lower-case letters, digits, dots, - and _", m.Name)
	case !slices.Contains([]string{"uci", "usi", "uai", "ugi"}, m.Protocol):
		return bad("protocol", "uci, usi, uai or ugi", m.Protocol)
	case len(m.Programs) == 0 || len(m.Programs) > mostPrograms:
		return bad("programs", fmt.Sprintf("1 to %d", mostPrograms), len(m.Programs))
	case len(m.Files) > mostFiles:
		return bad("files", fmt.Sprintf("at most %d", mostFiles), len(m.Files))
	case len(m.Options) > mostOptions:
		return bad("options", fmt.Sprintf("at most %d", mostOptions), len(m.Options))
	case m.Memory < 1 || m.Memory > mostMemory:
		return bad("memory", fmt.Sprintf("1 to %d MB", mostMemory), m.Memory)
	}
	systems := map[string]bool{}
	for _, p := range m.Programs {
		system := p.OS + "/" + p.Arch
		if !systemName().MatchString(p.OS) || !systemName().MatchString(p.Arch) || systems[system] || !hashText().MatchString(p.SHA256) || p.Size < 1 {
			return bad("programs", "one for each system, with hash and size", system)
		}
		systems[system] = true
	}
	names := map[string]bool{}
	for _, f := range m.Files {
		folded := strings.ToLower(f.Name) // some systems do not tell them apart
		if !fileName().MatchString(f.Name) || names[folded] || !hashText().MatchString(f.SHA256) || f.Size < 0 {
			return bad("files", "different names of letters, digits, dots, +, - and _, each with hash and size", f.Name)
		}
		names[folded] = true
	}
	set := map[string]bool{}
	for _, o := range m.Options {
		name := strings.ToLower(o.Name)
		if o.Name == "" || set[name] || !plain.Is(o.Name+o.Value) || strings.ContainsAny(o.Name+o.Value, "\r\n") {
			return bad("options", "different names, and no line breaks", o.Name)
		}
		set[name] = true
	}
	return nil
}

// CheckName returns what is wrong with the name, before there is anything else.
func (m *Manifest) CheckName() error {
	if !engineName().MatchString(m.Name) {
		return fmt.Errorf("engine %.64q: name: expected 1 to 64 lower-case letters, digits, dots, - and _", m.Name)
	}
	return nil
}

// text returns the manifest's text, of which its hash is.
func (m *Manifest) text() []byte {
	text, err := json.Marshal(m)
	if err != nil { // it holds texts and numbers only
		panic(err)
	}
	return text
}

// Hash returns the lower-case hexadecimal sha256 of the manifest's text.
func (m *Manifest) Hash() string { return hashOf(m.text()) }

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// ReadManifest reads the text of a manifest, as text writes it and in no other way.
func ReadManifest(text []byte) (*Manifest, error) {
	if len(text) > mostManifest {
		return nil, fmt.Errorf("a manifest: expected at most %d bytes, got %d", mostManifest, len(text))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var m Manifest
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("a manifest: %w", err)
	}
	if _, err := d.Token(); err != io.EOF || !bytes.Equal(m.text(), text) {
		return nil, fmt.Errorf("the manifest of engine %.64q: expected one document as this program writes it", m.Name)
	}
	return &m, m.Check()
}

// Program returns the program for a system; false where there is none.
func (m *Manifest) Program(system, arch string) (Program, bool) {
	for _, p := range m.Programs {
		if p.OS == system && p.Arch == arch {
			return p, true
		}
	}
	return Program{}, false
}

// Need returns the files that a system needs, its program first, and their size together.
func (m *Manifest) Need(system, arch string) (files []File, size int64, err error) {
	p, ok := m.Program(system, arch)
	if !ok {
		return nil, 0, fmt.Errorf("engine %s: it has no program for %s/%s, only for %s", m.Name, system, arch, m.Systems())
	}
	files = append([]File{{m.Name, p.SHA256, p.Size}}, m.Files...)
	for _, f := range files {
		size += f.Size
	}
	return files, size, nil
}

// Size returns the size of all files together.
func (m *Manifest) Size() (sum int64) {
	for _, p := range m.Programs {
		sum += p.Size
	}
	for _, f := range m.Files {
		sum += f.Size
	}
	return sum
}

// has reports whether a file of this hash is one of the manifest's.
func (m *Manifest) has(hash string) (size int64, ok bool) {
	for _, p := range m.Programs {
		if p.SHA256 == hash {
			return p.Size, true
		}
	}
	for _, f := range m.Files {
		if f.SHA256 == hash {
			return f.Size, true
		}
	}
	return 0, false
}

// Systems lists the systems that it has a program for, for people.
func (m *Manifest) Systems() string {
	var all []string
	for _, p := range m.Programs {
		all = append(all, p.OS+"/"+p.Arch)
	}
	return strings.Join(all, ", ")
}
