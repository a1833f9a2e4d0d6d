package study_test

import (
	"strings"
	"testing"

	"sakusen/tuner/entry"
)

// poolStudy proves against a weak baseline, with a pool of one or two members.
const poolStudy = `version: 1
name: pooled
game: hill
tune: {strategy: climber, fix: [{name: kind, value: plain}, {name: n, value: 5}], params: [{name: x, low: 0.4, high: 0.5, step: 0.05}]}
baseline: climber(x=0.3)
pool: [POOL]
sampler: {name: grid}
race: {method: none, rungs: [64]}
budget: {games: 6000}
final: {top: 0}
validation: {MORE}
`

// The verdict tells how the winner stands against every member of the pool, and,
// where the study asks for it, passes only where none of them is better.
func TestPoolInTheVerdict(t *testing.T) {
	const strong, weak, alike = `"climber(x=0.7,n=5)"`, `"climber(x=0.1,n=5)"`, `"climber(x=0.4,n=1)"`
	for _, c := range []struct {
		name, pool, more string
		verdict, reason  string
		standings        []entry.Standing
	}{
		{"told only", strong + ", " + weak, "max_blocks: 400", "pass", "", []entry.Standing{entry.Better, entry.NotWorse}},
		{"none worse, and one is better", weak + ", " + strong, "max_blocks: 400, pool: none_worse", "fail",
			"of the pool, better than the winner: climber(x=0.7,", []entry.Standing{entry.NotWorse, entry.Better}},
		{"none worse", weak, "max_blocks: 400, pool: none_worse", "pass", "", []entry.Standing{entry.NotWorse}},
		{"cannot be told", `"climber(x=0.5,n=5,kind=fancy,bonus=1)"`, "max_blocks: 400, pool: none_worse, pool_blocks: 20, pool_margin: 5", "inconclusive",
			"it cannot be told within 5 Elo", []entry.Standing{entry.Undecided}},
		{"not met", alike, "max_blocks: 400, pool_blocks: 0", "pass", "", nil},
	} {
		s := read(t, strings.NewReplacer("POOL", c.pool, "MORE", c.more).Replace(poolStudy))
		m := newMemory()
		r, err := run(t, s, m, 2)
		if err != nil {
			t.Fatal(err)
		}
		v := r.Validation
		if v.Verdict != c.verdict || !strings.Contains(v.Reason, c.reason) {
			t.Errorf("%s: %s, %s", c.name, v.Verdict, v.Reason)
		}
		var standings []entry.Standing
		games := int64(0)
		for _, p := range v.Pool {
			standings = append(standings, p.Standing)
			games += 2 * p.Blocks
			if p.Elo == nil || p.CI95 == nil && p.Reason == "" || p.Distinct == 0 {
				t.Errorf("%s: %+v", c.name, p)
			}
		}
		if strings.Join(texts(standings), " ") != strings.Join(texts(c.standings), " ") {
			t.Errorf("%s: %v, expected %v", c.name, standings, c.standings)
		}
		if (v.Estimate != nil) != (v.Verdict == "pass") {
			t.Errorf("%s: an estimate after a pass where the verdict is %s", c.name, v.Verdict)
		}
		if r.Games > s.Budget.Games {
			t.Errorf("%s: %d games of a budget of %d", c.name, r.Games, s.Budget.Games)
		}
		again, err := run(t, read(t, strings.NewReplacer("POOL", c.pool, "MORE", c.more).Replace(poolStudy)), m, 1)
		if err != nil || again.Digest != r.Digest || len(again.Validation.Pool) != len(v.Pool) {
			t.Errorf("%s: resumed, %v", c.name, err)
		}
	}
}

func texts(all []entry.Standing) []string {
	var out []string
	for _, s := range all {
		out = append(out, string(s))
	}
	return out
}
