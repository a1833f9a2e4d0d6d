package main

import (
	"fmt"
	"os"

	"sakusen/engines/tubstap"
)

// readMap reads a TUBSTAP map named by a path on the command line's side.
func readMap(path string) (*tubstap.Map, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	m, _, err := tubstap.ParseMap(text)
	if err != nil {
		return nil, fmt.Errorf("map: %s: %w", path, err)
	}
	return m, nil
}
