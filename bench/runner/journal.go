package runner

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// journal keeps the rounds of a measurement that is under way in a file of the
// repository's git folder, so that the same command goes on where it was
// interrupted. The name of the file says what is measured: the binaries of all
// sides and what they are asked to do. A nil journal keeps nothing.
type journal struct {
	path string
	file *os.File
	done map[int]*keptRound
}

// keptRound is a line of the file: all samples of a round, -1 for the warm-up.
type keptRound struct {
	Round   int          `json:"round"`
	Samples []keptSample `json:"samples"`
	Plans   []keptPlan   `json:"plans,omitempty"` // of the warm-up
}

// keptPlan is what the warm-up found out about a job.
type keptPlan struct {
	Pkg     string             `json:"pkg"`
	Job     string             `json:"benchmark"`
	CPU     string             `json:"cpu"`
	Parts   []part             `json:"parts"`
	Took    time.Duration      `json:"took"`
	Seconds map[string]float64 `json:"seconds"` // of an iteration, by the name of the leaf
}

type keptSample struct {
	Pkg  string `json:"pkg"`
	Job  string `json:"benchmark"`
	CPU  string `json:"cpu"`
	Side string `json:"side"`
	Text string `json:"text"`
}

// journalAge is how long the rounds of an interrupted measurement are kept.
const journalAge = 14 * 24 * time.Hour

// openJournal finds the rounds that an interrupted measurement of the same jobs has left.
// It is nil if the module is not in a repository, since there is no place to keep them.
func openJournal(ctx context.Context, o *Options, jobs []*job) (*journal, error) {
	dir, err := o.keeping(ctx)
	if err != nil {
		return nil, ctx.Err()
	}
	h := sha256.New()
	fmt.Fprintf(h, "2\n%q %q %q %d %d %q\n", o.Bench, o.BenchTime, o.CPU, o.Seed, runtime.GOMAXPROCS(0), o.Args)
	fmt.Fprintf(h, "%q %q\n", o.Prepare, lasting(os.Environ()))
	seen := map[*tree]bool{}
	for _, j := range jobs {
		for k, s := range j.sides {
			fmt.Fprintf(h, "%q %q %q %q %s\n", j.on[k].pkg, j.name, j.cpu, s.name, j.on[k].sum)
			if t := j.on[k].tree; !seen[t] {
				seen[t] = true
				if err := t.state(ctx, h); err != nil {
					return nil, err
				}
			}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil // measuring needs no write access to the repository
	}
	forget(dir)
	j := &journal{path: filepath.Join(dir, hex.EncodeToString(h.Sum(nil)[:12])+".jsonl"), done: map[int]*keptRound{}}
	whole, err := j.read()
	if err != nil {
		return nil, err
	}
	if j.file, err = os.OpenFile(j.path, os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, nil
	}
	// A line that was cut off when the program was killed is written anew.
	_, err = j.file.Seek(whole, 0)
	return j, errors.Join(j.file.Truncate(whole), err)
}

// lasting returns the variables that are the same from one run of a command to the next, sorted.
func lasting(env []string) []string {
	env = slices.DeleteFunc(env, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return passing.MatchString(name)
	})
	slices.Sort(env)
	return env
}

// passing matches variables of a shell, a terminal, a session or a job of a build server.
var passing = regexp.MustCompile(`^(?:_|PWD|OLDPWD|SHLVL|LINES|COLUMNS|TERM.*|COLORTERM|WINDOWID|TMUX.*|STY|SSH_.*|DISPLAY|XAUTHORITY|XDG_.*|DBUS_.*|.*SESSION.*|INVOCATION_ID|JOURNAL_STREAM|GPG_TTY|VSCODE_.*|GITHUB_.*|RUNNER_.*|ACTIONS_.*|CI_.*|BUILD_.*|TMPDIR)$`)

// mostRead is the size of all files besides commits that are read to know a tree's state; of others
// the time of the last change counts.
const mostRead = 256 << 20

// state digests what a tree holds: its commit, what differs from that, and files that git does not
// have, without those to which this program prints and those for temporary files.
func (t *tree) state(ctx context.Context, h io.Writer) error {
	repo := Repo{Dir: t.dir}
	root, err := repo.Root(ctx)
	if err != nil {
		return err
	}
	top := Repo{Dir: root}
	commit, err := top.Commit(ctx, "HEAD")
	if err != nil {
		return err
	}
	changes, err := top.git(ctx, "diff", "HEAD", "--no-ext-diff", "--no-textconv", "--binary", "--submodule=diff", "--ignore-submodules=none", "--", ":!*go.mod", ":!*go.work")
	if err != nil {
		return err
	}
	others, err := top.git(ctx, "ls-files", "--others", "-z")
	if err != nil {
		return err
	}
	fmt.Fprintln(h, commit, changes)
	out, _ := os.Stdout.Stat()
	errs, _ := os.Stderr.Stat()
	temporary, err := below(root, os.TempDir())
	if err != nil {
		return err
	}
	left := int64(mostRead)
	for name := range strings.SplitSeq(others, "\x00") {
		path := filepath.Join(root, filepath.FromSlash(name))
		info, err := os.Lstat(path)
		if name == "" || err != nil || os.SameFile(info, out) || os.SameFile(info, errs) || filepath.IsLocal(temporary) && strings.HasPrefix(filepath.FromSlash(name), temporary+string(filepath.Separator)) {
			continue
		}
		fmt.Fprintf(h, "%q %v %d\n", name, info.Mode(), info.Size())
		if !info.Mode().IsRegular() {
			continue
		}
		if left -= info.Size(); left < 0 {
			fmt.Fprintln(h, info.ModTime())
			continue
		}
		if err := digest(h, path); err != nil {
			return err
		}
	}
	return nil
}

// digest adds what a file holds.
func digest(h io.Writer, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // a repository of its own, or what nothing reads
	}
	f, err := os.Open(path)
	if err != nil {
		return nil // what cannot be read no benchmark reads
	}
	_, err = io.Copy(h, f)
	return errors.Join(err, f.Close())
}

// keeping returns the folder of what interrupted measurements leave.
func (o *Options) keeping(ctx context.Context) (string, error) {
	return Repo{Dir: o.Dir}.git(ctx, "rev-parse", "--path-format=absolute", "--git-path", "sakusen-bench")
}

// read takes the rounds in their order, and tells where the last whole one ends.
func (j *journal) read() (whole int64, err error) {
	text, err := os.ReadFile(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	lines := bufio.NewReader(bytes.NewReader(text))
	for next := -1; ; next++ {
		line, err := lines.ReadBytes('\n')
		r := &keptRound{}
		if err != nil || json.Unmarshal(line, r) != nil || r.Round != next {
			return whole, nil
		}
		j.done[r.Round] = r
		whole += int64(len(line))
	}
}

// round returns a round that was measured before the interrupt, nil if there is none.
func (j *journal) round(round int) *keptRound {
	if j == nil {
		return nil
	}
	return j.done[round]
}

// any reports whether something is kept.
func (j *journal) any() bool { return j != nil && len(j.done) > 0 }

// text returns a sample of the round.
func (r *keptRound) text(j *job, k int) (string, bool) {
	if r == nil {
		return "", false
	}
	for _, s := range r.Samples {
		if s.Pkg == j.on[k].pkg && s.Job == j.name && s.CPU == j.cpu && s.Side == j.sides[k].name {
			return s.Text, true
		}
	}
	return "", false
}

// has reports whether a sample of the job is in the round.
func (r *keptRound) has(j *job) bool {
	for k := range j.sides {
		if _, there := r.text(j, k); there {
			return true
		}
	}
	return false
}

// kept returns what is kept of the warm-up.
func (j *job) kept() keptPlan {
	p := keptPlan{j.on[0].pkg, j.name, j.cpu, j.parts, j.took, map[string]float64{}}
	for _, l := range j.leaves {
		p.Seconds[l.name] = l.seconds
	}
	return p
}

// resume takes the job's warm-up from the journal, if it is there whole.
func (j *job) resume(before *keptRound, o *Options) (there bool, err error) {
	if before == nil {
		return false, nil
	}
	at := slices.IndexFunc(before.Plans, func(p keptPlan) bool { return p.Pkg == j.on[0].pkg && p.Job == j.name && p.CPU == j.cpu })
	if at < 0 {
		return false, nil
	}
	for k, s := range j.sides {
		text, there := before.text(j, k)
		if !there && s.name != noiseSide {
			return false, nil
		}
		if err := j.look(&printed{text: text}, k, o); err != nil {
			return false, err
		}
	}
	p := before.Plans[at]
	j.twins()
	j.parts, j.took = p.Parts, p.Took
	for _, l := range j.leaves {
		l.seconds = p.Seconds[l.name]
	}
	return true, nil
}

// write keeps a round.
func (j *journal) write(r *keptRound) error {
	if j == nil {
		return nil
	}
	line, err := json.Marshal(r)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err == nil {
		j.done[r.Round] = r
	}
	return err
}

// end closes the file, and removes it unless a later command is to continue from it.
func (j *journal) end(keep bool) error {
	if j == nil {
		return nil
	}
	err := j.file.Close()
	if !keep {
		if gone := os.Remove(j.path); !errors.Is(gone, fs.ErrNotExist) { // the same command may run twice at once
			err = errors.Join(err, gone)
		}
		_ = os.Remove(filepath.Dir(j.path)) // unless others are kept in it
	}
	return err
}

// leftover finds the temporary folder of a run in the path of a worktree, and its process.
var leftover = regexp.MustCompile(`^worktree (.*[/\\]sakusen-bench-(\d+)-\d+)[/\\]`)

// temporary makes a folder for a run, and removes those of runs that were killed an hour ago or more, with
// the worktrees in them.
func (r Repo) temporary(ctx context.Context) (string, error) {
	list, _ := r.git(ctx, "worktree", "list", "--porcelain") // none outside of a repository
	for line := range strings.Lines(list) {
		m := leftover.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		pid, _ := strconv.Atoi(m[2])
		p, err := os.FindProcess(pid)
		alive := err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
		if info, err := os.Stat(m[1]); err == nil && !alive && time.Since(info.ModTime()) > time.Hour {
			_ = os.RemoveAll(m[1])
			_, _ = r.git(ctx, "worktree", "prune")
		}
	}
	return os.MkdirTemp("", fmt.Sprintf("sakusen-bench-%d-", os.Getpid()))
}

// forget removes old remains of interrupted measurements that were not resumed.
func forget(dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > journalAge {
			_ = os.Remove(file)
		}
	}
}
