#!/bin/sh
# Gates a change of any Go module in any CI: its benchmarks beside those of the
# commit at which it left the branch into which it is to be merged. Needs git with that branch's history, go, and
# sakusen on PATH (go build ./cmd/sakusen in a checkout of its repository). It
# leaves nothing in the checkout; the texts of both sides and the verdict go to
# the folder that $BENCH_RESULTS names, if it does.
#
#   docs/ci/bench.sh [BRANCH [PACKAGE...]]
set -eu

branch=${1:-main}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- ./...

code=0
sakusen bench gate --self-test >/dev/null || code=$?
if [ "$code" != 1 ]; then
	echo "the gate cannot fail: its verdict means nothing" >&2
	exit 1
fi

git fetch --quiet origin "+refs/heads/$branch:refs/remotes/origin/$branch" || exit 2
code=0
# The base is the commit at which this change left the branch.
sakusen bench run --base "origin/$branch" --gate --out "${BENCH_RESULTS:-}" "$@" || code=$?
case $code in
3) echo "inconclusive: not a failure" ;;
4) echo "nothing to compare" ;;
*) exit "$code" ;;
esac
