package runner

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Env reads a variable of the environment.
type Env func(name string) (value string, ok bool)

// server is how a build server names the branch that it builds, by variables of the
// environment. Of several variables the first that is set counts.
type server struct {
	mark   string   // NAME, or NAME=VALUE, of a variable that is set there
	tag    []string // set where a tag is built, which is on no branch
	pull   []string // set, and not false, where a change that is to be merged is built
	source []string // its branch, maybe of a fork
	branch []string
}

// servers returns the known build servers. One that also sets the variables of another comes first.
func servers() []server {
	return []server{
		{"CI=woodpecker", []string{"CI_COMMIT_TAG"}, []string{"CI_COMMIT_PULL_REQUEST", "CI_PIPELINE_EVENT=pull_request"}, []string{"CI_COMMIT_SOURCE_BRANCH"}, []string{"CI_COMMIT_BRANCH"}},
		{"GITLAB_CI", []string{"CI_COMMIT_TAG"}, []string{"CI_MERGE_REQUEST_IID", "CI_EXTERNAL_PULL_REQUEST_IID", "CI_PIPELINE_SOURCE=merge_request_event", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"},
			[]string{"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME"}, []string{"CI_COMMIT_BRANCH"}},
		{"CIRCLECI", []string{"CIRCLE_TAG"}, []string{"CIRCLE_PR_NUMBER"}, []string{"CIRCLE_BRANCH"}, []string{"CIRCLE_BRANCH"}},
		{"BUILDKITE", []string{"BUILDKITE_TAG"}, []string{"BUILDKITE_PULL_REQUEST"}, []string{"BUILDKITE_BRANCH"}, []string{"BUILDKITE_BRANCH"}},
		{"JENKINS_URL", []string{"TAG_NAME"}, []string{"CHANGE_ID"}, []string{"CHANGE_BRANCH"}, []string{"BRANCH_NAME", "GIT_LOCAL_BRANCH", "GIT_BRANCH"}},
		{"DRONE", []string{"DRONE_TAG"}, []string{"DRONE_PULL_REQUEST", "DRONE_BUILD_EVENT=pull_request"}, []string{"DRONE_SOURCE_BRANCH"}, []string{"DRONE_BRANCH", "DRONE_COMMIT_BRANCH"}},
		// GitHub, Gitea and Forgejo. Of a pull request GITHUB_REF_NAME is "7/merge".
		{"", nil, []string{"GITHUB_HEAD_REF"}, []string{"GITHUB_HEAD_REF"}, []string{"GITHUB_REF_NAME"}},
	}
}

// first returns the first variable that is set to something other than "false", or to VALUE where
// its name is given as NAME=VALUE.
func (env Env) first(names []string) string {
	for _, name := range names {
		name, want, exact := strings.Cut(name, "=")
		if value, _ := env(name); value != "" && value != "false" && (!exact || value == want) {
			return value
		}
	}
	return ""
}

// built returns the branch that a build server builds, "" where it says none, and whether it is
// a change that is to be merged.
func (env Env) built() (branch string, pull bool) {
	for _, s := range servers() {
		if s.mark != "" && env.first([]string{s.mark}) == "" {
			continue
		}
		kind, _ := env("GITHUB_REF_TYPE")
		switch {
		case env.first(s.pull) != "":
			return env.first(s.source), true
		case env.first(s.tag) != "", s.mark == "" && kind == "tag":
			return "", false
		}
		return strings.TrimPrefix(env.first(s.branch), "origin/"), false
	}
	return "", false
}

// BuiltBranch returns the branch of what is checked out: as git says or, where no branch is
// checked out, as the build server does. A change that is to be merged never bears the name of
// the baseline branch, which a fork's branch may have: then it is "pull/NAME".
func (r Repo) BuiltBranch(ctx context.Context, baseline string, env Env) string {
	branch, pull := env.built()
	if !pull {
		if here := r.Branch(ctx); here != "" {
			return here
		}
		// On GitHub that is the default branch where a comment or another workflow asks for a change.
		if commit, err := r.Commit(ctx, "HEAD"); err == nil && !slices.Contains([]string{"", commit}, env.first([]string{"GITHUB_SHA"})) {
			return ""
		}
		return branch
	}
	if branch == "" {
		branch = r.Branch(ctx)
	}
	if branch == baseline || branch == "main" || branch == "master" || branch == "" {
		return strings.TrimSuffix("pull/"+branch, "/")
	}
	return branch
}

// DefaultBranch returns the branch that changes are merged into: that of the remote "origin", or
// else the one that the build server names, main, master or git's init.defaultBranch, whichever
// there is, or the only one; "" where git knows none.
func (r Repo) DefaultBranch(ctx context.Context, env Env) string {
	if name, err := r.git(ctx, "symbolic-ref", "--short", "--quiet", "refs/remotes/origin/HEAD"); err == nil {
		return strings.TrimPrefix(name, "origin/")
	}
	usual, _ := r.git(ctx, "config", "init.defaultBranch")
	for _, name := range []string{env.first([]string{"CI_REPO_DEFAULT_BRANCH", "CI_DEFAULT_BRANCH", "BUILDKITE_PIPELINE_DEFAULT_BRANCH", "DRONE_REPO_BRANCH"}), "main", "master", usual} {
		if _, ok := r.branch(ctx, name); ok && name != "" {
			return name
		}
	}
	for _, where := range []string{"refs/heads", "refs/remotes/origin"} {
		all, err := r.git(ctx, "for-each-ref", "--format=%(refname:lstrip="+strconv.Itoa(1+strings.Count(where, "/"))+")", where)
		if err == nil && all != "" && !strings.Contains(all, "\n") {
			return all
		}
	}
	return ""
}

// Described returns the first line of a commit's message, its author's name, and when it was
// made; nothing where the commit is not known here.
func (r Repo) Described(ctx context.Context, commit string) (subject, author string, committed time.Time) {
	if commit == "" {
		return "", "", time.Time{}
	}
	text, err := r.git(ctx, "log", "-1", "--format=%s%x00%an%x00%ct", "--end-of-options", commit)
	parts := strings.Split(text, "\x00")
	if err != nil || len(parts) != 3 {
		return "", "", time.Time{}
	}
	seconds, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil {
		return "", "", time.Time{}
	}
	return cut(parts[0], 200), cut(parts[1], 100), time.Unix(seconds, 0).UTC()
}

// cut shortens a text to so many characters, and leaves out what cannot be printed.
func cut(text string, most int) string {
	var b strings.Builder
	n := 0
	for _, c := range text {
		if n++; n > most {
			break
		}
		if unicode.IsPrint(c) {
			b.WriteRune(c)
		}
	}
	return b.String()
}
