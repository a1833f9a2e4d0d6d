package films

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/lru"
	"sakusen/tuner"
	"sakusen/tuner/insight/chronicle"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

const (
	indexesKept  = 4   // studies whose meetings are kept at hand
	meetingsMost = 500 // meetings of a trial that are listed
)

// indexes are the meetings of the studies that were looked at last. A log only grows, so an
// index is only made anew when its place is needed for another study.
type indexes struct {
	mu  sync.Mutex
	all *lru.Cache[indexKey, *index]
}

// indexKey names a study that may have been made anew under the same number.
type indexKey struct {
	id   int
	hash string // of its spec
}

func newIndexes() *indexes { return &indexes{all: lru.New[indexKey, *index](indexesKept)} }

// index is the meetings of one study.
type index struct {
	mu         sync.Mutex
	spec       *tuner.Setup
	meetings   *chronicle.Meetings
	read       int    // entries
	signatures string // of today's code
	recorded   string // why its games cannot be played again, empty where they can
}

// find is the index of a study, not yet up to date.
func (x *indexes) find(d *store.Details) *index {
	x.mu.Lock()
	defer x.mu.Unlock()
	key := indexKey{d.ID, d.SpecHash}
	one, ok := x.all.Get(key)
	if !ok {
		one = &index{}
		x.all.Put(key, one)
	}
	return one
}

// meetings is what a trial has met.
func (t *Theatre) meetings(ctx context.Context, d *store.Details, trial int) (*index, []chronicle.Meeting, error) {
	x := t.indexes.find(d)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.spec == nil {
		stored, err := service.StoredSpec(*d)
		var spec *tuner.Setup
		if err == nil {
			spec, err = tuner.Prepare(stored, t.games.Arena())
		}
		if err != nil {
			return nil, nil, service.New(service.Conflict, clipped(fmt.Sprintf("what study %q has played cannot be shown by this program: %v", d.Name, err)))
		}
		if x.recorded, err = spec.Ruleset.Recorded(spec.Strategies()...); err != nil {
			return nil, nil, err
		}
		if x.signatures, err = spec.Ruleset.Signatures(ctx, spec.Strategies()...); err != nil {
			return nil, nil, err
		}
		x.spec = spec
	}
	if x.meetings == nil || d.Entries < x.read { // a study that begins anew has a shorter log
		x.meetings, x.read = chronicle.NewMeetings(x.spec), 0
	}
	for e, err := range t.store.Study(d.ID).EntriesAfter(ctx, x.read) {
		if err != nil {
			return nil, nil, err
		}
		if err := x.meetings.Add(e); err != nil {
			x.meetings = nil
			return nil, nil, fmt.Errorf("study %q, entry %d: %w", d.Name, x.read+1, err)
		}
		x.read++
	}
	if trial >= x.meetings.Trials() {
		return nil, nil, service.New(service.NotFound, fmt.Sprintf("study %q has no trial %d", d.Name, trial))
	}
	list, err := x.meetings.Of(trial)
	for i := range list {
		list[i].Series.Entrants = named(x.spec, list[i].Series.Entrants, list[i].Trial)
	}
	return x, list, err
}

// named gives the baseline its name; others keep theirs.
func named(s *tuner.Setup, entrants []arena.Entrant, trial int) []arena.Entrant {
	out := slices.Clone(entrants)
	for i := range out {
		if i != trial && s.Baseline != "" && out[i].Canonical() == s.Baseline {
			out[i].Name = "baseline"
		}
	}
	return out
}

// rotations is the number of games in a block: rotations of equals are one game.
func rotations(entrants []arena.Entrant) int {
	for _, e := range entrants[1:] {
		if e.Canonical() != entrants[0].Canonical() {
			return len(entrants)
		}
	}
	return 1
}
