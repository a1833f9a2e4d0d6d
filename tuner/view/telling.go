package view

import (
	"fmt"
	"math"
	"strings"

	"sakusen/tuner"
)

// Telling is what the games of a finished study tell, for whoever chooses openings, deals,
// maps or a way to compare: it stands below the report of study show and on the study's
// page.
func Telling(spec *tuner.Spec, r *tuner.Result) []Sentence {
	var out []Sentence
	if v := r.Validation; v != nil && known(v.Resolution) {
		what := "of this study's validation"
		if v.Pairs != nil {
			what += ", compared with every other,"
		}
		out = append(out, Sentence{"A game", tells(what, v.Resolution)})
	}
	if d := r.DuelResolution; known(d) {
		out = append(out, Sentence{"A game", tells("of this study's duels", d)})
	}
	if r.Worth != nil {
		out = append(out, Sentence{"Worth", sentence(r.Worth.String())})
	}
	return out
}

// known tells whether a game tells anything.
func known(r *tuner.Resolution) bool { return r != nil && r.Proof != nil }

// tells says what a game tells.
func tells(which string, r *tuner.Resolution) string {
	n := math.Round(*r.Proof)
	if n >= 1000 { // three digits, as more are not known
		digits := math.Pow(10, math.Floor(math.Log10(n))-2)
		n = math.Round(n/digits) * digits
	}
	return fmt.Sprintf("One game %s tells %.2f normalised Elo for each Elo between the players: to prove 10 Elo takes about %s games. Of several openings, deals or maps those that need the fewest tell the most.",
		which, *r.PerElo, grouped(int64(n)))
}

// sentence has a capital letter and a full stop.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }
