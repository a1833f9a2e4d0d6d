package view

import (
	"cmp"
	"fmt"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// faults reports how many games the programs of players did not play to their end, and
// whose they were; empty where there were none.
func faults(spec *tuner.Spec, r *tuner.Result) string {
	var players []string
	void, lost := int64(0), false
	for i := range r.Faults {
		f := &r.Faults[i]
		void += f.Faults[entry.VoidGames]
		var parts []string
		for _, kind := range entry.FaultKinds() {
			if n := f.Faults[kind]; n > 0 && kind != entry.VoidGames {
				lost = lost || kind != entry.AnyFault // what those do is the game's to say
				parts = append(parts, fmt.Sprintf("%s %s", faultVerb(kind), grouped(n)))
			}
		}
		if len(parts) > 0 {
			players = append(players, fmt.Sprintf("%s %s of %s games", faultPlayer(f.Player), strings.Join(parts, " and "), grouped(f.Games)))
		}
	}
	var all []string
	if len(players) > 0 {
		all = append(all, sentence(strings.Join(players, ", "), ""))
	}
	if rule, _ := spec.Rules.Get("faults"); lost && rule != "void" {
		all = append(all, "Such a game is lost, which the gain counts.")
	} else if lost {
		all = append(all, "The block of such a game is a draw for both.")
	}
	if void > 0 {
		are := "games had no result and count as draws."
		if void == 1 {
			are = "game had no result and counts as a draw."
		}
		all = append(all, grouped(void)+" "+are)
	}
	return strings.Join(all, " ")
}

// faultVerb reports what a player did in so many games.
func faultVerb(kind string) string {
	return cmp.Or(map[string]string{
		"crashes": "crashed in", "overtime": "lost on time in", "stalls": "did not answer in", "illegal": "made an illegal move in",
		"garbled": "answered what is no move in", "disputes": "did not agree with its opponent on the result in",
	}[kind], "made an error in")
}

// faultPlayer names a player of a study.
func faultPlayer(player string) string {
	switch player {
	case tuner.TheCandidates:
		return "other candidates"
	case tuner.OtherOpponents:
		return "other opponents"
	}
	return "the " + player
}
