package chart

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// KnownRow is what the search has learnt of a parameter, by its own model.
type KnownRow struct {
	Name, Cost, As string // "23 ± 4 Elo", and the values that are as good
	Bar            template.HTML
}

// knownRows are those of a result, those that matter most first.
func knownRows(all []tuner.Known) (rows []KnownRow) {
	most := 0.0
	for _, k := range all {
		most = math.Max(most, k.Importance)
	}
	order := Pick(len(all), len(all), func(int) bool { return true }, func(i, j int) int {
		switch {
		case all[i].Importance > all[j].Importance:
			return -1
		case all[i].Importance < all[j].Importance:
			return 1
		}
		return i - j
	})
	for _, i := range order {
		k := &all[i]
		r := KnownRow{Name: k.Name, Cost: numeral.Typeset(k.Importance, stats.Deviate95*k.Error) + " Elo"}
		if most > 0 {
			r.Bar = Bar(math.Max(0, k.Importance) / most)
		}
		switch {
		case k.Idle:
			r.As = "counts only with " + k.When + ", which the answer does not have"
		case len(k.Same) > 1:
			r.As = strings.Join(k.Same, ", ")
		case k.From != "" && k.From != k.To:
			r.As = fmt.Sprintf("%s to %s", brief(k.From), brief(k.To))
		}
		if k.When != "" && !k.Idle {
			r.As += "; counts only with " + k.When
		}
		if k.With != "" {
			r.As += "; depends on " + k.With
		}
		r.As = strings.TrimPrefix(r.As, "; ")
		rows = append(rows, r)
	}
	return rows
}

// brief is a number with three digits, any other text as it is.
func brief(text string) string {
	var x float64
	if n, err := fmt.Sscan(text, &x); n == 1 && err == nil && len(text) > 5 {
		return numeral.Page(fmt.Sprintf("%.3g", x))
	}
	return text
}
