package forecast

import (
	"fmt"
	"math"
	"strings"
	"time"

	"sakusen/tuner/numeral"
)

// Lines are the sentences in ASCII, for terminals and files.
func (f *Forecast) Lines() []string {
	out := f.Sentences()
	for i := range out {
		out[i] = plain.Replace(out[i])
	}
	return out
}

var plain = strings.NewReplacer(numeral.Thin, "", "\u2212", "-")

// Sentences are the forecast for pages: how long, how many games, and which gain it
// can prove.
func (f *Forecast) Sentences() []string {
	g := f.Games
	out := []string{f.time()}
	text := fmt.Sprintf("Games: %s for the search", span(g.SearchLeast, g.Search))
	switch g.EndedBy {
	case "games":
		text += ", which the games end and not the trials"
	case "space":
		text += ", after which every set of parameters has been tried"
	default:
		text += fmt.Sprintf(" of %s trials", numeral.Count(int64(f.trials)))
		if f.trials == 1 {
			text = strings.TrimSuffix(text, "s")
		}
	}
	if g.Final > 0 {
		text += fmt.Sprintf(", %s for the final", numeral.Count(g.Final))
	}
	out = append(out, text+fmt.Sprintf(", %s for the proof.", span(g.ValidationLeast, g.Validation)))
	return append(out, f.Proof.sentences()...)
}

// time says how long it takes.
func (f *Forecast) time() string {
	if f.Seconds == nil {
		return "Time: not known, as no game ended while it was tried how fast they are."
	}
	low, high := duration(f.Seconds[0]), duration(f.Seconds[1])
	text := "Time: about " + high
	if low != high {
		text = "Time: about " + low + " to " + high
	}
	return fmt.Sprintf("%s, at %s games a second as they are played now.", text, numeral.Page(numeral.Text(round(f.Known.PerSecond))))
}

// sentences say what can be proved.
func (p *Proof) sentences() []string {
	var out []string
	switch {
	case p.Gain == nil && p.Unit == "Elo":
		out = append(out, fmt.Sprintf("Proof: with at most %s blocks no gain is proved in 8 of 10 cases.", numeral.Count(p.Blocks)))
	case p.Gain == nil:
		out = append(out, fmt.Sprintf("Proof: any gain in %s that %s blocks show; which size that is depends on how much it varies.", p.Unit, numeral.Count(p.Blocks)))
	default:
		out = append(out, fmt.Sprintf("Proof: a true gain of %s %s is proved in 8 of 10 cases, with at most %s blocks.",
			numeral.Signed(*p.Gain, 0.1**p.Gain), p.Unit, numeral.Count(p.Blocks)))
	}
	if p.Asked != nil && p.Chance != nil {
		text := fmt.Sprintf("The gain that is asked for, %s Elo, is proved in %s of 100 cases", numeral.Signed(*p.Asked, math.NaN()), numeral.Text(math.Round(100**p.Chance)))
		if p.Needs > 0 {
			text += fmt.Sprintf("; for 80 it takes about %s blocks", numeral.Count(p.Needs))
		} else if p.Typical > 0 {
			text += fmt.Sprintf(", in the middle case after %s blocks", numeral.Count(p.Typical))
		}
		out = append(out, text+".")
	}
	if p.Attempt > 1 {
		out = append(out, fmt.Sprintf("It is attempt %d at this question, so its test is stricter: the chance of a false pass is %s.", p.Attempt, numeral.Page(fmt.Sprintf("%.2g", p.Alpha))))
	}
	if p.Supposed {
		out = append(out, "How much a block varies is not known: it was taken as of independent games without draws, which is rarely too little.")
	}
	return out
}

// span is a number of games, or two where they differ.
func span(low, high int64) string {
	if low == high {
		return numeral.Count(high)
	}
	return numeral.Count(low) + " to " + numeral.Count(high)
}

// duration is a guessed time for people.
func duration(seconds float64) string {
	if seconds < 1 {
		return "a second"
	}
	return strings.TrimPrefix(numeral.About(time.Duration(math.Min(seconds, 9e9)*float64(time.Second))), "about ")
}

// round keeps two digits, which is all that a probe knows.
func round(x float64) float64 {
	if !(x > 0) {
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}
