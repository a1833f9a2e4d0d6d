package tournament

import (
	"context"

	"sakusen/engines/arena"
)

// Options say how a tournament is played.
type Options struct {
	Host   arena.Host
	Blocks int64 // of each pairing; 0 takes the file's
	// Progress, unless nil, is called with the number of blocks played so far, the number
	// of all, the games of the last ones, and their pairing.
	Progress func(blocks, of, games int64, pairing string)
	// Each, unless nil, is shown the result so far after every pairing; it must
	// not keep it.
	Each func(*Result)
}

// Result is what was played.
type Result struct {
	File   *File
	Blocks int64 // of each pairing
	Played []*PlayedPairing
}

// PlayedPairing is a pairing's series and all that is added up of it.
type PlayedPairing struct {
	Pairing
	Label  string // of rotation 0
	Seed   uint64
	Tally  arena.Tally
	Digest string // as match prints it

	scores   scores
	meetings meetings
	sides    *Sides // nil unless the file asks for it
	repeats  *repeats
}

// Distinct is the number of different blocks, by which errors go.
func (p *PlayedPairing) Distinct() int64 {
	if d := p.repeats.distinct(); d > 0 {
		return d
	}
	return p.Tally.Blocks
}

// Play plays all pairings, one after another. Blocks that the host keeps are
// not played again, so an interrupted tournament goes on where it stopped.
func (f *File) Play(ctx context.Context, o Options) (*Result, error) {
	r := &Result{File: f, Blocks: o.Blocks}
	if r.Blocks == 0 {
		r.Blocks = f.Blocks
	}
	done := int64(0)
	for _, p := range f.Pairings {
		played, err := f.play(ctx, p, o.Host, r.Blocks, func(run *arena.Run, label string) {
			done += int64(run.Blocks)
			if o.Progress != nil {
				o.Progress(done, r.Blocks*int64(len(f.Pairings)), int64(run.Blocks*run.Rotations), label)
			}
		})
		if err != nil {
			return nil, err
		}
		r.Played = append(r.Played, played)
		if o.Each != nil {
			o.Each(r)
		}
	}
	return r, nil
}

// play plays one pairing.
func (f *File) play(ctx context.Context, p Pairing, host arena.Host, blocks int64, tell func(*arena.Run, string)) (*PlayedPairing, error) {
	entrants := f.entrants(p)
	played := &PlayedPairing{
		Pairing: p, Label: f.label(p, 0), Seed: pairingSeed(f.Seed, entrants),
		scores: newScores(len(p)), meetings: newMeetings(p), repeats: newRepeats(f.Ruleset),
	}
	if f.SingleSided != "" {
		played.sides = newSides(f.Ruleset.Component(f.SingleSided), p.Mirror())
	}
	lines := newLines()
	s := arena.Series{Ruleset: f.Ruleset, Entrants: entrants, Seed: played.Seed, Phase: arena.Match, To: blocks}
	tally, err := host.Play(ctx, s, func(run *arena.Run) error {
		lines.add(run)
		played.scores.add(run)
		played.meetings.add(run)
		played.sides.add(run)
		played.repeats.add(run)
		tell(run, played.Label)
		return nil
	})
	played.Tally, played.Digest = tally, lines.sum()
	return played, err
}
