package play

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/arena/desk"
	"sakusen/engines/param"
	"sakusen/engines/plain"
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

// text is the record as a file.
func (r *SavedGame) text() []byte {
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
	text, err := plain.ReadFile(file, plain.MostRecord)
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

// ReplaysOf finds the game whose own replay file a text is; nil if it is one
// of our own records, or unknown.
func ReplaysOf(games catalogue.Games, text []byte) *desk.Replays {
	if isRecord(text) {
		return nil
	}
	for _, g := range games {
		if g.Room != nil && g.Room.Replays != nil && g.Room.Replays.Is(text) {
			return g.Room.Replays
		}
	}
	return nil
}

// writers are the games whose own replay files a flag names.
func writers(games catalogue.Games, flag string) []string {
	var names []string
	for _, g := range games {
		if g.Room != nil && g.Room.Replays != nil && g.Room.Replays.Flag == flag {
			names = append(names, g.Name)
		}
	}
	return names
}

// ReplaysHelp tells of the games' own replay files: the end of a help text.
func ReplaysHelp(games catalogue.Games) string {
	text := ""
	for _, g := range games {
		if g.Room != nil && g.Room.Replays != nil {
			text += fmt.Sprintf(" --replay also tells %s,\nwhich --%s writes.", g.Room.Replays.Doc, g.Room.Replays.Flag)
		}
	}
	return text
}

// Keepable reports, before a game is played, why it could not be saved in the named
// files: its record, and replay files of games by their flags. Empty names are none.
func Keepable(games catalogue.Games, game, record string, replays map[string]*string) error {
	errs := []error{flagged("save", record)}
	for _, flag := range slices.Sorted(maps.Keys(replays)) {
		if *replays[flag] == "" {
			continue
		}
		if writers := writers(games, flag); !slices.Contains(writers, game) {
			return fmt.Errorf("--%s: expected a game of %s, got %s", flag, strings.Join(writers, ", "), game)
		}
		errs = append(errs, flagged(flag, *replays[flag]))
	}
	return errors.Join(errs...)
}

func flagged(flag, file string) error {
	if err := writable(file); err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}

// Keep saves a game that was played: its record, where that is named or the game was
// broken off, and its replay. kept is the record's file of a game that can be gone on
// with; write writes a replay's file as a whole.
func (g *Game) Keep(record string, replays map[string]*string, write func(file string, text []byte) error) (kept string, err error) {
	if g.Broken && record == "" && len(g.Lines) > 0 {
		record = fmt.Sprintf("%s-%d.play", g.SavedGame.Game, g.Seed)
	}
	if record != "" {
		err = os.WriteFile(record, g.text(), 0o644)
	}
	for _, file := range replays { // one at most, by Keepable
		if *file != "" && g.Replay != nil {
			err = errors.Join(err, write(*file, g.Replay))
		}
	}
	if !g.Broken {
		record = ""
	}
	return record, err
}

// writable reports why a game could not be saved in a file, before it is played.
// No file, "", is no reason.
func writable(file string) error {
	if file == "" {
		return nil
	}
	if there, err := os.Stat(file); err == nil && there.IsDir() {
		return fmt.Errorf("expected a file, %s is a folder", file)
	}
	if there, err := os.Stat(filepath.Dir(file)); err != nil || !there.IsDir() {
		return fmt.Errorf("expected a file in a folder that exists, got %s", file)
	}
	return nil
}
