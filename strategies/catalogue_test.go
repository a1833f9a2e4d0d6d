package strategies_test

import (
	"testing"

	"sakusen/strategies"
)

func TestCatalogueIsSound(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range strategies.Catalogue() {
		if seen[g.Name] {
			t.Errorf("game %s is entered twice", g.Name)
		}
		seen[g.Name] = true
		if err := g.Validate(); err != nil {
			t.Error(err)
		}
	}
}
