package enginestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"sakusen/engines/plain"
)

// Build is how a program is made from a repository.
type Build struct {
	Repository string // an address or a folder
	Ref        string // a branch, a tag or a commit
	Command    string // of the shell, in a tree that has nothing else
	Output     string // the program that it makes, in that tree
	Compiler   string // command that prints the compiler's version; empty takes what the program says of it
	Time       time.Duration
}

var (
	refText    = plain.Pattern(`^[A-Za-z0-9_][A-Za-z0-9_./+-]{0,199}$`)
	shortHash  = plain.Pattern(`^[0-9a-f]{4,39}$`)
	outputText = plain.Pattern(`^[A-Za-z0-9_.][A-Za-z0-9_./+-]{0,199}$`)
)

// Check returns the first mistake.
func (b *Build) Check() error {
	switch {
	case b.Repository == "" || strings.HasPrefix(b.Repository, "-") || strings.Contains(b.Repository, "::"):
		return fmt.Errorf("--git: expected the address or the folder of a repository, got %q", b.Repository)
	case !refText().MatchString(b.Ref) || strings.Contains(b.Ref, ".."):
		return fmt.Errorf("--ref: expected a branch, a tag or a commit, got %q", b.Ref)
	case strings.TrimSpace(b.Command) == "":
		return errors.New("--command: expected a command of the shell that makes the program, got nothing")
	case !outputText().MatchString(b.Output) || !filepath.IsLocal(b.Output):
		return fmt.Errorf("--output: expected the file that the command makes, relative to the repository, got %q", b.Output)
	case b.Time <= 0:
		return fmt.Errorf("--time: expected a time, got %s", b.Time)
	}
	return nil
}

// Run makes the program in a tree of its own, and calls use with its path and what it was made
// from; the tree is deleted then. The commands' output is kept in a log, whose path is
// returned in any case.
func (s *Store) Run(ctx context.Context, name string, b *Build, use func(path string, o *Origin) error) (log string, err error) {
	if err := errors.Join(b.Check(), s.make("logs"), s.make("partial")); err != nil {
		return "", err
	}
	log = s.path("logs", fmt.Sprintf("%s-%s.log", name, time.Now().UTC().Format("20060102T150405.000")))
	out, err := os.OpenFile(log, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	defer out.Close()
	dir, err := os.MkdirTemp(s.path("partial"), "build-*")
	if err != nil {
		return log, err
	}
	defer s.clearAll(dir)
	ctx, cancel := context.WithTimeout(ctx, b.Time)
	defer cancel()
	r := &builder{ctx: ctx, dir: dir, tree: filepath.Join(dir, "tree"), log: &limitedLog{to: out, left: mostLog}}
	o, path, err := r.make(b)
	if err == nil {
		err = use(path, o)
	}
	if ctx.Err() == context.DeadlineExceeded {
		err = fmt.Errorf("it was not done within %s (--time)", b.Time)
	}
	return log, err
}

// builder runs the commands of a build.
type builder struct {
	ctx       context.Context
	dir, tree string
	log       io.Writer
}

func (r *builder) make(b *Build) (*Origin, string, error) {
	repository := b.Repository
	if info, err := os.Stat(repository); err == nil && info.IsDir() {
		if repository, err = filepath.Abs(repository); err != nil {
			return nil, "", err
		}
	}
	if err := os.MkdirAll(r.tree, 0o700); err != nil {
		return nil, "", err
	}
	ref := b.Ref
	if shortHash().MatchString(ref) { // which a fetch does not take; only a folder tells the whole one
		if whole, err := r.run("git", "-C", repository, "rev-parse", "--verify", "--quiet", ref+"^{commit}"); err == nil {
			ref = strings.TrimSpace(whole)
		}
	}
	for _, args := range [][]string{
		{"git", "init", "--quiet"},
		{"git", "remote", "add", "origin", repository}, // by which submodules are found
		{"git", "fetch", "--quiet", "--depth", "1", "--no-tags", "origin", ref},
		{"git", "-c", "advice.detachedHead=false", "checkout", "--quiet", "FETCH_HEAD"},
	} {
		if _, err := r.run(args...); err != nil {
			return nil, "", err
		}
	}
	commit, err := r.run("git", "rev-parse", "HEAD")
	if err != nil {
		return nil, "", err
	}
	if _, err := r.run("/bin/sh", "-c", b.Command); err != nil {
		return nil, "", err
	}
	path, err := filepath.EvalSymlinks(filepath.Join(r.tree, b.Output))
	if err != nil {
		return nil, "", fmt.Errorf("--output: the command has made no %s", b.Output)
	}
	if root, err := filepath.EvalSymlinks(r.tree); err != nil || !strings.HasPrefix(path, root+string(filepath.Separator)) {
		return nil, "", fmt.Errorf("--output: %s leads out of the repository", b.Output)
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, "", fmt.Errorf("--output: expected a regular file, got %s", b.Output)
	}
	compiler := compilerOf(path)
	if b.Compiler != "" {
		text, err := r.run("/bin/sh", "-c", b.Compiler)
		if err != nil {
			return nil, "", err
		}
		compiler, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	}
	return &Origin{b.Repository, b.Ref, strings.TrimSpace(commit), b.Command, b.Output, compiler}, path, nil
}

// toolchains are the folders of this user in which compilers are and keep what they have compiled:
// the variable, and where it is without one.
var toolchains = [...]struct {
	variable string
	parent   func() (string, error)
	name     string
}{{"GOCACHE", os.UserCacheDir, "go-build"}, {"RUSTUP_HOME", os.UserHomeDir, ".rustup"}}

// environment returns the variables of a command: those that find programs.
func (r *builder) environment() []string {
	all := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "TMPDIR=" + r.dir, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"GIT_ALLOW_PROTOCOL=file:git:http:https:ssh", "GOFLAGS=-buildvcs=false", "GOTOOLCHAIN=local",
	}
	for _, t := range toolchains {
		dir := os.Getenv(t.variable)
		if parent, err := t.parent(); dir == "" && err == nil {
			dir = filepath.Join(parent, t.name)
		}
		if dir != "" {
			all = append(all, t.variable+"="+dir)
		}
	}
	return all
}

// run runs a command in the tree, with no variables but those that find programs, and ends all
// that it has started.
func (r *builder) run(args ...string) (string, error) {
	fmt.Fprintf(r.log, "$ %s\n", strings.Join(args, " "))
	cmd := exec.CommandContext(r.ctx, args[0], args[1:]...)
	cmd.Dir = r.tree
	cmd.Env = r.environment()
	cmd.SysProcAttr = apart()
	cmd.Cancel = func() error { return endGroup(cmd.Process.Pid) }
	cmd.WaitDelay = 2 * time.Second
	var said strings.Builder
	var out, errs lastLine
	cmd.Stdout, cmd.Stderr = io.MultiWriter(r.log, &out, &limitedLog{to: &said, left: 4096}), io.MultiWriter(r.log, &errs)
	err := cmd.Run()
	if cmd.Process != nil {
		endGroup(cmd.Process.Pid)
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		if text := cmp.Or(errs.text(), out.text()); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return "", fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return said.String(), nil
}

// mostLog bounds what is kept of a build's output, bytes.
const mostLog = 4 << 20

// limitedLog keeps the beginning of what is written.
type limitedLog struct {
	mu   sync.Mutex
	to   io.Writer
	left int
}

func (l *limitedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(p), l.left)
	l.left -= n
	if _, err := l.to.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}

// lastLine keeps the end of what is written. It is safe for concurrent use.
type lastLine struct {
	mu  sync.Mutex
	end []byte
}

func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end = append(l.end, p...)
	l.end = l.end[max(0, len(l.end)-400):]
	return len(p), nil
}

// text returns the last line that is not empty, or the first in which git says what failed, for people.
func (l *lastLine) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.TrimSpace(string(l.end))
	if _, first, ok := strings.Cut("\n"+text, "\nfatal: "); ok {
		text, _, _ = strings.Cut(first, "\n")
	}
	return plain.Line(text[strings.LastIndexByte(text, '\n')+1:])
}
