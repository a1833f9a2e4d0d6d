package tuner

import "sakusen/engines/arena"

// KeysAsked is the keys that the reader looks for in a study file, with [] for
// the index of a list.
func KeysAsked(text string, games arena.Catalogue, samplers Samplers) map[string]bool {
	r := &reader{file: "keys.yaml", asked: map[string]bool{}}
	// What is wrong with the file does not matter here.
	_, _ = readSpec(r, []byte(text), games, samplers, nil)
	return r.asked
}
