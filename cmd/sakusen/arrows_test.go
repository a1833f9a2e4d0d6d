package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestArrows draws the packages of tuner as the folders in which they stand: an arrow
// runs from one folder to another of which it imports a package. Folders stand in an order
// in which each uses only those before it, so a reader can take them one by one; -v
// prints the order with the arrows.
func TestArrows(t *testing.T) {
	uses := map[string]map[string]string{} // folder, folder that it uses: one import
	for _, s := range moduleFiles(t) {
		from := roomOf(s.folder)
		if s.test || from == "" {
			continue
		}
		if uses[from] == nil {
			uses[from] = map[string]string{}
		}
		for _, i := range s.imports {
			if to := roomOf(strings.TrimPrefix(i, "sakusen/")); to != "" && to != from {
				uses[from][to] = s.path + " imports " + i
			}
		}
	}
	if len(uses) < 10 {
		t.Fatalf("found %d folders: the test looks in the wrong place", len(uses))
	}
	for len(uses) > 0 {
		free := slices.Sorted(maps.Keys(uses))
		free = slices.DeleteFunc(free, func(f string) bool { return len(uses[f]) > 0 })
		if len(free) == 0 {
			for from, tos := range uses {
				for to, why := range tos {
					t.Errorf("%s and %s stand in a circle of folders: %s", from, to, why)
				}
			}
			return
		}
		t.Log(strings.Join(free, ", "))
		for _, f := range free {
			delete(uses, f)
		}
		for _, tos := range uses {
			for _, f := range free {
				delete(tos, f)
			}
		}
	}
}

// roomOf returns the first folder below tuner in which a package stands, "tuner" for the
// root, and "" outside.
func roomOf(folder string) string {
	if folder == "tuner" {
		return folder
	}
	rest, ok := strings.CutPrefix(folder, "tuner/")
	if !ok {
		return ""
	}
	room, _, _ := strings.Cut(rest, "/")
	return room
}
