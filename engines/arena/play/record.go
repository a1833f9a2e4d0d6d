package play

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"strings"

	"sakusen/engines/param"
)

// SavedGame is a game as a file keeps it: what was to be played, and what the
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
type SavedGame struct {
	Game     string
	Rules    param.Values
	Entrants []string
	Seed     uint64
	Lines    []string // as typed, in order
}

const recordHead = "sakusen game 1"

// Text is the record as a file.
func (r *SavedGame) Text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\ngame %s\nseed %d\n", recordHead, r.Game, r.Seed)
	for _, v := range r.Rules {
		fmt.Fprintf(&b, "rules %s=%s\n", v.Name, v.Text)
	}
	for _, e := range r.Entrants {
		fmt.Fprintf(&b, "entrant %s\n", e)
	}
	for _, l := range r.Lines {
		fmt.Fprintf(&b, "line %s\n", l)
	}
	return b.Bytes()
}

// isRecord tells a record from files of other kinds.
func isRecord(text []byte) bool { return bytes.HasPrefix(text, []byte(recordHead)) }

// DrawSeed draws a seed that is short enough to be typed.
func DrawSeed() uint64 {
	var b [4]byte
	rand.Read(b[:]) // never fails
	return uint64(binary.BigEndian.Uint32(b[:]))
}

// Load reads a record from its file.
func Load(file string) (SavedGame, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return SavedGame{}, err
	}
	return readRecord(file, text)
}

// readRecord reads a record; the error names the file and the line.
func readRecord(file string, text []byte) (SavedGame, error) {
	var r SavedGame
	seen := map[string]bool{}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, line := range lines {
		fail := func(format string, args ...any) (SavedGame, error) {
			return SavedGame{}, fmt.Errorf("%s:%d: %s", file, i+1, fmt.Sprintf(format, args...))
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
			r.Game = value
		case "seed":
			n, err := param.ParseSeed(value)
			if err != nil {
				return fail("seed: %v", err)
			}
			r.Seed = uint64(n)
		case "rules":
			name, option, ok := strings.Cut(value, "=")
			if name = strings.TrimSpace(name); !ok || name == "" {
				return fail("rules: expected name=value, got %q", value)
			}
			r.Rules = append(r.Rules, param.Value{Name: name, Text: strings.TrimSpace(option)})
		case "entrant":
			r.Entrants = append(r.Entrants, value)
		case "line":
			r.Lines = append(r.Lines, value)
		default:
			return fail("expected game, seed, rules, entrant or line, got %q", key)
		}
	}
	for _, key := range []string{"game", "seed", "entrant"} {
		if !seen[key] {
			return SavedGame{}, fmt.Errorf("%s: expected a line that begins with %s, got none", file, key)
		}
	}
	return r, nil
}
