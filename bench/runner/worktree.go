package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// tree is a folder in which one side's module lies.
type tree struct {
	dir    string // of the module
	commit string // "" for the working tree as it is
	remove func() error
}

// checkout makes a worktree of a commit below temp and finds the folder of dir
// in it. An empty ref is the working tree as it is.
func checkout(ctx context.Context, dir, ref, temp, name string) (*tree, error) {
	if ref == "" {
		if dir == "" {
			dir = "."
		}
		whole, err := filepath.Abs(dir)
		return &tree{dir: whole, remove: func() error { return nil }}, err
	}
	repo := Repo{Dir: dir}
	root, err := repo.Root(ctx)
	if err != nil {
		return nil, err
	}
	commit, err := repo.resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	inside, err := below(root, dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(temp, name)
	remove := func() error {
		// The context may have ended; what was made is removed all the same.
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer stop()
		_, err := repo.git(ctx, "worktree", "remove", "--force", path)
		return err
	}
	// The repository's hooks are not for a copy that is measured and thrown away.
	if _, err := repo.git(ctx, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--detach", "--quiet", path, commit); err != nil {
		_ = remove() // what there is of it; most often nothing
		return nil, err
	}
	t := &tree{dir: filepath.Join(path, inside), commit: commit, remove: remove}
	if _, err := os.Stat(t.dir); err != nil {
		return nil, errors.Join(fmt.Errorf("%s has no folder %s", ref, inside), remove())
	}
	return t, nil
}

// resolve is the commit that the user's name for one side means.
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

// below is the path of dir inside root, symbolic links resolved.
func below(root, dir string) (string, error) {
	if dir == "" {
		dir = "."
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if whole, err = filepath.EvalSymlinks(whole); err != nil {
		return "", err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", err
	}
	return filepath.Rel(root, whole)
}
