package tuner

import (
	"fmt"
	"strconv"
	"strings"
)

// The levels of advice.
const (
	Info    = "info"    // good to know
	Warning = "warning" // the answer may not be what was asked for
)

// Advice is something that the owner of a study should know of its answer. It is
// either a fact of the log, or has been tested: of all studies in which it is not
// so, at most the share adviceLevel says any of it.
type Advice struct {
	Level  string `json:"level"` // Info or Warning
	Text   string `json:"text"`
	Action string `json:"action,omitempty"` // what could be done
}

// String returns the text and what could be done.
func (a Advice) String() string {
	if a.Action == "" {
		return a.Text
	}
	return a.Text + ": " + a.Action
}

// Common is what common blocks were worth in a study: how far the candidates'
// results go together on the blocks that all of them met.
type Common struct {
	Candidates int `json:"candidates"`
	Blocks     int `json:"blocks"`
	// Correlation is that of two candidates' results on the same block, with its
	// 95 % interval. It is also VarianceSaved: the part of the variance of a
	// difference that blocks of their own would add. Factor is how many times the
	// games independent blocks would need to rank as well.
	Correlation   *float64    `json:"correlation"`
	CI95          *[2]float64 `json:"ci95"`
	VarianceSaved *float64    `json:"variance_saved"`
	Factor        *float64    `json:"factor"`
	// Reason says why the other fields are null, if they are.
	Reason string `json:"reason,omitempty"`
}

// String returns it as text for people.
func (c *Common) String() string {
	if c.Correlation == nil {
		return c.Reason
	}
	text := fmt.Sprintf("%d candidates, %d blocks, correlation %.2f", c.Candidates, c.Blocks, *c.Correlation)
	if c.CI95 != nil {
		text += fmt.Sprintf(" [%.2f, %.2f]", c.CI95[0], c.CI95[1])
	}
	if c.CI95 != nil && c.CI95[0] <= 0 && c.CI95[1] >= 0 {
		return fmt.Sprintf("playing the same blocks made comparisons neither clearly sharper nor less sharp (%s)", text)
	}
	if *c.VarianceSaved < 0 {
		return fmt.Sprintf("playing the same blocks made comparisons less sharp: differences vary %.0f %% more (%s)", -100**c.VarianceSaved, text)
	}
	saved := fmt.Sprintf("differences vary %.0f %% less", 100**c.VarianceSaved)
	if c.Factor != nil {
		saved = fmt.Sprintf("as if there were %.2g times the games", *c.Factor)
	}
	return fmt.Sprintf("playing the same blocks made comparisons sharper, %s (%s)", saved, text)
}

// Resolution is how well games tell two players apart: openings, deals, maps and rules can
// be chosen for it. Its unit is normalised Elo, a difference of the mean score in standard
// deviations of a game (M. Van den Bergh, Normalized Elo, 2020), so that games of different
// luck compare.
type Resolution struct {
	// NormalizedElo is that of the winner, with its 95 % interval; nil of duels, which are
	// of many pairs.
	NormalizedElo *float64    `json:"normalized_elo"`
	CI95          *[2]float64 `json:"ci95"`
	// PerElo is what one game tells: the normalised Elo that one Elo between these players
	// is worth.
	PerElo *float64 `json:"per_elo"`
	// Games are those after which a difference of 10 Elo is twice its standard error, and
	// Proof those that prove it, by a test of fixed length at the first attempt's share of
	// alpha .025, in four of five tests.
	Games *float64 `json:"games_for_10_elo"`
	Proof *float64 `json:"games_to_prove_10_elo"`
}

// String returns a text for people.
func (r *Resolution) String() string {
	text := ""
	if r.NormalizedElo != nil {
		text = fmt.Sprintf("%+.1f [%+.1f, %+.1f] normalised Elo; ", *r.NormalizedElo, r.CI95[0], r.CI95[1])
	}
	return text + fmt.Sprintf("one Elo is %.2f of it, and 10 Elo are two standard errors after %.0f games", *r.PerElo, *r.Games)
}

// Rivals are the candidates that played the same blocks as the winner, and which of
// them may be the best in its place. They are compared block by block by J. Hsu's
// multiple comparisons with the best ("Simultaneous confidence intervals for all
// distances from the best", 1981), with Bonferroni's bound: the truly best of them
// is Alike or the winner with a chance of at least 95 %.
type Rivals struct {
	Compared int     `json:"compared"` // candidates, the winner included
	Blocks   int64   `json:"blocks"`   // that all of them have played
	Alike    []Rival `json:"alike"`    // the others that may be the best
}

// Rival is a candidate beside the winner.
type Rival struct {
	Trial  int               `json:"trial"`
	Params map[string]string `json:"params"`
	// Behind is how far its mean lies behind the winner's on these blocks, in units of
	// the objective; below 0 where it lies ahead. Elo is the same of a score.
	Behind float64  `json:"behind"`
	Elo    *float64 `json:"elo"`
}

// Worth is what a study's ways to let games tell more were worth in it: how many times the
// games the same certainty would have taken without each. Above 1 it helped, below it hurt;
// nil is not known.
type Worth struct {
	// Blocks is what it was worth that candidates met the same blocks, when two of them
	// are compared, with its 95 % interval; see [Common].
	Blocks   *float64    `json:"common_blocks"`
	BlocksCI *[2]float64 `json:"common_blocks_ci95"`
	// Duels is what duels are worth in place of games against the baseline on the same
	// blocks: 4 (1 - correlation). A duel tells the difference of two candidates by one game
	// where otherwise each of them plays one, and both have errors.
	Duels   *float64    `json:"duels"`
	DuelsCI *[2]float64 `json:"duels_ci95"`
	// Seats is what it was worth that a block has each entrant in every seat under the
	// same chance: the variance of single games over that of the block's mean score, times
	// the games in it. Of the validation.
	Seats *float64 `json:"seats"`
	// Pairs is what it was worth that every game of the validation was compared with every
	// other; nil where the verdict is by the games as they were played.
	Pairs *float64 `json:"all_pairs"`
}

// mostTold is the largest end of an interval that is told to people in figures.
const mostTold = 100

// String returns it as text for people.
func (w *Worth) String() string {
	var parts []string
	times := func(x *float64) string { return fmt.Sprintf("%.2f times the games", *x) }
	within := func(ci *[2]float64) string {
		if ci == nil {
			return ""
		}
		if ci[1] > mostTold {
			return fmt.Sprintf(" [%.2f, more than %d]", ci[0], mostTold)
		}
		return fmt.Sprintf(" [%.2f, %.2f]", ci[0], ci[1])
	}
	if w.Blocks != nil {
		parts = append(parts, "the same blocks for all candidates were worth "+times(w.Blocks)+within(w.BlocksCI)+", where candidates are compared")
	}
	if w.Duels != nil {
		parts = append(parts, "duels of candidates would be worth "+times(w.Duels)+within(w.DuelsCI)+", if two candidates meet each other as evenly as each meets the baseline")
	}
	if w.Seats != nil {
		parts = append(parts, "playing each block from every seat was worth "+times(w.Seats))
	}
	if w.Pairs != nil {
		parts = append(parts, "comparing every game with every other was worth "+times(w.Pairs)+" of the validation")
	}
	return strings.Join(parts, "; ")
}

// Known is what a search has learnt of one parameter, by its model of all games:
// in Elo, the other parameters standing where the answer has them.
type Known struct {
	Name string `json:"name"`
	Best string `json:"best"` // the answer's value
	// From and To are the ends of the values of a number around Best that cannot be
	// told apart from it: whose height is not below Best's at 95 %.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Same are the values of a choice, Best among them, that cannot be told apart.
	Same []string `json:"same,omitempty"`
	// Rounder is a value near Best with fewer digits, Below how much lower it stands by the model and
	// Most the most that this may be at 95 %, Elo.
	Rounder string  `json:"rounder,omitempty"`
	Below   float64 `json:"rounder_below_elo,omitempty"`
	Most    float64 `json:"rounder_below_elo_at_most,omitempty"`
	// Importance is how much lower the other values of its range lie, in the mean,
	// with its standard error, Elo, in which is how far games of the proof showed the
	// model to be off.
	Importance float64 `json:"importance_elo"`
	Error      float64 `json:"standard_error"`
	// With is the parameter with the largest interaction, if one is known. Interaction is the
	// effect of both together less the sum of their single effects, Elo, if both move by a
	// quarter of the range towards the farther end.
	With        string   `json:"with,omitempty"`
	Interaction *float64 `json:"interaction_elo,omitempty"`
	// When is the condition under which the parameter counts, empty where it always does;
	// Idle says that the answer does not meet it.
	When string `json:"when,omitempty"`
	Idle bool   `json:"idle,omitempty"`
	// Untold says that the games tell nothing of it: no value of its range can be told from
	// Best, and what the others cost is within two standard errors of nothing; or nearly all
	// games were won.
	Untold bool `json:"untold,omitempty"`
}

// Tells reports whether the model can separate any values.
func (k *Known) Tells() bool {
	return k.Idle || !k.Untold && (k.Importance > 2*k.Error || k.From == k.To && len(k.Same) < 2)
}

// String describes in words which values may be the best, where the model tells. What a
// parameter is worth is measured, and no word of a model.
func (k *Known) String() string {
	if k.Idle {
		return fmt.Sprintf("%s counts only with %s, which the answer does not have", k.Name, k.When)
	}
	name := k.Name
	if k.When != "" {
		name += " (it counts only with " + k.When + ")"
	}
	alike := ""
	switch {
	case k.From != "" && k.From != k.To:
		alike = short(k.From) + " to " + short(k.To)
	case len(k.Same) > 1:
		alike = strings.Join(k.Same, ", ")
	}
	text := fmt.Sprintf("%s: the answer has %s; %s may be as good", name, short(k.Best), alike)
	if alike == "" {
		text = fmt.Sprintf("%s is best at %s", name, short(k.Best))
	}
	if k.With != "" {
		text += "; what it does depends on " + k.With
	}
	return text
}

// short returns a number with a few digits.
func short(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) < 8 {
		return text
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
