package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestFolders holds the first-level folders of tuner to one direction: where one
// imports another, however deep inside, nothing leads back, not even through a
// third. The package tuner itself is one of them.
func TestFolders(t *testing.T) {
	uses := map[string]map[string]string{} // by folder, the folders that it imports, each with one import
	for _, s := range moduleFiles(t) {
		from := roomOf(s.folder)
		if s.test || from == "" {
			continue
		}
		for _, imported := range s.imports {
			to := roomOf(strings.TrimPrefix(imported, "sakusen/"))
			if to == "" || to == from || !strings.HasPrefix(imported, "sakusen/") {
				continue
			}
			if uses[from] == nil {
				uses[from] = map[string]string{}
			}
			if uses[from][to] == "" {
				uses[from][to] = fmt.Sprintf("%s imports %s", s.path, imported)
			}
		}
	}
	if len(uses) < 10 {
		t.Fatalf("only %d folders of tuner import others", len(uses))
	}
	for _, circle := range circles(uses) {
		t.Errorf("these folders use each other: %s", strings.Join(circle, "; "))
	}
}

// roomOf returns the first-level folder of tuner in which a package stands, empty
// for one elsewhere.
func roomOf(folder string) string {
	parts := strings.Split(folder, "/")
	if parts[0] != "tuner" {
		return ""
	}
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// circles returns, for each group of folders that use one another, the reasons of
// all arrows inside it.
func circles(uses map[string]map[string]string) [][]string {
	reach := func(from string) map[string]bool {
		seen := map[string]bool{}
		for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
			for to := range uses[queue[0]] {
				if !seen[to] {
					seen[to] = true
					queue = append(queue, to)
				}
			}
		}
		return seen
	}
	var all [][]string
	done := map[string]bool{}
	for _, from := range slices.Sorted(maps.Keys(uses)) {
		there := reach(from)
		if done[from] || !there[from] {
			continue
		}
		var circle []string
		for _, a := range slices.Sorted(maps.Keys(there)) {
			if !reach(a)[from] {
				continue
			}
			done[a] = true
			for _, b := range slices.Sorted(maps.Keys(uses[a])) {
				if there[b] && reach(b)[from] {
					circle = append(circle, uses[a][b])
				}
			}
		}
		all = append(all, circle)
	}
	return all
}

// A circle is found however long it is, and none where there is none.
func TestCircles(t *testing.T) {
	for text, want := range map[string]string{
		"a>b b>c a>c":         "[]",
		"a>b b>c c>a c>d e>a": "[[a>b b>c c>a]]",
		"a>b b>a c>d d>c b>c": "[[a>b b>a] [c>d d>c]]",
	} {
		uses := map[string]map[string]string{}
		for arrow := range strings.FieldsSeq(text) {
			from, to, _ := strings.Cut(arrow, ">")
			if uses[from] == nil {
				uses[from] = map[string]string{}
			}
			uses[from][to] = arrow
		}
		if got := fmt.Sprint(circles(uses)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
