package play

import (
	"fmt"
	"os"
	"path/filepath"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/arena/desk"
)

// ReplaysOf finds the game whose own replay file a text is; nil if it is one
// of our own records, or unknown.
func ReplaysOf(games catalogue.Games, text []byte) *desk.Replays {
	if IsRecord(text) {
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

// Writable reports why a game could not be saved in a file, before it is played.
// No file, "", is no reason.
func Writable(file string) error {
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
