package workers

import (
	"fmt"
	"os"

	"sakusen/engines/external/ucitest"
)

// kind is a kind of work whose result must not depend on who plays it.
type kind struct {
	name  string
	cheap bool     // is tried by the ordinary suite
	file  string   // of work.yaml, empty for an experiment
	args  []string // of the program
	prove string   // a study whose answer is proved further, in the same database
}

const hill = `version: 1
name: %s
game: laboratory
rules: [{name: dimensions, value: 2}, {name: headroom, value: %d}%s]
tune: {strategy: point}
baseline: point
`

// kinds returns all kinds of work.
func kinds() []kind {
	tune, cup := []string{"tune", "work.yaml"}, []string{"tournament", "work.yaml"}
	study := func(name string, headroom int, rules, more string) string {
		return fmt.Sprintf(hill, name, headroom, rules) + more
	}
	return []kind{
		{name: "raced", cheap: true, args: tune, file: `version: 1
name: raced
game: battleship
tune:
  strategy: neighbour
  params: [{name: place.kind, choices: [random, packed]}, {name: place.height}, {name: place.width}]
baseline: RNB
sampler: {name: uniform, seed: 3, batch: 4}
race: {rungs: [32, 64, 128]}
budget: {trials: 16, games: 6000}
final: {top: 3, blocks: 100}
validation: {gain_elo: [0, 30], max_blocks: 1000}
`},
		{name: "duels", args: tune, file: study("duels", 80, "", "sampler: {seed: 5}\nevaluate: {mode: duels}\nbudget: {games: 6000}\nvalidation: {max_blocks: 2000}\n")},
		{name: "flight", cheap: true, args: tune, file: study("flight", 80, "", "sampler: {seed: 6, flight: 2}\nevaluate: {mode: duels}\nbudget: {games: 6000}\nvalidation: {max_blocks: 2000}\n")},
		{name: "conditions", args: tune, file: study("conditions", 60, ", {name: categories, value: 2}, {name: conditional, value: true}",
			"sampler: {name: tpe, seed: 8}\nrace: {rungs: [8, 16, 32]}\nbudget: {trials: 100, games: 8000}\nfinal: {top: 3, blocks: 200}\nvalidation: {max_blocks: 2000}\n")},
		{name: "pareto", args: tune, file: study("pareto", 100, "", "objective: {of: pareto, objectives: [{of: score}, {of: metric, metric: cost, goal: minimize}]}\n"+
			"sampler: {name: quasi, seed: 9}\nrace: {rungs: [8, 32], keep: 0.5}\nbudget: {trials: 48, games: 30000}\nfinal: {top: 3, blocks: 1000}\nvalidation: {max_blocks: 4000}\n")},
		{name: "pool", args: tune, file: `version: 1
name: pool
game: lifeboats
rules: [{name: players, value: 3}]
tune: {strategy: level0}
evaluate: {mode: pool, group: 2, filler: random, rounds: 2, games: 6}
sampler:
  name: jgg
  seed: 4
  options: [{name: population, value: 9}, {name: parents, value: 3}, {name: children, value: 7}, {name: start, value: "-1..1"}]
budget: {trials: 54, games: 9000}
final: {top: 2, blocks: 20}
validation: {gain_elo: [0, 50], max_blocks: 50}
`},
		{name: "proof", args: tune, prove: "proof", file: study("proof", 20, "", "sampler: {seed: 10}\nbudget: {games: 3000}\nvalidation: {gain_elo: [0, 30], max_blocks: 40}\n")},
		{name: "tournament", cheap: true, args: cup, file: "version: 1\nname: tournament\ngame: battleship\nentrants: [R, RNB, CB, RNB/ED1]\nselfplay: true\nblocks: 1000\nseed: 9\n"},
		{name: "experiment", args: []string{"experiment", "run", "battleship-table1", "--games", "500"}},
		{name: "engines", args: tune, file: `version: 1
name: engines
game: chess
rules:
  - {name: limit, value: "nodes:1"}
  - {name: most_plies, value: 60}
tune: {strategy: toy, params: [{name: Sense}]}
baseline: toy
sampler: {seed: 2}
budget: {games: 600}
validation: {max_blocks: 200}
`},
	}
}

// settings returns those of the daemon and of every worker: an engine that both have.
func settings() string {
	return fmt.Sprintf("engines:\n  toy: {command: [%q], environment: [%q]}\n", os.Args[0], ucitest.As("", 0)[0])
}
