package strategies_test

import (
	"testing"

	"sakusen/strategies"
)

func TestCatalogueIsSound(t *testing.T) {
	if err := strategies.Catalogue().Validate(); err != nil {
		t.Fatal(err)
	}
}
