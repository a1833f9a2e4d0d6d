package cli

import (
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/studyfile"
)

// catalogueOf is the catalogue for files of the user in a folder, "." for a command line:
// their rules may name files relative to it. Embedded files, and what came through the API,
// have no folder and cannot name files.
func (a *app) catalogueOf(folder string) arena.Catalogue {
	if folder == "" || a.readIn == nil {
		return a.catalogue
	}
	return a.catalogue.Reading(a.readIn(folder))
}

// settleFiles puts what a file holds where a rule of a file in a folder names one
// by its path.
func (a *app) settleFiles(text []byte, folder string) []byte {
	return studyfile.SettleFiles(text, a.catalogue, a.catalogueOf(folder))
}

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
