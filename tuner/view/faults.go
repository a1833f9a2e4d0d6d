package view

import (
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
		lost = lost || f.Faults.Sum() > f.Faults[entry.AnyFault] // what those do is the game's to say
		if did := f.Faults.Did(grouped); did != "" {
			players = append(players, fmt.Sprintf("%s %s of %s games", faultPlayer(f.Player), did, grouped(f.Games)))
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

// late reports whether so many games of a study's answer and its baseline were lost on time that
// these decide, and not how well is played.
func late(r *tuner.Result) bool {
	share := 0.0
	for i := range r.Faults {
		if f := &r.Faults[i]; f.Player == tuner.TheAnswer || f.Player == tuner.TheBaseline {
			share += float64(f.Faults["overtime"]+f.Faults["stalls"]) / float64(max(1, f.Games))
		}
	}
	return share > entry.MostOnTime
}

// inTime is what to do where games lost on time decide.
const inTime = "Run it again with " + entry.TimeCure + ": too many games are lost on time."
