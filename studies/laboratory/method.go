package laboratory

import (
	"fmt"
	"strings"
)

// method is a way to spend a number of games.
type method struct {
	Name string
	// file is the part of the study file after the baseline; ok says whether the method can
	// be used on the ground.
	file func(g *ground, games int64, seed int) (text string, ok bool)
	// outside, unless empty, is the command of the program that searches.
	outside []string
}

// The names of the methods that tables compare.
const (
	Default    = "default"
	headToHead = "SPSA"
)

// methods are the rows of the tables: the default, and one search of each kind beside it.
func methods() []method {
	return []method{plain(Default, ""), climbing(), racing("TPE", "tpe"), halving(), flat()}
}

// study is the whole study file.
func (m method) study(g *ground, games int64, seed int) (text string, ok bool) {
	body, ok := m.file(g, games, seed)
	return "version: 1\nname: tuners\n" + g.Head + g.Tune + body, ok
}

// plain is what a study file does that has nothing but more keys of its sampler.
func plain(name, more string) method {
	return method{Name: name, file: func(g *ground, games int64, seed int) (string, bool) {
		return fmt.Sprintf("sampler: {seed: %d%s}\nbudget: {games: %d}\n", seed, more, games), true
	}}
}

// limited is a budget that only games end.
func limited(games int64) string { return fmt.Sprintf("budget: {trials: 1000000, games: %d}\n", games) }

// climbing is SPSA: head to head where two play, and against the baseline where candidates
// cannot meet each other.
func climbing() method {
	return method{Name: headToHead, file: func(g *ground, games int64, seed int) (string, bool) {
		mode := "duels"
		if g.seats() > 2 {
			mode = "baseline"
		}
		return fmt.Sprintf("sampler: {name: spsa, seed: %d}\nevaluate: {mode: %s}\n", seed, mode) + limited(games), !g.Mixed
	}}
}

// racing is a sampler with a study's usual race.
func racing(name, sampler string) method {
	return method{Name: name, file: func(g *ground, games int64, seed int) (string, bool) {
		return fmt.Sprintf("sampler: {name: %s, seed: %d}\n", sampler, seed) + limited(games), true
	}}
}

// flat gives every trial the same games, spends all games on the search, and exports the
// best trial: the usual way of tuning. Its validation is played in addition.
func flat() method {
	const gamesOfTrial, proof = 200, 2000
	return method{Name: "uniform, 200 games", file: func(g *ground, games int64, seed int) (string, bool) {
		return fmt.Sprintf("sampler: {name: uniform, seed: %d, batch: 1}\nrace: {method: none, rungs: [%d]}\nfinal: {top: 0}\n",
			seed, gamesOfTrial/g.seats()) + g.proof(proof) + limited(games+proof*int64(g.seats())), true
	}}
}

// proof is the line of a validation of so many blocks, or none where starts bound it.
func (g *ground) proof(blocks int64) string {
	if g.Starts > 0 {
		return ""
	}
	return fmt.Sprintf("validation: {max_blocks: %d}\n", blocks)
}

// halving is one batch, halved down to two: rungs double and take four fifths of the games
// together.
func halving() method {
	const halved = 256
	return method{Name: "halving", file: func(g *ground, games int64, seed int) (string, bool) {
		var rungs []int64
		cost := int64(0) // in first rungs' blocks
		for n, at := int64(halved), int64(1); n >= 2; n, at = n/2, 2*at {
			rungs = append(rungs, at)
			cost += n * (at - at/2)
		}
		all := games / int64(g.seats())
		for i := range rungs {
			rungs[i] = max(rungs[i], rungs[i]*(all*4/5)/cost)
		}
		return fmt.Sprintf("sampler: {name: uniform, seed: %d, batch: %d}\nrace: {rungs: %s}\nfinal: {top: 0}\n%sbudget: {trials: %d, games: %d}\n",
			seed, halved, strings.ReplaceAll(fmt.Sprint(rungs), " ", ", "), g.proof(all/5), halved, games), true
	}}
}

// flights are the default with one, two and three batches out at a time.
func flights() []method {
	return []method{plain(Default, ""), plain("flight 2", ", flight: 2"), plain("flight 3", ", flight: 3")}
}
