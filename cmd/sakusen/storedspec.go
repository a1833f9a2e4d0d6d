package main

import (
	"encoding/json"
	"fmt"

	"sakusen/tuner"
	"sakusen/tuner/store"
)

// storedSpec reads the spec that a study was made with.
func storedSpec(d store.Details) (*tuner.Spec, error) {
	spec := new(tuner.Spec)
	if err := json.Unmarshal([]byte(d.Spec), spec); err != nil {
		return nil, fmt.Errorf("study %q: stored spec: %w", d.Name, err)
	}
	return spec, nil
}
