package cli

import (
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// parseRules reads the values of repeated flags --rules name=value.
func parseRules(texts []string) (param.Values, error) {
	var values param.Values
	for _, t := range texts {
		name, value, ok := strings.Cut(t, "=")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("--rules: expected name=value, got %q", t)
		}
		values = append(values, param.Value{Name: strings.TrimSpace(name), Text: strings.TrimSpace(value)})
	}
	return values, nil
}

// openRules fixes a game's rules; every mistake is in the error.
func openRules(game *arena.Game, rules param.Values) (*arena.Ruleset, error) {
	rs, errs := game.Open(rules)
	if len(errs) > 0 {
		return nil, fmt.Errorf("rules of %s: %w", game.Name, errors.Join(errs...))
	}
	return rs, nil
}
