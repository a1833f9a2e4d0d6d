package runner

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// A build server has no branch checked out, and names it in variables of its own. The branch of
// a change never is the baseline's, whatever a fork calls it.
func TestBuiltBranch(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	commit(t, dir, "one")
	git(t, dir, "checkout", "-q", "--detach")
	for _, c := range []struct{ variables, want string }{
		{"", ""},
		{"GITHUB_REF_NAME=7/merge GITHUB_HEAD_REF=fix GITHUB_REF_TYPE=branch", "fix"},
		{"GITHUB_REF_NAME=7/merge GITHUB_HEAD_REF=main", "pull/main"},
		{"GITHUB_REF_NAME=7/merge GITHUB_HEAD_REF=trunk", "pull/trunk"},
		{"GITHUB_REF_NAME=trunk GITHUB_REF_TYPE=branch", "trunk"},
		{"GITHUB_REF_NAME=v1.0.0 GITHUB_REF_TYPE=tag", ""},
		{"GITHUB_REF_NAME=trunk GITHUB_REF_TYPE=branch GITHUB_SHA=1234567890123456789012345678901234567890", ""}, // of issue_comment
		{"GITEA_ACTIONS=true GITHUB_REF_NAME=7/merge GITHUB_HEAD_REF=master", "pull/master"},
		{"GITLAB_CI=true CI_COMMIT_BRANCH=trunk", "trunk"},
		{"GITLAB_CI=true CI_COMMIT_TAG=v1 CI_COMMIT_REF_NAME=v1", ""},
		{"GITLAB_CI=true CI_MERGE_REQUEST_IID=7 CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=fix CI_COMMIT_REF_NAME=fix", "fix"},
		{"GITLAB_CI=true CI_MERGE_REQUEST_IID=7 CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=trunk", "pull/trunk"},
		{"CIRCLECI=true CIRCLE_BRANCH=trunk", "trunk"},
		{"CIRCLECI=true CIRCLE_BRANCH=pull/7 CIRCLE_PR_NUMBER=7", "pull/7"},
		{"BUILDKITE=true BUILDKITE_BRANCH=fix BUILDKITE_PULL_REQUEST=false", "fix"},
		{"BUILDKITE=true BUILDKITE_BRANCH=trunk BUILDKITE_PULL_REQUEST=7", "pull/trunk"},
		{"JENKINS_URL=http://j BRANCH_NAME=trunk", "trunk"},
		{"JENKINS_URL=http://j GIT_BRANCH=origin/trunk", "trunk"},
		{"JENKINS_URL=http://j BRANCH_NAME=PR-7 CHANGE_ID=7 CHANGE_BRANCH=trunk", "pull/trunk"},
		{"DRONE=true DRONE_BRANCH=trunk", "trunk"},
		{"DRONE=true DRONE_BRANCH=trunk DRONE_BUILD_EVENT=push", "trunk"},
		{"DRONE=true DRONE_BRANCH=trunk DRONE_BUILD_EVENT=pull_request DRONE_SOURCE_BRANCH=trunk", "pull/trunk"},
		{"GITLAB_CI=true CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=fix", "fix"},
		{"CI=woodpecker CI_PIPELINE_EVENT=pull_request CI_COMMIT_BRANCH=trunk CI_COMMIT_SOURCE_BRANCH=fix", "fix"},
		{"DRONE=true DRONE_BRANCH=trunk DRONE_PULL_REQUEST=7 DRONE_SOURCE_BRANCH=fix", "fix"},
		{"CI=woodpecker CI_COMMIT_BRANCH=trunk", "trunk"},
		{"CI=woodpecker CI_COMMIT_BRANCH=trunk CI_COMMIT_PULL_REQUEST=7 CI_COMMIT_SOURCE_BRANCH=fix", "fix"},
		{"CI=woodpecker CI_COMMIT_BRANCH=trunk CI_COMMIT_PULL_REQUEST=7 CI_COMMIT_SOURCE_BRANCH=trunk", "pull/trunk"},
	} {
		env := Env(func(name string) (string, bool) {
			for v := range strings.FieldsSeq(c.variables) {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value, true
				}
			}
			return "", false
		})
		if got := (Repo{Dir: dir}).BuiltBranch(context.Background(), "trunk", env); got != c.want {
			t.Errorf("%s: %q, want %q", c.variables, got, c.want)
		}
	}
	git(t, dir, "checkout", "-q", "main")
	none := Env(func(string) (string, bool) { return "", false })
	if got := (Repo{Dir: dir}).BuiltBranch(context.Background(), "main", none); got != "main" {
		t.Errorf("checked out: %q", got)
	}
	fork := Env(func(name string) (string, bool) { return "main", name == "GITHUB_HEAD_REF" })
	if got := (Repo{Dir: dir}).BuiltBranch(context.Background(), "main", fork); got != "pull/main" {
		t.Errorf("a fork's main that is checked out: %q", got)
	}
}

// The default branch is the one that the clone was made of, or else main or master.
func TestDefaultBranch(t *testing.T) {
	ctx, env := context.Background(), func(string) (string, bool) { return "", false }
	origin := t.TempDir()
	git(t, origin, "init", "-q", "-b", "master")
	commit(t, origin, "one")
	if got := (Repo{Dir: origin}).DefaultBranch(ctx, env); got != "master" {
		t.Errorf("master alone: %q", got)
	}
	git(t, origin, "checkout", "-q", "-b", "trunk")
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, origin, "clone", "-q", origin, clone)
	if got := (Repo{Dir: clone}).DefaultBranch(ctx, env); got != "trunk" {
		t.Errorf("of the clone: %q", got)
	}
	// Without a remote, git's own habit, the build server and a branch that stands alone tell.
	alone := t.TempDir()
	git(t, alone, "init", "-q", "-b", "dev")
	commit(t, alone, "one")
	if got := (Repo{Dir: alone}).DefaultBranch(ctx, env); got != "dev" {
		t.Errorf("the only one: %q", got)
	}
	git(t, alone, "branch", "stable")
	if got := (Repo{Dir: alone}).DefaultBranch(ctx, env); got != "" {
		t.Errorf("one of two: %q", got)
	}
	server := func(name string) (string, bool) { return "stable", name == "CI_DEFAULT_BRANCH" }
	if got := (Repo{Dir: alone}).DefaultBranch(ctx, server); got != "stable" {
		t.Errorf("as the build server says: %q", got)
	}
	git(t, alone, "config", "init.defaultBranch", "dev")
	if got := (Repo{Dir: alone}).DefaultBranch(ctx, env); got != "dev" {
		t.Errorf("as git's settings say: %q", got)
	}
	if got := (Repo{Dir: t.TempDir()}).DefaultBranch(ctx, env); got != "" {
		t.Errorf("no repository: %q", got)
	}
}
