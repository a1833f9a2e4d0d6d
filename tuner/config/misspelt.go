package config

import (
	"fmt"
	"strings"

	"sakusen/engines/param"
)

// prefix begins the variables of settings.
const prefix = "SAKUSEN_"

// misspelt warns of variables of the environment that begin with SAKUSEN_, are no
// setting, and are near to the variable of one. Others may be somebody else's.
func misspelt(environ []string) []string {
	var known []string
	for _, s := range Settings() {
		known = append(known, strings.TrimPrefix(s.environment(), prefix))
	}
	var warnings []string
	for _, variable := range environ {
		name, text, _ := strings.Cut(variable, "=")
		own, ours := strings.CutPrefix(name, prefix)
		if !ours || text == "" {
			continue
		}
		near, ok := param.Nearest(own, known)
		if own == "DB" { // as the flag is called
			near, ok = "DATABASE", true
		}
		if ok && near != own && (len(own) > 4 || own == "DB") { // short names are near to anything
			warnings = append(warnings, fmt.Sprintf("config: %s is no setting and is ignored (did you mean %s?)", name, prefix+near))
		}
	}
	return warnings
}
