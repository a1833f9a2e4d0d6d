package lifeboats_test

import (
	"testing"

	"sakusen/tuner/experiment/experimenttest"
)

// The page prints the results that are kept here.
func TestPage(t *testing.T) { experimenttest.Page(t, "../../docs/lifeboats.md") }
