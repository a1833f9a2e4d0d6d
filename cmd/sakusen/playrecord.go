package main

import (
	"bytes"
	"fmt"
	"strings"

	"sakusen/engines/param"
)

// record is a game as a file keeps it: what was to be played, and what the
// person typed. Everything else follows from it.
//
//	sakusen game 1
//	game battleship
//	seed 7
//	rules width=8
//	entrant me
//	entrant EX
//	line random
//	line e5
type record struct {
	game     string
	rules    param.Values
	entrants []string
	seed     uint64
	lines    []string // as typed, in order
}

const recordHead = "sakusen game 1"

// text is the record as a file.
func (r *record) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\ngame %s\nseed %d\n", recordHead, r.game, r.seed)
	for _, v := range r.rules {
		fmt.Fprintf(&b, "rules %s=%s\n", v.Name, v.Text)
	}
	for _, e := range r.entrants {
		fmt.Fprintf(&b, "entrant %s\n", e)
	}
	for _, l := range r.lines {
		fmt.Fprintf(&b, "line %s\n", l)
	}
	return b.Bytes()
}

// readRecord reads a record; the error names the file and the line.
func readRecord(file string, text []byte) (record, error) {
	var r record
	seen := map[string]bool{}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, line := range lines {
		fail := func(format string, args ...any) (record, error) {
			return record{}, fmt.Errorf("%s:%d: %s", file, i+1, fmt.Sprintf(format, args...))
		}
		if i == 0 {
			if line != recordHead {
				return fail("expected %q, got %q", recordHead, line)
			}
			continue
		}
		key, value, _ := strings.Cut(line, " ")
		if (key == "game" || key == "seed") && seen[key] {
			return fail("expected %s once, got it twice", key)
		}
		seen[key] = true
		switch key {
		case "game":
			r.game = value
		case "seed":
			n, err := param.ParseSeed(value)
			if err != nil {
				return fail("seed: %v", err)
			}
			r.seed = uint64(n)
		case "rules":
			values, err := parseRules([]string{value})
			if err != nil {
				return fail("rules: expected name=value, got %q", value)
			}
			r.rules = append(r.rules, values...)
		case "entrant":
			r.entrants = append(r.entrants, value)
		case "line":
			r.lines = append(r.lines, value)
		default:
			return fail("expected game, seed, rules, entrant or line, got %q", key)
		}
	}
	for _, key := range []string{"game", "seed", "entrant"} {
		if !seen[key] {
			return record{}, fmt.Errorf("%s: expected a line that begins with %s, got none", file, key)
		}
	}
	return r, nil
}
