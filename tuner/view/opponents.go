package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

// Opponent is how the answer of a study stands against one of its opponents.
type Opponent struct {
	Name     string // its strategy with the values that are not defaults
	Elo      *float64
	CI95     *[2]float64 // of Elo
	Blocks   int64
	Baseline bool
	Standing *tuner.Standing // nil of the baseline
}

// Opponents returns how the answer of a study with a pool stands against the baseline and each
// member of the pool, the strongest opponent first; nil without a pool, or where no games with it tell.
func Opponents(v *tuner.ValidationReport) []Opponent {
	if v == nil || len(v.Pool) == 0 || v.Metric != nil {
		return nil
	}
	_, elo, ci := v.Quoted()
	blocks := v.Blocks
	if e := v.Estimate; e != nil && e.Elo != nil {
		blocks = e.Blocks
	}
	out := []Opponent{{Name: "the baseline", Elo: elo, CI95: ci, Blocks: blocks, Baseline: true}}
	for i := range v.Pool {
		m := &v.Pool[i]
		out = append(out, Opponent{Name: cmp.Or(m.Name, m.Entrant), Elo: m.Elo, CI95: m.CI95, Blocks: m.Blocks, Standing: m})
	}
	slices.SortStableFunc(out, func(a, b Opponent) int {
		return cmp.Compare(orMost(a.Elo), orMost(b.Elo))
	})
	return out
}

// mostOpponent is the length up to which the name of an opponent is drawn.
const mostOpponent = 18

// Labels returns short names of opponents that differ: of a long one its beginning and its end, where
// values stand, with a number where these are alike.
func Labels(all []Opponent) (out []string) {
	for i := range all {
		name := []rune(all[i].Name)
		if len(name) > mostOpponent {
			name = slices.Concat(name[:mostOpponent/2-1], []rune("…"), name[len(name)-mostOpponent/2:])
		}
		text := string(name)
		for n := 2; slices.Contains(out, text); n++ {
			text = fmt.Sprintf("%s #%d", string(name[:min(len(name), mostOpponent-4)]), n)
		}
		out = append(out, text)
	}
	return out
}

// orMost returns a gain, infinity where it is not known.
func orMost(elo *float64) float64 {
	if elo == nil {
		return math.Inf(1)
	}
	return *elo
}

// Gain returns the Elo of the answer above the opponent, with its interval.
func (o *Opponent) Gain() Cell {
	if o.Elo == nil || o.CI95 == nil {
		return Cell{Value: "not known"}
	}
	c := gained(*o.Elo, o.CI95)
	c.Note = ""
	return c
}

// String reports how the answer stands against the opponent: "neighbour: +100 Elo (33 to 175)".
func (o *Opponent) String() string {
	c := o.Gain()
	text := o.Name + ": " + c.Value
	if c.Interval != nil {
		text += " (" + c.Interval.Ends() + ")"
	}
	return text
}

// pooled reports what the answer scored in the validation over all opponents of a study that asks
// for their mean, and what of them was part of the verdict; empty of other studies.
func pooled(s service.Study, r *tuner.Result) (text string) {
	v := r.Validation
	if len(v.Pool) == 0 || v.Metric != nil || s.About.Objective.Goals()[0].Over == "worst" {
		return ""
	}
	sum := numeral.OrNaN(v.Score)
	for i := range v.Pool {
		sum += numeral.OrNaN(v.Pool[i].Score)
	}
	if n := len(v.Pool) + 1; !math.IsNaN(sum) {
		text = fmt.Sprintf(" Over all %d opponents, whose mean the search went by, it scored %s", n, points(sum/float64(n)))
		if r.Best.Value != nil && r.Best.Objectives == nil {
			text += fmt.Sprintf(", and %s in the search", points(*r.Best.Value))
		}
		text += "."
	}
	if s.About.Validation.Pool == tuner.NoneWorse {
		text += " The verdict asked too that none of them is stronger than the answer."
	}
	return text
}

// standing reports how the answer stands against a member of the pool, or empty of the baseline.
func (o *Opponent) standing() string {
	m := o.Standing
	if m == nil {
		return ""
	}
	said := map[entry.Standing]string{
		entry.Better: "the answer is weaker", entry.NotWorse: "the answer is no weaker", entry.Undecided: "which is stronger cannot be told",
	}[m.Standing]
	if m.Elo == nil || m.CI95 == nil {
		return fmt.Sprintf("%s: %s, %s", o.Name, said, m.Reason)
	}
	if m.Standing == entry.Undecided && (m.CI95[0] > 0 || m.CI95[1] < 0) {
		said = "probably so, and not shown by the test of this attempt, which is stricter than the interval"
	}
	return fmt.Sprintf("%s, %s: %s.", o, differing(m.Blocks, m.Distinct), said)
}

// Asked returns the gain that answers what a study asks, with its interval: against the opponent
// that the answer does worst against where that one counts, else the gain to quote.
func Asked(o *tuner.Objective, v *tuner.ValidationReport) Cell {
	w := worstOf(o, v)
	if w == nil {
		return Gain(v)
	}
	c := gained(*w.Elo, w.CI95)
	c.Note = "against " + w.Name + ", the opponent it does worst against"
	return c
}

// worstOf returns the opponent that the answer does worst against where that one counts, else nil.
func worstOf(o *tuner.Objective, v *tuner.ValidationReport) *Opponent {
	all := Opponents(v)
	if len(all) == 0 || o.Goals()[0].Over != "worst" || all[0].Elo == nil {
		return nil
	}
	return &all[0]
}

// shown reports whether the answer is shown to be stronger than an opponent.
func (o *Opponent) shown() bool { return o == nil || o.CI95 != nil && o.CI95[0] > 0 }

// weaker reports whether the answer is shown to be weaker than an opponent.
func (o *Opponent) weaker() bool { return o != nil && o.CI95 != nil && o.CI95[1] < 0 }

// worstLine reports how the answer stands against the opponent that it does worst against, where
// that one counts, empty of others.
func worstLine(o *tuner.Objective, v *tuner.ValidationReport) string {
	w := worstOf(o, v)
	if w == nil {
		return ""
	}
	text := "The opponent it does worst against is " + w.String()
	if w.weaker() {
		text += ", which is the stronger of the two"
	} else if !w.shown() {
		text += ", which does not show that the answer is stronger than that one"
	}
	return text + "."
}

// poolLines reports how the answer stands against each member of the pool, the strongest first.
func poolLines(v *tuner.ValidationReport) (out []string) {
	for _, o := range Opponents(v) {
		if text := o.standing(); text != "" {
			out = append(out, "against "+text)
		}
	}
	if more := len(out) - MostLines; more > 0 {
		out = append(out[:MostLines], fmt.Sprintf("and %d more, against each of which the answer does better (sakusen study show --json has all).", more))
	}
	return out
}
