package queue

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"sakusen/engines/arena"
)

// Build is what decides how a program plays.
type Build struct {
	Protocol int    `json:"protocol"`
	Commit   string `json:"commit"`
	Go       string `json:"go"`
	Arch     string `json:"arch"`              // GOARCH
	Level    string `json:"level"`             // GOAMD64 and the like, empty for none
	Program  string `json:"program,omitempty"` // SHA-256 of its file, where the commit does not say what was built
}

// protocol is the version of jobs and results.
const protocol = 1

// NewBuild is this program's. The signatures of its strategies are compared job by job,
// under the rules of each.
func NewBuild(commit string) Build {
	b := Build{Protocol: protocol, Commit: commit, Go: runtime.Version(), Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "GO"+strings.ToUpper(runtime.GOARCH)) {
				b.Level = s.Value
			}
		}
	}
	if commit == "" || commit == "unknown" || strings.HasSuffix(commit, "-dirty") {
		b.Program = ownHash()
	}
	return b
}

// ownHash is the SHA-256 of this program's file; a text of its own, which no other has,
// where that cannot be read.
func ownHash() string {
	hash := sha256.New()
	name, err := os.Executable()
	if err == nil {
		var file *os.File
		if file, err = os.Open(name); err == nil {
			_, err = io.Copy(hash, file)
			file.Close()
		}
	}
	if err != nil {
		return "unreadable-" + rand.Text()
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Differences are how another program differs, in words; none where it plays alike.
func (b Build) Differences(worker Build) []string {
	var all []string
	for _, c := range []struct{ what, daemon, worker string }{
		{"protocol", fmt.Sprint(b.Protocol), fmt.Sprint(worker.Protocol)},
		{"commit", b.Commit, worker.Commit},
		{"Go version", b.Go, worker.Go},
		{"GOARCH", b.Arch, worker.Arch},
		{"processor level", b.Level, worker.Level},
		{"program (SHA-256, as its commit does not say what was built)", b.Program, worker.Program},
	} {
		if c.daemon != c.worker && (c.daemon != b.Program || b.Commit == worker.Commit) {
			all = append(all, fmt.Sprintf("%s: the daemon has %s, the worker %s", c.what, brief(c.daemon), brief(c.worker)))
		}
	}
	return all
}

// brief is a hash with the digits that tell it from others.
func brief(s string) string {
	hash, rest, _ := strings.Cut(s, "-")
	switch {
	case s == "":
		return "none"
	case len(hash) >= 40 && rest != "":
		return hash[:12] + "-" + rest
	case len(hash) >= 40:
		return hash[:12]
	}
	return s
}

// Hello is what a worker says of itself every few seconds.
type Hello struct {
	Build
	Session string   `json:"session"` // chosen when the process starts
	Cores   int      `json:"cores"`   // games that it plays at a time
	Holds   []string `json:"holds"`   // jobs that it is playing
	Games   int64    `json:"games"`   // played since it started
	Leaving bool     `json:"leaving"` // it fetches nothing more
	// Engines are the programs of other people that it has, by name, and Lacks says why
	// it does not offer others that are registered.
	Engines []arena.Program `json:"engines,omitempty"`
	Lacks   []string        `json:"lacks,omitempty"`
	Line    string          `json:"line,omitempty"` // from which it fetches, empty for the general one
}

// Answer is what the daemon says to a Hello.
type Answer struct {
	// Refused says why the worker gets no work, empty where it does.
	Refused string `json:"refused,omitempty"`
	// Differs are what is different in another build.
	Differs []string `json:"differs,omitempty"`
	// Again: the reason may pass, as when a worker of that name is there already.
	Again bool `json:"again,omitempty"`
	// Line is the one to fetch from, empty while the worker's engines are being compared.
	Line string `json:"line,omitempty"`
	// Unlike says which of its engines play nothing for this daemon, and why.
	Unlike []string `json:"unlike,omitempty"`
}
