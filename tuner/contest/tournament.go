package contest

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"sort"
	"strconv"
	"strings"

	"sakusen/engines/arena"
)

// The formats of a tournament.
const (
	roundRobin = "round_robin" // all against all
	gauntlet   = "gauntlet"    // the first against each other
	listed     = "listed"      // the pairings that the file lists
)

// defaultBlocks of each pairing.
const defaultBlocks = 1000

const (
	maxBlocks   = int64(1) << 40
	maxEntrants = 256
)

// Tournament is a tournament file as read.
type Tournament struct {
	Name, Doc, Source string
	Ruleset           *arena.Ruleset
	Entrants          []arena.Entrant // with names of their own
	Format            string
	Selfplay          bool
	Pairings          []Pairing
	orders            map[string]sitting // by label
	Blocks            int64              // of each pairing
	Seed              uint64
	// SingleSided names a component that counts how long a side takes, whatever
	// the other does; see Sides. Empty: there is none.
	SingleSided string
	Metrics     []Metric
	Expect      []Expectation
	// Note says what was tried if a value does not agree and its own expectation has no
	// note.
	Note string
}

// entrant returns the index of an entrant by name, -1 where there is none.
func (f *Tournament) entrant(name string) int {
	for i, e := range f.Entrants {
		if e.Name == name {
			return i
		}
	}
	return -1
}

// names returns the entrants' names.
func (f *Tournament) names() []string {
	names := make([]string, len(f.Entrants))
	for i, e := range f.Entrants {
		names[i] = e.Name
	}
	return names
}

// Expectation is a printed value.
type Expectation struct {
	// Label is the entrants in the order of the seats, "MP70 - RNB", or one
	// entrant for an average.
	Label   string
	Metric  Metric
	Printed string // the digits as printed; empty where nothing is printed
	// HalfWidth is half of the printed 95 % interval, 0 where there is none.
	HalfWidth float64
	// Note says what was tried where the measured value does not agree.
	Note string
}

// separator stands between the names of a label.
const separator = " - "

// Pairing is who meets: one entrant for each seat, by index, as they sit in
// rotation 0.
type Pairing []int

// mirror reports whether it is an entrant against itself.
func (p Pairing) mirror() bool {
	for _, e := range p[1:] {
		if e != p[0] {
			return false
		}
	}
	return true
}

// orders returns the number of orderings that its blocks are played in.
func (p Pairing) orders() int {
	if p.mirror() {
		return 1
	}
	return len(p)
}

// member returns the index into the pairing of who sits in a seat in a rotation.
func (p Pairing) member(seat, rotation int) int {
	return (seat - rotation + len(p)) % len(p)
}

// label names the entrants in the order of the seats, "MP70 - RNB".
func (f *Tournament) label(p Pairing, rotation int) string {
	names := make([]string, len(p))
	for seat := range p {
		names[seat] = f.Entrants[p[p.member(seat, rotation)]].Name
	}
	return strings.Join(names, separator)
}

// order finds the pairing and the rotation of a label.
func (f *Tournament) order(label string) (pairing, rotation int, ok bool) {
	o, ok := f.orders[label]
	return o.pairing, o.rotation, ok
}

// meet adds a pairing and its labels.
func (f *Tournament) meet(p Pairing) {
	if f.orders == nil {
		f.orders = map[string]sitting{}
	}
	for r := range p.orders() {
		if label := f.label(p, r); !f.plays(label) {
			f.orders[label] = sitting{len(f.Pairings), r}
		}
	}
	f.Pairings = append(f.Pairings, p)
}

// plays reports whether a label stands for something that is played.
func (f *Tournament) plays(label string) bool {
	_, ok := f.orders[label]
	return ok
}

// labels returns all orderings that are played.
func (f *Tournament) labels() []string {
	var all []string
	for _, p := range f.Pairings {
		for r := range p.orders() {
			all = append(all, f.label(p, r))
		}
	}
	return all
}

// entrants returns the entrants of a pairing, with unique names.
func (f *Tournament) entrants(p Pairing) []arena.Entrant {
	entrants := make([]arena.Entrant, len(p))
	for i, e := range p {
		entrants[i] = f.Entrants[e]
	}
	return arena.Distinct(entrants)
}

// pairingSeed returns the seed of a pairing's series: the head of the sha256 of the
// file's seed and of what the entrants play, in either order of the two.
func pairingSeed(seed uint64, entrants []arena.Entrant) uint64 {
	texts := make([]string, len(entrants))
	for i, e := range entrants {
		texts[i] = e.Canonical()
	}
	sort.Strings(texts)
	sum := sha256.Sum256([]byte(strconv.FormatUint(seed, 10) + "\n" + strings.Join(texts, "\n") + "\n"))
	return binary.BigEndian.Uint64(sum[:])
}

// sitting is a rotation of a pairing.
type sitting struct{ pairing, rotation int }

// sittings returns all orderings in which an entrant has a seat.
func (f *Tournament) sittings(entrant string, seat int) []sitting {
	var all []sitting
	index := f.entrant(entrant)
	for i, p := range f.Pairings {
		for r := range p.orders() {
			if p[p.member(seat, r)] == index {
				all = append(all, sitting{i, r})
			}
		}
	}
	return all
}

// Metric is a column of a printed table: a metric, and the seat in which it is measured.
type Metric struct {
	Name string
	// Of is "score", or a metric of the game.
	Of    string
	Seat  int // from 0
	Scale float64
	// Average is over all pairings in which an entrant sits in the seat, itself
	// among the opponents where selfplay is asked for.
	Average bool
}

// score is the metric that every game has.
const score = "score"

func (f *Tournament) metric(name string) (Metric, bool) {
	for _, m := range f.Metrics {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}

// TournamentOptions say how a tournament is played.
type TournamentOptions struct {
	Host   arena.Host
	Blocks int64 // of each pairing; 0 takes the file's
	// Progress, unless nil, is called with the number of blocks played so far, the number
	// of all, the games of the last ones, and their pairing.
	Progress func(blocks, of, games int64, pairing string)
	// Each, unless nil, is shown the result so far after every slice of a pairing;
	// it must not keep it.
	Each func(*TournamentResult)
}

// TournamentResult is the result of a tournament.
type TournamentResult struct {
	File   *Tournament
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

	digest   *digest
	scores   scores
	meetings meetings
	sides    *sides // nil unless the file asks for it
	repeats  *repeats
}

// distinct returns the number of different blocks, by which errors go.
func (p *PlayedPairing) distinct() int64 {
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
func (f *Tournament) Play(ctx context.Context, o TournamentOptions) (*TournamentResult, error) {
	blocks := o.Blocks
	if blocks == 0 {
		blocks = f.Blocks
	}
	r, done := &TournamentResult{File: f}, int64(0)
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

// begin returns a pairing of which nothing is played yet.
func (f *Tournament) begin(p Pairing) *PlayedPairing {
	played := &PlayedPairing{
		Pairing: p, Label: f.label(p, 0), Seed: pairingSeed(f.Seed, f.entrants(p)), digest: newDigest(),
		scores: newScores(len(p)), meetings: newMeetings(p), repeats: newRepeats(f.Ruleset),
	}
	if f.SingleSided != "" {
		played.sides = newSides(f.Ruleset.Component(f.SingleSided), p.mirror())
	}
	return played
}

// play plays blocks from..to of one pairing.
func (f *Tournament) play(ctx context.Context, played *PlayedPairing, host arena.Host, from, to int64, tell func(*arena.Run, string)) error {
	s := arena.Series{Ruleset: f.Ruleset, Entrants: f.entrants(played.Pairing), Seed: played.Seed, Phase: arena.Match, From: from, To: to}
	tally, err := host.Play(ctx, s, func(run *arena.Run) error {
		played.digest.add(run)
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
	played.Digest = played.digest.sum()
	if from == 0 {
		played.Tally = tally
		return nil
	}
	return played.Tally.Merge(tally)
}
