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
	// Each, unless nil, is shown the result so far after every slice of a pairing;
	// it must not keep it.
	Each func(*Result)
}

// Result is what was played.
type Result struct {
	File   *File
	Blocks int64 // of each pairing, at least
	Played []*PlayedPairing
}

// PlayedPairing is a pairing's series and all that is added up of it.
type PlayedPairing struct {
	Pairing
	Label  string // of rotation 0
	Seed   uint64
	Tally  arena.Tally
	Digest string // as match prints it

	lines    lines
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

// turns is the number of turns in which the pairings are played, and turnLeast
// the least number of blocks of a turn: shorter ones would leave workers idle at
// its end.
const (
	turns     = 20
	turnLeast = 128
)

// Play plays all pairings, a slice of blocks of each in turn, so that what is
// played so far can be compared at any time. Blocks that the host keeps are not
// played again, so an interrupted tournament goes on where it stopped.
func (f *File) Play(ctx context.Context, o Options) (*Result, error) {
	blocks := o.Blocks
	if blocks == 0 {
		blocks = f.Blocks
	}
	r, done := &Result{File: f}, int64(0)
	all := make([]*PlayedPairing, len(f.Pairings))
	for i, p := range f.Pairings {
		all[i] = f.begin(p)
	}
	tell := func(run *arena.Run, label string) {
		done += int64(run.Blocks)
		if o.Progress != nil {
			o.Progress(done, blocks*int64(len(all)), int64(run.Blocks*run.Rotations), label)
		}
	}
	step := max(turnLeast, (blocks+turns-1)/turns)
	for from := int64(0); from < blocks; from += step {
		to := min(blocks, from+step)
		for i, p := range all {
			if err := f.play(ctx, p, o.Host, from, to, tell); err != nil {
				return nil, err
			}
			r.Played, r.Blocks = all[:max(i+1, len(r.Played))], from
			if from == 0 || i == len(all)-1 {
				r.Blocks = to
			}
			if o.Each != nil {
				o.Each(r)
			}
		}
	}
	return r, nil
}

// begin is a pairing of which nothing is played yet.
func (f *File) begin(p Pairing) *PlayedPairing {
	played := &PlayedPairing{
		Pairing: p, Label: f.label(p, 0), Seed: pairingSeed(f.Seed, f.entrants(p)), lines: newLines(),
		scores: newScores(len(p)), meetings: newMeetings(p), repeats: newRepeats(f.Ruleset),
	}
	if f.SingleSided != "" {
		played.sides = newSides(f.Ruleset.Component(f.SingleSided), p.Mirror())
	}
	return played
}

// play plays blocks from..to of one pairing.
func (f *File) play(ctx context.Context, played *PlayedPairing, host arena.Host, from, to int64, tell func(*arena.Run, string)) error {
	s := arena.Series{Ruleset: f.Ruleset, Entrants: f.entrants(played.Pairing), Seed: played.Seed, Phase: arena.Match, From: from, To: to}
	tally, err := host.Play(ctx, s, func(run *arena.Run) error {
		played.lines.add(run)
		played.scores.add(run)
		played.meetings.add(run)
		played.sides.add(run)
		played.repeats.add(run)
		tell(run, played.Label)
		return nil
	})
	if err != nil {
		return err
	}
	played.Digest = played.lines.sum()
	if from == 0 {
		played.Tally = tally
		return nil
	}
	return played.Tally.Merge(tally)
}
