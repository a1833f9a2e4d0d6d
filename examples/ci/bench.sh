#!/bin/sh
# Gates a change of any Go module in any CI: its benchmarks beside those of the commit at
# which it left the branch into which it is to be merged. Needs go, and git with that branch's
# history. sakusen-bench is the one on PATH, or is built from the checkout in which this file
# stands. action.yml and the workflows beside this file call it. It leaves nothing in the
# checkout that it measures.
#
#   bench.sh [BRANCH [PACKAGE...]]  gate the change in the current folder's module
#   bench.sh --comment NUMBER       put the verdict under a pull request, with $GITHUB_TOKEN
#   bench.sh --install DIR          build sakusen-bench into a folder, unless it is there
#   bench.sh --key                  print a name of what would be built, for caches
#
# After a push to BRANCH itself the last commit is compared with the one before the push.
# Without BRANCH it is that of the pull request, as the build server says, or else the default
# branch of origin.
#
#   BENCH_RESULTS  folder for the texts of both sides, profiles and gate.json
#   BENCH_WHEN     verdicts that get a comment: regression (default), undecided (regressions too) or always
#   BENCH_ARGS     arguments of sakusen-bench run, quoted as in a shell (default --until-decided --most 15m)
#
# Exit code: 0 pass, undecided or nothing to compare; 1 regression, or the new side fails; 2 it
# could not be measured; others are those of sakusen-bench.
set -eu

# say [KIND] TEXT prints a text, on GitHub and Gitea as an annotation.
say() {
	if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::$1::$2"; else echo "$2" >&2; fi
}

# source is the checkout of sakusen.
source=$(cd "$(dirname "$0")/../.." && pwd)

# key names the sources of the program.
key() {
	(cd "$source" && find go.mod go.sum bench cmd engines/param engines/plain tuner/build tuner/numeral \
		-name '*.go' ! -name '*_test.go' -o -name 'go.*' | sort | xargs cat | cksum | tr ' ' -)
}

# build DIR builds the program into a folder.
build() {
	mkdir -p "$1"
	[ -x "$1/sakusen-bench" ] || (cd "$source" && CGO_ENABLED=0 GOFLAGS= GOWORK=off go build -trimpath -buildvcs=false -ldflags='-s -w' -o "$1/sakusen-bench" ./cmd/sakusen-bench)
}

case ${1:-} in
--key) key && exit ;;
--install) build "$2" && exit ;;
esac

bench=$(command -v sakusen-bench) || {
	bench=${TMPDIR:-/tmp}/sakusen-bench-$(key)
	build "$bench" || exit 2
	bench=$bench/sakusen-bench
}

if [ "${1:-}" = --comment ]; then
	[ -f "$BENCH_RESULTS/gate.json" ] || exit 0
	# The token of a change from a fork may only read: that is no fault of the change.
	"$bench" comment "$BENCH_RESULTS/gate.json" --post --pull "$2" --author "${BENCH_AUTHOR:-github-actions[bot]}" --key "${BENCH_KEY:-gate}" --when "${BENCH_WHEN:-regression}" ||
		say notice "the verdict is not under the pull request, since this token may not comment, as in a change from a fork; the summary has it, and examples/ci/github-bench-comment.yml comments from the default branch"
	exit 0
fi

branch=
for name in "${1:-}" "${GITHUB_BASE_REF:-}" "${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-}" "${CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME:-}" \
	"${CHANGE_TARGET:-}" "${BUILDKITE_PULL_REQUEST_BASE_BRANCH:-}" "${DRONE_PULL_REQUEST:+${DRONE_TARGET_BRANCH:-}}" \
	"${CI_COMMIT_TARGET_BRANCH:-}" "${SYSTEM_PULLREQUEST_TARGETBRANCH:-}" "${BITBUCKET_PR_DESTINATION_BRANCH:-}" "${CIRRUS_BASE_BRANCH:-}" \
	"$(git ls-remote --symref origin HEAD 2>/dev/null | awk '$1 == "ref:" { sub("refs/heads/", "", $2); print $2; exit }')" main; do
	[ -n "$branch" ] || { name=${name#refs/heads/} && branch=${name#origin/}; }
done
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- ./...

code=0
"$bench" gate --self-test --summary /dev/null >/dev/null || code=$?
if [ "$code" != 1 ]; then
	say error "the gate cannot fail: its verdict means nothing"
	exit 2
fi

git fetch --quiet origin "+refs/heads/$branch:refs/remotes/origin/$branch" || {
	say error "the branch $branch cannot be fetched from origin"
	exit 2
}
if ! git merge-base HEAD "origin/$branch" >/dev/null; then
	if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
		say error "this clone is shallow and does not have the commit at which the change left $branch: set fetch-depth: 0 at actions/checkout, or on GitLab the variable GIT_DEPTH: 0"
	else
		say error "HEAD and $branch have no commit in common"
	fi
	exit 2
fi

# What is on the branch already, as after a push to it, is compared with the commit before the push,
# where the build server names that, and else with the one before it. On a build server changes in
# the working tree are those of earlier steps.
base=origin/$branch
server=${CI:-}${GITHUB_ACTIONS:-}${JENKINS_URL:-}${TF_BUILD:-}
if [ "$(git merge-base HEAD "$base")" = "$(git rev-parse HEAD)" ] && { [ -n "$server" ] || [ -z "$(git status --porcelain --untracked-files=no)" ]; }; then
	if git rev-parse --quiet --verify HEAD~1 >/dev/null; then
		base=HEAD~1
		before=${CI_COMMIT_BEFORE_SHA:-${DRONE_COMMIT_BEFORE:-${CI_PREV_COMMIT_SHA:-${GIT_PREVIOUS_COMMIT:-$(grep -o '"before" *: *"[0-9a-f]*"' "${GITHUB_EVENT_PATH:-/dev/null}" | head -1 | cut -d'"' -f4)}}}}
		case $before in
		*[!0]*)
			git cat-file -e "$before^{commit}" 2>/dev/null || git fetch --quiet origin "$before" 2>/dev/null || true
			if ! git merge-base --is-ancestor "$before" HEAD 2>/dev/null; then
				say warning "$before, which the build server names as the one before, is not in the history of HEAD: only the last commit is looked at"
			elif [ "$before" != "$(git rev-parse HEAD)" ]; then
				base=$before
			fi
			;;
		esac
		say notice "HEAD is a commit of $branch: it is compared with $(git rev-parse --short "$base"), the one before $([ "$base" = HEAD~1 ] && echo it || echo "the push")"
	elif [ "$(git rev-parse --is-shallow-repository)" = true ]; then
		say error "HEAD is a commit of $branch, and this clone is shallow and does not have the one before it: set fetch-depth: 0 at actions/checkout, or on GitLab the variable GIT_DEPTH: 0"
		exit 2
	fi
fi

# A fork's own copy of the branch may be older than the commit at which the change left it: GitLab names that one.
left=${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}
if [ -n "$left" ] && git merge-base --is-ancestor "$left" HEAD 2>/dev/null && git merge-base --is-ancestor "$(git merge-base HEAD "$base")" "$left"; then
	base=$left
fi

results=${BENCH_RESULTS:-}
if [ -z "$results" ]; then
	results=$(mktemp -d)
	trap 'rm -rf "$results"' EXIT
fi
code=0
# They may have quotes, several lines and comments, which are left out here.
arguments=$(printf '%s\n' "${BENCH_ARGS---until-decided --most 15m}" | tr -d '\r' | awk '{ text = text $0 "\n" }
	END {
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			if (comment && c != "\n") continue
			comment = 0
			if (quote == "" && c == "#" && (last == "" || last ~ /[[:blank:]]/)) { comment = 1; continue }
			if (quote == "" && c == "\n") c = " "
			if (c == "\\" && quote != "\047") c = c substr(text, ++i, 1)
			else if (quote == "" && (c == "\"" || c == "\047")) quote = c
			else if (c == quote) quote = ""
			printf "%s", c
			last = c
		}
	}')
eval "set -- $arguments \"\$@\""
"$bench" run --base "$base" --gate --out "$results" --why "$results/profiles" "$@" || code=$?
case $code in
0) verdict=pass ;;
1) verdict=regression ;;
3) verdict=inconclusive ;;
4) verdict=nothing ;;
*) verdict=error ;;
esac
if [ -n "${GITHUB_OUTPUT:-}" ]; then
	report=
	[ ! -f "$results/gate.json" ] || report=$results/gate.json
	printf '%s\n' "verdict=$verdict" "exit-code=$code" "report=$report" >>"$GITHUB_OUTPUT"
fi
case $code in
1) [ -z "${GITHUB_ACTIONS:-}" ] || "$bench" comment --annotate "$results/gate.json" ;;
3) say warning "benchmarks are undecided, which is no failure: see the summary" ;;
4) say notice "no benchmark to compare" ;;
esac
case $code in
3 | 4) ;;
*) exit "$code" ;;
esac
