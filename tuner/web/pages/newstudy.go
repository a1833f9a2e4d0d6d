package pages

import (
	"net/url"
	"slices"
	"strconv"

	"sakusen/tuner/service"
)

// NewStudy is the form that makes a study: what was declared, and what was typed.
type NewStudy struct {
	Frame
	Games      []string
	Game       service.GameInfo
	Strategies []service.StrategyInfo
	Strategy   service.StrategyInfo
	Samplers   []string
	Form       url.Values
	Errors     []string
	YAML       string
}

// Value is what was typed for a parameter, or its declared bound.
func (v *NewStudy) Value(bound, name string, declared *float64) string {
	if v.Form.Has(bound + "." + name) {
		return v.Form.Get(bound + "." + name)
	}
	return numberText(declared)
}

// numberText is a number as forms show it, empty where there is none.
func numberText(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

// Chosen tells whether a parameter is ticked to be tuned.
func (v *NewStudy) Chosen(name string) bool { return slices.Contains(v.Form["tune"], name) }

// RulesTyped tells that some rule is not left to the game.
func (v *NewStudy) RulesTyped() bool {
	return slices.ContainsFunc(v.Game.Rules, func(p service.ParamInfo) bool { return v.Form.Get("rule."+p.Name) != "" })
}

// Races are the methods of a race.
func (*NewStudy) Races() []string { return []string{"halving", "friedman", "none"} }
