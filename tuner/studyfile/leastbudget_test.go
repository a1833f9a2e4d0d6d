package studyfile_test

import (
	"fmt"
	"regexp"
	"testing"

	"sakusen/strategies"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

// Who follows a refusal's number of games is not refused again, and one game less is too
// few: what is kept for final and validation grows with the budget.
func TestLeastBudget(t *testing.T) {
	games := strategies.Catalogue()
	asked := regexp.MustCompile(`budget\.games: expected at least (\d+):`)
	for _, more := range []string{"", "sampler: {name: tpe}\n", "sampler: {name: tpe}\nrace: {rungs: [16, 100]}\n", "sampler: {name: quasi}\nfinal: {top: 9}\n", "validation: {max_blocks: 300}\n"} {
		refused := func(budget string) []string {
			text := fmt.Sprintf("version: 1\nname: a\ngame: battleship\ntune: {strategy: mp}\nbaseline: mp\nbudget: {games: %s}\n%s", budget, more)
			_, err := studyfile.Read("a.yaml", []byte(text), games, sampler.Kinds{})
			return asked.FindStringSubmatch(fmt.Sprint(err))
		}
		first := refused("60")
		if first == nil {
			t.Errorf("%q: 60 games were not refused", more)
			continue
		}
		if again := refused(first[1]); again != nil {
			t.Errorf("%q: refused again: %s", more, again)
		}
		var n int
		if _, err := fmt.Sscan(first[1], &n); err != nil {
			t.Fatal(err)
		}
		if less := refused(fmt.Sprint(n - 1)); less == nil || less[1] != first[1] {
			t.Errorf("%q: one game less than %d: %v", more, n, less)
		}
		t.Logf("%q: %d", more, n)
	}
}

// A pool of any size leaves games to search with, and a proof that no member is better too.
func TestPoolLeavesGames(t *testing.T) {
	for _, members := range []int{1, 3, 12} {
		for _, how := range []string{"", "validation: {pool: none_worse}\n"} {
			text := "version: 1\nname: a\ngame: battleship\ntune: {strategy: checkerboard}\nbaseline: checkerboard\nbudget: {games: 20000}\n" + how + "pool:\n"
			for i := range members {
				text += fmt.Sprintf("  - mp(start_squares=%d,place.separated=%t)\n", 10+10*(i%9), i >= 9)
			}
			s, err := studyfile.Read("a.yaml", []byte(text), strategies.Catalogue(), sampler.Kinds{})
			if err != nil {
				t.Errorf("%d members, %q: %v", members, how, err)
			} else if n := s.ValidationGames(); n > 14000 || n < 3000 {
				t.Errorf("%d members, %q: %d games for the proof", members, how, n)
			}
		}
	}
}
