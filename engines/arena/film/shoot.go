package film

import (
	"context"
	"errors"
	"fmt"
	"unicode"

	"sakusen/engines/arena"
)

// Limits bound a film; zeros stand for the defaults.
type Limits struct {
	Frames int // frames, 5000 where it is 0
	Bytes  int // bytes of captions and drawings, 64 MiB where it is 0
}

const (
	defaultFrames = 5000
	defaultBytes  = 64 << 20
)

// errCut ends a film that has met its limits.
var errCut = errors.New("the film is full")

// Shoot films one game of a series, the given rotation of its first block, with
// the drawer of the game's scene. Each
// frame goes to each, if that is given, as soon as it is drawn, and otherwise
// into the film. An error of each, or the end of the context, ends the game at
// its next event.
func Shoot(ctx context.Context, scene Scene, s arena.Series, rotation int, limits Limits, each func(Frame) error) (Film, error) {
	f := Film{Entrants: s.Entrants, Seed: s.Seed, Phase: s.Phase, Block: s.From, Rotation: rotation}
	if err := s.Check(); err != nil {
		return f, err
	}
	f.Game, f.Rules = s.Ruleset.Game.Name, s.Ruleset.Rules
	c := newCamera(ctx, limits, f.frames(each))
	defer c.leave(nil)
	s.Story, s.Tell, s.Watch = nil, nil, nil
	if scene.Draw == nil {
		s.Story = func(line string) { c.note(c.emit(Frame{Seat: Nobody, Text: line})) }
	} else {
		d, err := scene.Draw(s.Ruleset, SeatNames(s.Entrants, rotation), c.emit)
		if err != nil {
			return f, err
		}
		s.Watch = func(int64, int) func(any) { return func(event any) { c.note(d.See(event)) } }
	}
	run, err := arena.One(c.ctx, &s, f.Block, rotation)
	if failed := context.Cause(c.ctx); failed != nil {
		err = failed
	}
	if errors.Is(err, errCut) {
		f.Cut = c.cut
		return f, nil
	}
	if err == nil {
		f.Result = resultOf(run, rotation)
	}
	return f, err
}

// camera takes frames until a limit is met.
type camera struct {
	ctx           context.Context
	leave         context.CancelCauseFunc
	each          func(Frame) error
	frames, bytes int // taken
	most          Limits
	cut           string
}

// frames returns each, or without one a function that keeps the frames in the film.
func (f *Film) frames(each func(Frame) error) func(Frame) error {
	if each != nil {
		return each
	}
	return func(one Frame) error {
		f.Frames = append(f.Frames, one)
		return nil
	}
}

func newCamera(ctx context.Context, most Limits, each func(Frame) error) *camera {
	if most.Frames <= 0 {
		most.Frames = defaultFrames
	}
	if most.Bytes <= 0 {
		most.Bytes = defaultBytes
	}
	c := &camera{each: each, most: most}
	c.ctx, c.leave = context.WithCancelCause(ctx)
	return c
}

// emit takes one frame and numbers it. On an error the drawer draws no more.
func (c *camera) emit(f Frame) error {
	if err := context.Cause(c.ctx); err != nil {
		return err
	}
	c.bytes += len(f.Text) + len(f.SVG)
	switch {
	case c.frames >= c.most.Frames:
		c.cut = fmt.Sprintf("the film ends after %d frames, before the game does", c.frames)
		return errCut
	case c.bytes > c.most.Bytes:
		c.cut = fmt.Sprintf("the film ends after %d frames, which fill %d bytes, before the game does", c.frames, c.most.Bytes)
		return errCut
	}
	f.Step = c.frames
	c.frames++
	return c.each(f)
}

// note ends the game on an error.
func (c *camera) note(err error) {
	if err != nil {
		c.leave(err)
	}
}

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
	Warnings []string // about the file, which can still be read
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
	c := newCamera(ctx, limits, f.frames(each))
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
