package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Repo is a git repository seen from a folder in it.
type Repo struct {
	Dir string // "" is the current folder
}

// git runs git and returns what it printed, without the last line end.
func (r Repo) git(ctx context.Context, args ...string) (string, error) {
	return output(ctx, r.Dir, "git", args...)
}

// patience is how long a command may clean up after it was interrupted: git and go remove
// what they began.
const patience = 5 * time.Second

// output runs a command and returns its standard output, trimmed; an error
// holds its standard error. When the context is over the command is interrupted.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	return outputWith(ctx, nil, dir, name, args...)
}

// outputWith does what output does, with variables of the environment, as NAME=VALUE.
func outputWith(ctx context.Context, env []string, dir, name string, args ...string) (string, error) {
	cmd := command(ctx, env, dir, name, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", said(cmd, err, out.String(), errs.String())
	}
	return strings.TrimRight(out.String(), "\n"), nil
}

// command returns a command that is interrupted when the context is over.
func command(ctx context.Context, env []string, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if name == "git" { // in a hook, its variables lead to other places than the folder
		cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
			name, _, _ := strings.Cut(variable, "=")
			return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"}, name)
		})
		cmd.Env = append(plain(cmd.Env), env...)
	} else if len(env) > 0 {
		cmd.Env = append(cmd.Environ(), env...)
	}
	if name == "go" && strings.Contains(os.Getenv("GOFLAGS"), "-json") { // which is for go test's own output
		all := cmd.Environ()
		at := slices.IndexFunc(all, func(variable string) bool { return strings.HasPrefix(variable, "GOFLAGS=") })
		words := slices.DeleteFunc(strings.Fields(strings.TrimPrefix(all[at], "GOFLAGS=")), func(word string) bool {
			return strings.TrimLeft(word, "-") == "json" || strings.HasPrefix(word, "-json=")
		})
		cmd.Env = append(cmd.Environ(), "GOFLAGS="+strings.Join(words, " "))
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	return cmd
}

// plain adds settings of git to an environment, behind those that are there: of a user's own
// settings those that change the form of what git prints do not count.
func plain(env []string) []string {
	n := 0
	for _, variable := range env {
		if value, ok := strings.CutPrefix(variable, "GIT_CONFIG_COUNT="); ok {
			n, _ = strconv.Atoi(value)
		}
	}
	for _, key := range []string{"color.ui", "color.grep", "color.diff", "color.status", "grep.lineNumber", "grep.column", "grep.fullName", "log.showSignature", "submodule.recurse", "diff.relative"} {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=false", n))
		n++
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n))
}

// said returns the error of a command that failed, with what it wrote of that.
func said(cmd *exec.Cmd, err error, out, errs string) error {
	text := strings.TrimSpace(errs)
	if errors.Is(err, exec.ErrWaitDelay) {
		text = "it ended, but a program that it started still runs and holds its output open"
	}
	if text == "" {
		text = strings.TrimSpace(out + "\n" + err.Error())
	}
	if errors.Is(err, exec.ErrNotFound) {
		text = err.Error()
	}
	return fmt.Errorf("%s: %s", strings.Join(cmd.Args[:min(3, len(cmd.Args))], " "), text)
}

// Root returns the top folder of the working tree.
func (r Repo) Root(ctx context.Context) (string, error) {
	return r.git(ctx, "rev-parse", "--show-toplevel")
}

// Commit returns the full hash that a name leads to.
func (r Repo) Commit(ctx context.Context, ref string) (string, error) {
	return r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
}

// shallow returns a hint where a name leads nowhere because history was cut off.
func (r Repo) shallow(ctx context.Context) string {
	if text, err := r.git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && text == "true" {
		return " (the clone is shallow: git fetch --unshallow)"
	}
	return ""
}

// Branch returns the current branch, "" where none is checked out.
func (r Repo) Branch(ctx context.Context) string {
	name, err := r.git(ctx, "symbolic-ref", "--short", "--quiet", "HEAD")
	if err != nil {
		return ""
	}
	return name
}

// Dirty reports whether files that git knows have changes.
func (r Repo) Dirty(ctx context.Context) (bool, error) {
	text, err := r.git(ctx, "status", "--porcelain", "--ignore-submodules=untracked", "--untracked-files=no")
	return text != "", err
}

// GoVersion returns the version of the go command in a folder, as its go.mod may
// choose it; "" where there is none.
func GoVersion(ctx context.Context, dir string) string {
	version, err := output(ctx, dir, "go", "env", "GOVERSION")
	if err != nil {
		return ""
	}
	return version
}

// packages lists the import paths of the module, or of the workspace, that have tests.
func (r Repo) packages(ctx context.Context) ([]string, error) {
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return nil, err
	}
	text, err := (&tree{dir: dir}).list(ctx, []string{"./..."}, true)
	if err != nil {
		return nil, err
	}
	var packages []string
	for line := range strings.Lines(text) {
		pkg, _, _ := strings.Cut(line, "\t")
		packages = append(packages, pkg)
	}
	if len(packages) == 0 {
		if _, err := (&tree{dir: dir}).list(ctx, []string{"./..."}, false); err != nil {
			return nil, err // such as that there is no go.mod
		}
		return nil, fmt.Errorf("expected a module with tests, got none%s", nestedHint(dir, "./..."))
	}
	return packages, nil
}

// resolve returns the commit that the user's name for one side means.
func (r Repo) resolve(ctx context.Context, ref string) (string, error) {
	if _, err := r.Root(ctx); err != nil {
		return "", fmt.Errorf("%s: expected a commit in a git repository: %w", ref, err)
	}
	commit, err := r.Commit(ctx, ref)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: expected a commit, a branch or a tag%s", ref, r.shallow(ctx))
	}
	return commit, err
}

// Past is what a commit of a range measured.
type Past struct {
	Commit string
	Dated  time.Time // when it was committed
	Text   string    // benchmark text
}

// Fill measures commits of a range A..B beside each other, to make a history of commits
// that were not recorded: A, B and others evenly spread, at most steps in all. A commit that does not build is left out, which is said. The oldest comes
// first.
func Fill(ctx context.Context, o Options, between string, steps int) (past []Past, err error) {
	repo := Repo{Dir: o.Dir}
	first, commits, err := repo.forkRange(ctx, between, o.BaseTip)
	if err != nil {
		return nil, err
	}
	l, err := newLineup(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if first.Branch {
		l.o.Say("the range begins with %s", first)
	}
	var versions []*version
	for _, commit := range spread(append([]string{first.Commit}, commits...), steps) {
		v, err := l.build(ctx, commit)
		if errors.Is(err, errBuild) {
			l.o.Say("left out: %v", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		dated, err := repo.dated(ctx, commit)
		if err != nil {
			return nil, err
		}
		versions = append(versions, v)
		past = append(past, Past{Commit: commit, Dated: dated})
	}
	if len(versions) == 0 {
		return nil, fmt.Errorf("%w: no commit of %s builds and has benchmarks", ErrNothing, between)
	}
	return past, l.Measure(ctx, versions, func(_ int, texts []string) (bool, error) {
		for i := range past {
			past[i].Text = texts[i]
		}
		return false, nil
	})
}

// spread picks n of the list, with its ends, as evenly as can be.
func spread(list []string, n int) []string {
	if n >= len(list) {
		return list
	}
	picked := make([]string, n)
	for i := range picked {
		picked[i] = list[(i*(len(list)-1)+(n-1)/2)/(n-1)]
	}
	return picked
}

// dated returns when a commit was made.
func (r Repo) dated(ctx context.Context, commit string) (time.Time, error) {
	text, err := r.git(ctx, "log", "-1", "--format=%ct", commit)
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}
