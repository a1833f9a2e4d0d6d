package tuner

import (
	"fmt"
	"strconv"

	"sakusen/engines/param"
)

// Explainer is a Proposer whose model says what the search has learnt of each
// parameter.
type Explainer interface {
	// Explain returns what is known of every tuned parameter, the others standing at
	// the given values; nil where nothing is known.
	Explain(v *View, at param.Values) []Known
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
	// Importance is how much lower the other values of its range lie, in the mean,
	// with its standard error, Elo.
	Importance float64 `json:"importance_elo"`
	Error      float64 `json:"standard_error"`
	// With is the parameter that changes most what this one does, where one is known
	// to: Interaction is what both together differ by from the sum of each, both
	// moved by a quarter of the range towards the farther end, Elo.
	With        string   `json:"with,omitempty"`
	Interaction *float64 `json:"interaction_elo,omitempty"`
}

// String says it in words.
func (k *Known) String() string {
	text := fmt.Sprintf("%s is best at %s", k.Name, short(k.Best))
	switch {
	case k.From != "" && k.From != k.To:
		text += fmt.Sprintf("; %s to %s cannot be told apart from it", short(k.From), short(k.To))
	case len(k.Same) > 1:
		text += "; so cannot be told apart:"
		for _, s := range k.Same {
			if s != k.Best {
				text += " " + s
			}
		}
	}
	if k.Importance > 2*k.Error {
		text += fmt.Sprintf("; other values cost %.0f Elo in the mean, +- %.0f", k.Importance, k.Error)
	} else {
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

// known is what the search's model knows of each parameter about a trial.
func known(st *Study, winner *Trial) []Known {
	e, ok := st.proposer.(Explainer)
	if !ok || winner == nil || st.Setup.Objective.Of != "score" {
		return nil
	}
	view, err := st.view()
	if err != nil {
		return nil
	}
	return e.Explain(view, winner.Params)
}
