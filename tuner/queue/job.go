package queue

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Subjects at the server. A worker may publish its results and hellos, and hear what is in its
// inbox: nothing else, and nothing of others.
const (
	doneRoot  = "sakusen.done."   // and the worker: results
	helloRoot = "sakusen.hello."  // and the worker
	fetchRoot = "sakusen.fetch."  // and the worker: what it asks for of an engine that travels
	inboxRoot = "_INBOX_SAKUSEN_" // and the worker: answers, and below jobsOf its jobs
)

// jobsOf returns the subject of the jobs of a worker's session.
func jobsOf(worker, session string) string { return inboxRoot + worker + ".jobs." + session }

// mostBlocks bounds a job.
const mostBlocks = 512

// job is blocks to be played.
type job struct {
	ID string `json:"id"` // of this attempt
	// Off says that the result of this job is not waited for any more; nothing else is set.
	Off        bool         `json:"off,omitempty"`
	Game       string       `json:"game"`
	Rules      param.Values `json:"rules"`
	RulesHash  string       `json:"rules_hash"`
	Signatures string       `json:"signatures"` // of the entrants' strategies under these rules
	Entrants   []player     `json:"entrants"`
	// Programs are those of other people that play, as the daemon has them.
	Programs []arena.Program `json:"programs,omitempty"`
	Seed     uint64          `json:"seed"`
	Phase    arena.Phase     `json:"phase"`
	From     int64           `json:"from"`
	Blocks   int             `json:"blocks"`
	// Clock is set where the games are played by a clock.
	Clock *clockTerms `json:"clock,omitempty"`
}

// player is an entrant of a job.
type player struct {
	Strategy string       `json:"strategy"`
	Params   param.Values `json:"params"`
	Hash     string       `json:"hash"`
}

// jobResult is the answer to a job.
type jobResult struct {
	ID string `json:"id"`
	// Run holds the played blocks; nil if Error says why none were played.
	Run   *arena.Run `json:"run,omitempty"`
	Error string     `json:"error,omitempty"`
	// Speeds are those of the engines of a job by the clock on this machine.
	Speeds arena.Speeds `json:"speeds,omitempty"`
}

// strategyNames returns the strategies of a series.
func strategyNames(entrants []arena.Entrant) []string {
	names := make([]string, len(entrants))
	for i, e := range entrants {
		names[i] = e.Strategy
	}
	return names
}

// newJob makes the job of a chunk.
func newJob(ctx context.Context, s *arena.Series, from int64, n int) (*job, error) {
	needs, err := s.Needs()
	if err == nil && needs.Recorded != "" && !needs.Timed {
		err = fmt.Errorf("%w: %s", arena.ErrHereOnly, needs.Recorded)
	}
	if err != nil {
		return nil, err
	}
	signatures, err := s.Ruleset.Signatures(ctx, strategyNames(s.Entrants)...)
	if err != nil {
		return nil, err
	}
	j := &job{
		Game: s.Ruleset.Game.Name, Rules: s.Ruleset.Rules, RulesHash: s.Ruleset.Hash(), Signatures: signatures,
		Seed: s.Seed, Phase: s.Phase, From: from, Blocks: n, Programs: needs.Programs,
	}
	if needs.Timed {
		j.Clock = &clockTerms{Reference: s.Reference, Threads: needs.Threads, Memory: needs.Memory}
	}
	for _, e := range s.Entrants {
		j.Entrants = append(j.Entrants, player{e.Strategy, e.Params, e.Hash()})
	}
	return j, nil
}

// series returns what a job asks for, with the games of this program. What differs here from
// the program that asks is an error. scale is the factor of the clocks.
func (j *job) series(ctx context.Context, games arena.Catalogue, scale float64) (arena.Series, error) {
	s := arena.Series{Noted: j.Clock != nil, Scale: scale, Seed: j.Seed, Phase: j.Phase, From: j.From, To: j.From + int64(j.Blocks)}
	if j.Blocks < 1 || j.Blocks > mostBlocks {
		return s, fmt.Errorf("expected a job of 1 to %d blocks, got %d", mostBlocks, j.Blocks)
	}
	game, err := games.Game(j.Game)
	if err != nil {
		return s, err
	}
	if s.Ruleset, err = game.OpenRules(j.Rules); err != nil {
		return s, err
	}
	if s.Ruleset.Hash() != j.RulesHash {
		return s, errors.New("the rules differ from those of the daemon")
	}
	for _, p := range j.Entrants {
		e, err := s.Ruleset.NewEntrant(p.Strategy, p.Strategy, p.Params)
		if err != nil {
			return s, err
		}
		if e.Hash() != p.Hash {
			return s, fmt.Errorf("the parameters of %s differ from those of the daemon", p.Strategy)
		}
		s.Entrants = append(s.Entrants, e)
	}
	s.Entrants = arena.Distinct(s.Entrants)
	if err := s.Check(); err != nil {
		return s, err
	}
	got, err := s.Ruleset.Signatures(ctx, strategyNames(s.Entrants)...)
	if err != nil {
		return s, err
	}
	if got != j.Signatures {
		return s, fmt.Errorf("%s is played differently: expected signatures %s, got %s", j.Game, j.Signatures, got)
	}
	return s, nil
}

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
const protocol = 3

// NewBuild returns this program's. The signatures of its strategies are compared job by job,
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

// ownHash returns the SHA-256 of this program's file; a text of its own, which no other has,
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

// Differences lists how another program differs, in words; none where it plays alike.
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

// brief returns a hash with the digits that tell it from others.
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

// hello is what a worker says of itself every few seconds.
type hello struct {
	Build
	Session string   `json:"session"` // chosen when the process starts
	Cores   int      `json:"cores"`   // games that it plays at a time
	Holds   []string `json:"holds"`   // jobs that it is playing or delivering
	Waits   []string `json:"waits"`   // jobs that it has not begun with
	Games   int64    `json:"games"`   // played since it started
	Leaving bool     `json:"leaving"` // it fetches nothing more
	// Slots are the games by a clock that it plays at a time, and Speeds those of its
	// engines as they were measured, nodes a second.
	Slots  int          `json:"slots,omitempty"`
	Speeds arena.Speeds `json:"speeds,omitempty"`
	// Engines are the programs of other people that it has, by name, and Lacks says why
	// it does not offer others that are registered.
	Engines []arena.Program `json:"engines,omitempty"`
	Lacks   []string        `json:"lacks,omitempty"`
	OS      string          `json:"os,omitempty"` // GOOS
}

// helloAnswer is what the daemon says to a Hello.
type helloAnswer struct {
	// Refused says why the worker gets no work, empty where it does.
	Refused string `json:"refused,omitempty"`
	// Differs lists the differences of another build.
	Differs []string `json:"differs,omitempty"`
	// Again: the reason may pass, as when a worker of that name is there already.
	Again bool `json:"again,omitempty"`
	// Off are the jobs that it has and that are not waited for any more.
	Off []string `json:"off,omitempty"`
	// Comparing: the worker's engines are being compared, and it gets work after that.
	Comparing bool `json:"comparing,omitempty"`
	// Try asks the worker whether the server lets it speak in another's name; it plays
	// nothing over one that does.
	Try bool `json:"try,omitempty"`
	// Unlike says which of its engines play nothing for this daemon, and why.
	Unlike []string `json:"unlike,omitempty"`
	// Wanted are engines of the daemon's store that games would be played with here.
	Wanted []wantedEngine `json:"wanted,omitempty"`
}

// times are those of a queue or of a worker.
type times struct {
	answer  time.Duration // for the daemon's answer to a result, which it may play again first
	arrive  time.Duration // for a job to reach its worker: one that it does not name later is lost
	greet   time.Duration // between two hellos of a worker
	silence time.Duration // without a hello, after which a worker is gone
	server  time.Duration // for the server's answers
	login   time.Duration // for a connection to say who it is
	retry   time.Duration // before the second attempt at something; later ones wait longer
	measure time.Duration // for which an engine's speed is measured
	again   time.Duration // between two measurements
}

// usualTimes are the times of all but tests.
var usualTimes = times{
	answer: 30 * time.Second, arrive: 10 * time.Second, greet: 3 * time.Second, silence: 10 * time.Second,
	server: 5 * time.Second, login: 5 * time.Second, retry: time.Second,
	measure: arena.SpeedSpan, again: arena.SpeedAge,
}

// pingEvery is how often both sides ask whether a connection is alive; after the third question
// without an answer it is not. NATS's own 2 minutes leave a worker behind a dead line for six.
const pingEvery = 15 * time.Second

// backOff returns the pause before the n-th further attempt, from 1: retry, doubled up to 60
// times of it, between half of that and all of it by chance, so that many do not come at once.
func (t times) backOff(n int) time.Duration {
	d := min(t.retry<<min(max(n-1, 0), 6), 60*t.retry)
	return d/2 + mathrand.N(d/2+1)
}

// mostEngines bounds the engines that a worker may name, and mostWords the bytes of a reason.
const mostEngines, mostWords = 100, 200

// Engines are the programs of other people that a machine may run.
type Engines interface {
	Names() []string
	// Program is one of them, an error where it cannot be started or where its games cannot
	// be played again.
	Program(name string) (arena.Program, error)
	// Speed measures how many nodes a second an engine searches in so many processes at
	// once, for so long; the median of the processes, and how far the slowest and the
	// fastest lie apart as a share of it.
	Speed(ctx context.Context, name string, processes int, span time.Duration) (nodes, spread float64, err error)
}

// bounded reports whether what a worker says of itself has the size that it may have.
func (h *hello) bounded() bool {
	ok := h.Cores >= 1 && h.Cores <= mostCores && h.Slots >= 0 && h.Slots <= h.Cores && len(h.Speeds) <= mostEngines && workerName.MatchString(h.Session) && len(h.OS) <= 20 && len(h.Engines) <= mostEngines && len(h.Lacks) <= mostEngines
	for _, p := range h.Engines {
		ok = ok && len(p.Name) <= mostWords && len(p.Identity) <= mostWords && len(p.Way) <= mostWords && len(p.Package) <= mostWords
	}
	for _, why := range h.Lacks {
		ok = ok && len(why) <= mostWords+4
	}
	return ok
}

// ErrRefused says that the daemon gives this worker no work.
var ErrRefused = errors.New("the daemon refuses this worker")

// explain describes in words of this program what the connection's error means.
func explain(err error, name string) error {
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthRevoked):
		return fmt.Errorf("it does not know the key of %s (sakusen worker list on its machine says who may connect; after worker add it needs a SIGHUP)", name)
	case errors.Is(err, nats.ErrNoServers):
		return errors.New("there is no answer")
	}
	return err
}

// refusal returns an error that says that the daemon gives no work, with what differs on a line each.
func refusal(a helloAnswer) error {
	text := a.Refused
	if len(a.Differs) > 0 {
		text = "it is another build of the program:\n  " + strings.Join(a.Differs, "\n  ") + "\nBuild the same commit with the same Go on both machines"
	}
	return fmt.Errorf("%w: %s", ErrRefused, text)
}
