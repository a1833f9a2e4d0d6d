package runner

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Fork is the commit that a change is compared with, and how it was found.
type Fork struct {
	Commit string // full hash
	Name   string // as it was given, or "origin/NAME" where the branch is known from there alone
	Branch bool   // Name is that of a branch
	Tip    bool   // Commit is the branch's last one
	Ahead  int    // commits that the branch has made since the other one left it
	Cut    string // a hint, where the history that was looked through ends because the clone is shallow
}

// String reports for people which commit it is.
func (f Fork) String() string {
	switch {
	case !f.Branch:
		return fmt.Sprintf("%.10s (%s)", f.Commit, f.Name)
	case f.Tip:
		return fmt.Sprintf("%.10s, the tip of %s", f.Commit, f.Name)
	}
	return fmt.Sprintf("%.10s, where this branch left %s, which has gone on by %s since (--base-tip takes its tip)", f.Commit, f.Name, commits(f.Ahead))
}

func commits(n int) string {
	if n == 1 {
		return "1 commit"
	}
	return fmt.Sprintf("%d commits", n)
}

// Fork returns the commit that a name means as the base of a change whose last commit is head,
// "" for HEAD. For a branch this is the commit at which the change left it, or its tip if tip
// is set; for anything else it is the commit itself.
func (r Repo) Fork(ctx context.Context, name, head string, tip bool) (Fork, error) {
	f := Fork{Name: name}
	if head == "" {
		head = "HEAD"
	}
	var err error
	if r.twoMeanings(ctx, name) {
		return f, fmt.Errorf("%s: expected one commit, got a branch and a tag of that name: heads/%s or tags/%s tells which", name, name, name)
	}
	if f.Name, f.Branch = r.branch(ctx, name); !f.Branch {
		f.Commit, err = r.resolve(ctx, name)
		return f, err
	}
	last, err := r.resolve(ctx, f.Name)
	if err != nil {
		return f, err
	}
	if f.Commit, f.Tip = last, true; tip {
		return f, nil
	}
	if upstream, err := r.Commit(ctx, "refs/remotes/origin/"+f.Name); err == nil && upstream != last {
		// A branch here that is behind may lack commits that the change has.
		if _, err := r.git(ctx, "merge-base", "--is-ancestor", last, upstream); err == nil {
			f.Name, last = "origin/"+f.Name, upstream
		}
	}
	if head, err = r.resolve(ctx, head); err != nil {
		return f, err
	}
	if f.Commit, err = r.git(ctx, "merge-base", head, last); err != nil {
		if ctx.Err() != nil {
			return f, ctx.Err()
		}
		return f, fmt.Errorf("%s: expected a branch with an ancestor in common with %.12s%s; --base-tip takes its tip", name, head, r.shallow(ctx))
	}
	if f.Tip = f.Commit == last; !f.Tip {
		count, err := r.git(ctx, "rev-list", "--count", f.Commit+".."+last)
		if err != nil {
			return f, err
		}
		if f.Ahead, err = strconv.Atoi(count); err != nil {
			return f, fmt.Errorf("git rev-list --count: %w", err)
		}
	}
	return f, nil
}

// branch reports whether a name is that of a branch, here, at a remote or just fetched. A
// name that leads nowhere here is looked for at the remote "origin", which is where a build
// server has it.
func (r Repo) branch(ctx context.Context, name string) (found string, ok bool) {
	if name == "HEAD" || name == "@" {
		return name, false
	}
	if name == "FETCH_HEAD" {
		_, err := r.Commit(ctx, name)
		return name, err == nil
	}
	for _, n := range []string{name, "origin/" + name} {
		whole, err := r.git(ctx, "rev-parse", "--symbolic-full-name", "--verify", "--quiet", "--end-of-options", n)
		if err == nil {
			return n, strings.HasPrefix(whole, "refs/heads/") || strings.HasPrefix(whole, "refs/remotes/")
		}
	}
	return name, false
}

// twoMeanings reports whether a branch and a tag have a name and lead to different commits,
// of which git would take the tag.
func (r Repo) twoMeanings(ctx context.Context, name string) bool {
	head, err := r.Commit(ctx, "refs/heads/"+name)
	if err != nil {
		return false
	}
	tag, err := r.Commit(ctx, "refs/tags/"+name)
	return err == nil && head != tag
}

// lookBack bounds how far a baseline is looked for, in commits.
const lookBack = 500

// BaselineCommits lists where the baseline of HEAD may have been measured: the commit at which
// it left the branch, or its tip, and those before it, nearest first. On the branch itself they
// begin with HEAD's parent.
func (r Repo) BaselineCommits(ctx context.Context, branch string, tip bool) (Fork, []string, error) {
	head, err := r.Commit(ctx, "HEAD")
	if err != nil {
		return Fork{}, nil, fmt.Errorf("HEAD: expected a commit in a git repository: %w", err)
	}
	f, err := r.Fork(ctx, branch, head, tip)
	if err != nil || !f.Branch {
		if ctx.Err() == nil && !f.Branch {
			err = fmt.Errorf("branch %s: expected a branch here or at origin%s; --branch and the setting bench.baseline_branch name another", branch, r.shallow(ctx))
		}
		return f, nil, err
	}
	text, err := r.git(ctx, "rev-list", "--max-count", fmt.Sprint(lookBack), f.Commit)
	if err != nil {
		return f, nil, err
	}
	list := strings.Fields(text)
	if len(list) < lookBack {
		f.Cut = r.shallow(ctx)
	}
	if len(list) > 0 && list[0] == head {
		list = list[1:]
	}
	return f, list, nil
}

// forkRange lists the commits of a range GOOD..BAD, oldest first, without GOOD: those of the first
// parents, which a branch went through. A branch as GOOD means the commit at which BAD left it,
// or its tip.
func (r Repo) forkRange(ctx context.Context, text string, tip bool) (good Fork, commits []string, err error) {
	from, to, ok := strings.Cut(text, "..")
	if !ok || from == "" || strings.HasPrefix(to, ".") {
		return good, nil, fmt.Errorf("expected a range of commits such as v1.2.0..HEAD, got %q", text)
	}
	if to == "" {
		to = "HEAD"
	}
	to, _ = r.branch(ctx, to)
	bad, err := r.resolve(ctx, to)
	if err != nil {
		return good, nil, err
	}
	if good, err = r.Fork(ctx, from, bad, tip); err != nil {
		return good, nil, err
	}
	if _, err := r.git(ctx, "merge-base", "--is-ancestor", good.Commit, bad); err != nil {
		return good, nil, fmt.Errorf("%s: expected %s to be an ancestor of %s%s", text, from, to, r.shallow(ctx))
	}
	list, err := r.git(ctx, "rev-list", "--first-parent", "--reverse", good.Commit+".."+bad)
	if err != nil {
		return good, nil, err
	}
	if commits = strings.Fields(list); len(commits) == 0 {
		return good, nil, fmt.Errorf("%s: expected at least one commit after %s", text, from)
	}
	return good, commits, nil
}
