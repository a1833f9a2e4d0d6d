package tournament

import "sakusen/engines/arena"

// version is the version of the file format that this program reads.
const version = 1

// The formats of a tournament.
const (
	RoundRobin = "round_robin" // all against all
	Gauntlet   = "gauntlet"    // the first against each other
	Listed     = "listed"      // the pairings that the file lists
)

// defaultBlocks of each pairing.
const defaultBlocks = 1000

const (
	maxBlocks   = int64(1) << 40
	maxEntrants = 256
)

// File is a tournament file as read.
type File struct {
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

// entrant is the index of an entrant by name, -1 where there is none.
func (f *File) entrant(name string) int {
	for i, e := range f.Entrants {
		if e.Name == name {
			return i
		}
	}
	return -1
}

// names are the entrants' names.
func (f *File) names() []string {
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
