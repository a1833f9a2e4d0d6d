package web

import (
	"net/url"
	"slices"

	"sakusen/tuner/service"
)

// newView is the form that makes a study.
type newView struct {
	frame
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
func (v *newView) Value(bound, name, otherwise string) string {
	if v.Form.Has(bound + "." + name) {
		return v.Form.Get(bound + "." + name)
	}
	return otherwise
}

// RulesTyped tells that some rule is not left to the game.
func (v *newView) RulesTyped() bool {
	return slices.ContainsFunc(v.Rules, func(p service.Param) bool { return v.Form.Get("rule."+p.Name) != "" })
}

// Races are the methods of a race.
func (*newView) Races() []string { return []string{"halving", "friedman", "none"} }
