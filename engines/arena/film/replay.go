package film

import (
	"context"
	"errors"
	"fmt"
	"unicode"

	"sakusen/engines/arena"
)

// Replays is a game's own kind of replay files, which other programs write.
type Replays struct {
	// Doc says what these files are: "A replay file (.sgf)".
	Doc string
	// Options names the options of the rules that a file leaves open.
	Options []string
	// Open reads a file and checks the game in it against the rules.
	Open func(rs *arena.Ruleset, text []byte) (*Replay, error)
}

// Replay is a game that a replay file holds.
type Replay struct {
	Seats    []string // the players' names by seat
	Warnings []string // about the file, which can be read all the same
	// Scores are shares of the game by seat, 0 to 1; nil where the file ends
	// before the game does.
	Scores []float64
	// Digest is that of the game's transcript, where its record tells all of it; else 0.
	Digest uint64
	// Show shows the game's events in order. An error of see ends it and is
	// returned.
	Show func(see func(event any) error) error
}

// ShootReplay films a game that a replay file holds; it is Shoot otherwise. The
// film has no result: nothing is played, and who wins is in the last frame.
func ShootReplay(ctx context.Context, scene Scene, rs *arena.Ruleset, r *Replay, limits Limits, each func(Frame) error) (Film, error) {
	f := Film{Game: rs.Game.Name, Rules: rs.Rules}
	for _, name := range r.Seats {
		f.Entrants = append(f.Entrants, arena.Entrant{Name: name})
	}
	if scene.Draw == nil {
		return f, fmt.Errorf("%s: a replay file is shown by the game's drawer, and it has none", f.Game)
	}
	if each == nil {
		each = func(one Frame) error {
			f.Frames = append(f.Frames, one)
			return nil
		}
	}
	c := newCamera(ctx, limits, each)
	defer c.leave(nil)
	d, err := scene.Draw(rs, r.Seats, c.emit)
	if err != nil {
		return f, err
	}
	err = r.Show(d.See)
	if errors.Is(err, errCut) {
		f.Cut = c.cut
		return f, nil
	}
	return f, err
}

// Clean makes a line of at most so many characters of a text in a file, which
// may be bytes of any coding.
func Clean(text string, most int) string {
	clean := []rune(text)
	clean = clean[:min(len(clean), most)]
	for i, r := range clean {
		if !unicode.IsPrint(r) {
			clean[i] = ' '
		}
	}
	return string(clean)
}
