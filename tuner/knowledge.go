package tuner

import (
	"fmt"
	"strconv"
	"strings"
)

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
	// Importance is how much lower the other values of its range lie, in the mean,
	// with its standard error, Elo.
	Importance float64 `json:"importance_elo"`
	Error      float64 `json:"standard_error"`
	// With is the parameter that changes most what this one does, where one is known
	// to: Interaction is what both together differ by from the sum of each, both
	// moved by a quarter of the range towards the farther end, Elo.
	With        string   `json:"with,omitempty"`
	Interaction *float64 `json:"interaction_elo,omitempty"`
	// When is the condition under which the parameter counts, empty where it always does;
	// Idle says that the answer does not meet it.
	When string `json:"when,omitempty"`
	Idle bool   `json:"idle,omitempty"`
	// Untold says that the games tell nothing of it: no value of its range can be told from
	// Best, and what the others cost is within two standard errors of nothing.
	Untold bool `json:"untold,omitempty"`
}

// String says it in words. Where the games tell no value from another, none is called the
// best.
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
	matters := k.Importance > 2*k.Error
	var text string
	switch {
	case alike == "":
		text = fmt.Sprintf("%s is best at %s", name, short(k.Best))
	case matters:
		text = fmt.Sprintf("%s: the answer has %s; %s may be as good", name, short(k.Best), alike)
	default:
		text = fmt.Sprintf("%s: the games do not tell which value is best; it may be any of %s, and the answer has %s", name, alike, short(k.Best))
	}
	switch {
	case matters:
		text += fmt.Sprintf("; on average its other values are %.0f Elo weaker (standard error %.0f)", k.Importance, k.Error)
	case alike == "":
		text += "; what it is worth is not known"
	}
	if k.With != "" {
		text += "; what it does depends on " + k.With
	}
	return text
}

// short is a number with no more digits than anybody reads.
func short(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) < 6 {
		return text
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
