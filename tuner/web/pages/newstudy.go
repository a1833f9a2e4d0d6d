package pages

import (
	"net/url"
	"slices"

	"sakusen/tuner/service"
)

// NewStudy is the form that makes a study: what was declared, and what was typed.
type NewStudy struct {
	Frame
	Games      []string
	Strategies []service.Strategy
	Game       string
	GameDoc    string
	Rules      []service.Param
	Metrics    []string
	Unscored   bool
	Strategy   string
	About      string // what the strategy does
	Params     []service.Param
	Samplers   []string
	Form       url.Values
	Errors     []string
	YAML       string
}

// Value is what was typed for a parameter, or its declared bound.
func (v *NewStudy) Value(bound, name, otherwise string) string {
	if v.Form.Has(bound + "." + name) {
		return v.Form.Get(bound + "." + name)
	}
	return otherwise
}

// RulesTyped tells that some rule is not left to the game.
func (v *NewStudy) RulesTyped() bool {
	return slices.ContainsFunc(v.Rules, func(p service.Param) bool { return v.Form.Get("rule."+p.Name) != "" })
}

// Races are the methods of a race.
func (*NewStudy) Races() []string { return []string{"halving", "friedman", "none"} }
