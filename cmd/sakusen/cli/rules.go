package cli

import (
	"fmt"
	"strings"

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
