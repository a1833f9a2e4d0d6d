package main

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/lru"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/chronicle"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/web"
)

const (
	indexesKept  = 4   // studies whose meetings are kept at hand
	meetingsMost = 500 // meetings of a trial that are listed
)

// indexes are the meetings of the studies that were looked at last. A log only
// grows, so that an index is never made anew but for another study.
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
func (t *theatre) meetings(ctx context.Context, d *store.Details, trial int) (*index, []chronicle.Meeting, error) {
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
		if x.signatures, err = spec.Ruleset.Signatures(ctx, spec.Strategies()...); err != nil {
			return nil, nil, err
		}
		x.spec = spec
	}
	if x.meetings == nil || d.Entries < x.read { // a study that begins anew has a shorter log
		x.meetings, x.read = chronicle.NewMeetings(x.spec), 0
	}
	for e, err := range t.store.EntriesAfter(ctx, d.ID, x.read) {
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

// Games implements web.Theatre.
func (t *theatre) Games(ctx context.Context, q web.GamesQuery) (*web.TrialGames, error) {
	d, err := service.FindStudy(ctx, t.store, q.Study)
	if err != nil {
		return nil, err
	}
	_, list, err := t.meetings(ctx, &d, q.Trial)
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(list, func(m chronicle.Meeting) bool { return m.Series.Phase.String() == q.Phase }); at >= 0 {
		q.Meeting = at
	}
	out := &web.TrialGames{Study: q.Study, Trial: q.Trial, Meetings: []web.TrialMeeting{}, Meeting: q.Meeting, Games: []web.TrialGame{}}
	for i, m := range list {
		if i >= meetingsMost && i != q.Meeting {
			out.Omitted++
			continue
		}
		line := web.TrialMeeting{
			Meeting: i, Phase: m.Series.Phase.String(), Opponent: m.Nth, Seed: param.Seed(m.Series.Seed).String(),
			From: m.Series.From, To: m.Series.To, Rotations: rotations(m.Series.Entrants),
		}
		for _, e := range m.Series.Entrants {
			line.Entrants = append(line.Entrants, e.Name)
		}
		out.Meetings = append(out.Meetings, line)
	}
	if q.Meeting >= len(list) {
		if q.Meeting > 0 {
			return nil, service.New(service.NotFound, fmt.Sprintf("trial %d has %d meetings, and no meeting %d", q.Trial, len(list), q.Meeting))
		}
		return out, nil
	}
	return out, t.page(ctx, out, &list[q.Meeting], q)
}

// page lists the games of at most q.Limit blocks of a meeting.
func (t *theatre) page(ctx context.Context, out *web.TrialGames, m *chronicle.Meeting, q web.GamesQuery) error {
	s := m.Series
	to := s.To
	s.From = max(s.From, q.From)
	s.To = min(to, s.From+int64(q.Limit))
	if s.From >= s.To {
		return nil
	}
	stored, err := t.host.Stored(ctx, s)
	if err != nil {
		return err
	}
	for block := s.From; block < s.To; block++ {
		for r := range rotations(s.Entrants) {
			game := web.TrialGame{Block: block, Rotation: r}
			if run, at, ok := storedGame(stored, block, r); ok {
				mine := run.Game(0, at, (m.Trial+r)%run.Seats)
				score := float64(mine[0]) / float64(arena.Scale(run.Seats))
				game.Recorded, game.Score, game.Digest = true, &score, fmt.Sprintf("%016x", run.Digests[at])
				for seat := range run.Seats {
					game.Fault = game.Fault || run.Game(0, at, seat)[1] != 0
				}
			}
			out.Games = append(out.Games, game)
		}
	}
	if s.To < to {
		out.Next = &s.To
	}
	return nil
}

// storedGame finds a game among stored runs: a run of its block alone, and its
// place in it.
func storedGame(stored []*arena.Run, block int64, rotation int) (run *arena.Run, at int, ok bool) {
	for _, r := range stored {
		if block >= r.From && block < r.From+int64(r.Blocks) {
			return r.Slice(block, block+1), rotation % r.Rotations, true
		}
	}
	return nil, 0, false
}

// openStored opens a game of a study's record.
func (t *theatre) openStored(ctx context.Context, ticket web.Ticket) (*web.Showing, error) {
	d, err := service.FindStudy(ctx, t.store, ticket.Study)
	if err != nil {
		return nil, err
	}
	phase, err := arena.ParsePhase(ticket.Phase)
	if ticket.Phase == "" {
		phase, err = arena.Tune, nil
	}
	if err != nil {
		return nil, service.New(service.Invalid, clipped(err.Error()))
	}
	x, list, err := t.meetings(ctx, &d, ticket.Trial)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(m chronicle.Meeting) bool {
		return m.Series.Phase == phase && m.Nth == ticket.Opponent && ticket.Block >= m.Series.From && ticket.Block < m.Series.To
	})
	if at < 0 {
		return nil, service.New(service.NotFound, fmt.Sprintf("trial %d of %q has not met opponent %d on block %d of phase %v", ticket.Trial, ticket.Study, ticket.Opponent, ticket.Block, phase))
	}
	s := list[at].Series
	if ticket.Rotation >= len(s.Entrants) {
		return nil, service.New(service.Invalid, fmt.Sprintf("rotation: expected 0 to %d, got %d", len(s.Entrants)-1, ticket.Rotation))
	}
	s.From, s.To = ticket.Block, ticket.Block+1
	film := filmOf(s, ticket.Rotation)
	film.Study, film.Trial = ticket.Study, &ticket.Trial
	if x.signatures != d.Signatures {
		film.Notes = append(film.Notes, "The study was made by other code: what is shown is how this program plays the game, which may be another one. Signatures then "+d.Signatures+", now "+x.signatures+".")
	}
	return &web.Showing{
		Film: film,
		Key:  fmt.Sprintf("study %d %s trial %d %v %d %d %d", d.ID, d.SpecHash, ticket.Trial, phase, ticket.Opponent, ticket.Block, ticket.Rotation),
		Play: func(ctx context.Context, each func(web.FilmFrame) error) (web.FilmEnd, error) {
			return t.playStored(ctx, s, ticket.Rotation, each)
		},
	}, nil
}

// playStored plays a game again and compares it with the record.
func (t *theatre) playStored(ctx context.Context, s arena.Series, rotation int, each func(web.FilmFrame) error) (web.FilmEnd, error) {
	g, err := t.games.Game(s.Ruleset.Game.Name)
	if err != nil {
		return web.FilmEnd{}, err
	}
	end, run, err := shoot(ctx, g.Scene, s, rotation, each)
	if err != nil || run == nil {
		return end, err
	}
	stored, err := t.host.Stored(ctx, s)
	if err != nil {
		return end, err
	}
	record, at, ok := storedGame(stored, s.From, rotation)
	if !ok {
		end.Check, end.Note = "none", "This game is not in the database, played by this code, so there is nothing to compare it with."
		return end, nil
	}
	end.Check, end.Note = "same", "As recorded: the game in the database has the same moves and the same result."
	same := record.Digests[at] == run.Digests[0]
	for seat := range run.Seats {
		same = same && slices.Equal(record.Game(0, at, seat), run.Game(0, 0, seat))
	}
	if !same {
		end.Check = "different"
		end.Note = fmt.Sprintf("Warning: not as recorded. The database has a game with digest %016x, this one has %s: the record was changed, or play depends on something that it must not.", record.Digests[at], end.Digest)
	}
	return end, nil
}
