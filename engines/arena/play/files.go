package play

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/arena/desk"
)

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

// Writers are the games whose own replay files a flag names.
func Writers(games catalogue.Games, flag string) []string {
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
		if writers := Writers(games, flag); !slices.Contains(writers, game) {
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
		err = os.WriteFile(record, g.Text(), 0o644)
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
