package main

import (
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/store"
)

// storedSpec reads the spec that a study was made with.
func storedSpec(d store.Details) (*tuner.Spec, error) {
	spec, err := tuner.ParseSpec([]byte(d.Spec))
	if err != nil {
		return nil, fmt.Errorf("study %q: %w", d.Name, err)
	}
	return spec, nil
}
