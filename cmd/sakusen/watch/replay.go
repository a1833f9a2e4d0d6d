package watch

import (
	"context"
	"errors"
	"unicode"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
)

// longName bounds a player's name in a record, characters.
const longName = 40

// Replay films a TUBSTAP game that a replay file (.sgf) holds; it is Shoot
// otherwise. A record that the rules refuse is an error before the first frame.
// The film has no result: nothing is played, and who wins is in the last frame.
func Replay(ctx context.Context, r *tubstap.Record, rules tubstap.Rules, limits Limits, each func(Frame) error) (Film, error) {
	f := Film{Game: "tubstap", Entrants: []arena.Entrant{{Name: Clean(r.Red, longName)}, {Name: Clean(r.Blue, longName)}}}
	if each == nil {
		each = func(one Frame) error {
			f.Frames = append(f.Frames, one)
			return nil
		}
	}
	c := newCamera(ctx, limits, each)
	defer c.leave(nil)
	d, err := newTubstap(nil, []string{f.Entrants[0].Name, f.Entrants[1].Name}, c.emit)
	if err != nil {
		return f, err
	}
	err = r.Events(rules, func(event any) error { return d.See(event) })
	if errors.Is(err, errCut) {
		f.Cut = c.cut
		return f, nil
	}
	return f, err
}

// Clean makes a line of at most so many characters of a text in a record, which
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
