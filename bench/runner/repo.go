package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
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
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		text := strings.TrimSpace(errs.String())
		if text == "" {
			text = strings.TrimSpace(out.String())
		}
		if text == "" || errors.Is(err, exec.ErrNotFound) {
			text = err.Error()
		}
		return "", fmt.Errorf("%s %s: %s", name, strings.Join(args[:min(2, len(args))], " "), text)
	}
	return strings.TrimRight(out.String(), "\n"), nil
}

// Root is the top folder of the working tree.
func (r Repo) Root(ctx context.Context) (string, error) {
	return r.git(ctx, "rev-parse", "--show-toplevel")
}

// Commit is the full hash that a name leads to.
func (r Repo) Commit(ctx context.Context, ref string) (string, error) {
	return r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
}

// shallow is a hint where a name leads nowhere because history was cut off.
func (r Repo) shallow(ctx context.Context) string {
	if text, err := r.git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && text == "true" {
		return " (the clone is shallow: git fetch --unshallow)"
	}
	return ""
}

// Branch is the current branch, "" where none is checked out.
func (r Repo) Branch(ctx context.Context) string {
	name, err := r.git(ctx, "symbolic-ref", "--short", "--quiet", "HEAD")
	if err != nil {
		return ""
	}
	return name
}

// Dirty tells whether files that git knows have changes.
func (r Repo) Dirty(ctx context.Context) (bool, error) {
	text, err := r.git(ctx, "status", "--porcelain", "--untracked-files=no")
	return text != "", err
}

// ancestors lists the fork point of two commits and the commits before it,
// nearest first, at most limit of them: where a baseline may come from.
func (r Repo) ancestors(ctx context.Context, head, branch string, limit int) ([]string, error) {
	fork, err := r.git(ctx, "merge-base", head, branch)
	if err != nil {
		return nil, fmt.Errorf("fork point of %.12s and %s: expected a common ancestor%s: %w", head, branch, r.shallow(ctx), err)
	}
	text, err := r.git(ctx, "rev-list", "--max-count", fmt.Sprint(limit), fork)
	if err != nil {
		return nil, err
	}
	return strings.Fields(text), nil
}

// lookBack bounds how far a baseline is looked for, in commits.
const lookBack = 500

// BaselineCommits lists where the baseline of HEAD may have been measured: the
// commit at which it left the branch and those before it, nearest first. On the
// branch itself they begin with HEAD's parent. A branch that is only known from
// the remote "origin" is taken from there.
func (r Repo) BaselineCommits(ctx context.Context, branch string) ([]string, error) {
	head, err := r.Commit(ctx, "HEAD")
	if err != nil {
		return nil, fmt.Errorf("HEAD: expected a commit in a git repository: %w", err)
	}
	if _, err := r.Commit(ctx, branch); err != nil {
		if _, err := r.Commit(ctx, "origin/"+branch); err != nil {
			return nil, fmt.Errorf("branch %s: expected a branch here or at origin%s", branch, r.shallow(ctx))
		}
		branch = "origin/" + branch
	}
	commits, err := r.ancestors(ctx, head, branch, lookBack)
	if err != nil {
		return nil, err
	}
	if len(commits) > 0 && commits[0] == head {
		commits = commits[1:]
	}
	return commits, nil
}

// GoVersion is the version of the go command in a folder, as its go.mod may
// choose it; "" where there is none.
func GoVersion(ctx context.Context, dir string) string {
	version, err := output(ctx, dir, "go", "env", "GOVERSION")
	if err != nil {
		return ""
	}
	return version
}

// Packages lists the import paths of the module, at least one.
func (r Repo) Packages(ctx context.Context) ([]string, error) {
	text, err := output(ctx, r.Dir, "go", "list", "./...")
	if err != nil {
		return nil, err
	}
	packages := strings.Fields(text)
	if len(packages) == 0 {
		return nil, errors.New("expected a module with packages, got none")
	}
	return packages, nil
}
