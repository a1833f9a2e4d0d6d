package films

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/lru"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

// Games lists what a trial has played: all its meetings, and of one of them the
// games of at most limit blocks from a block on.
func (t *Studio) Games(ctx context.Context, q GamesQuery) (*TrialGames, error) {
	d, err := service.FindStudy(ctx, t.store, q.Study)
	if err != nil {
		return nil, err
	}
	if q.Wait > 0 && !t.read(ctx, &d, q.Wait) {
		return &TrialGames{Reading: true}, nil
	}
	x, list, err := t.meetings(ctx, &d, q.Trial)
	if err != nil {
		return nil, err
	}
	if at := slices.IndexFunc(list, func(m insight.Meeting) bool { return m.Series.Phase.String() == q.Phase }); at >= 0 {
		q.Meeting = at
	}
	out := &TrialGames{Study: q.Study, Trial: q.Trial, Meetings: []TrialMeeting{}, Meeting: q.Meeting, Metrics: []GameMetric{}, Games: []TrialGame{}}
	if g, err := t.games.Game(x.spec.Ruleset.Game.Name); err == nil && g.Scene.Recorded == nil {
		out.Unseen = x.recorded
	}
	for i, m := range list {
		if i >= meetingsMost && i != q.Meeting {
			out.Omitted++
			continue
		}
		line := TrialMeeting{
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
	m := &list[q.Meeting]
	for _, metric := range m.Series.Ruleset.Game.Metrics {
		out.Metrics = append(out.Metrics, GameMetric{metric.Name, metric.Doc})
	}
	if q.Result != "" || q.Order != "" {
		return out, t.chosen(ctx, out, m, q)
	}
	next, err := t.page(ctx, out, m, q.From, int64(q.Limit))
	out.Next = next
	return out, err
}

const (
	// gamesMost is the number of blocks that are looked at for games of a kind.
	gamesMost = 5000
	// gamesStep is how many of them are read at a time.
	gamesStep = 250
)

// Results returns the results by which games can be chosen.
func Results() []string { return []string{"won", "lost", "drawn", "fault"} }

// chosen lists at most q.Limit games with a result, or in the order of a metric, of at
// most gamesMost blocks from q.From on.
func (t *Studio) chosen(ctx context.Context, out *TrialGames, m *insight.Meeting, q GamesQuery) error {
	metric := strings.TrimPrefix(q.Order, "-")
	if q.Result != "" && !slices.Contains(Results(), q.Result) {
		return service.New(service.Invalid, fmt.Sprintf("result: expected %s, got %.40q", strings.Join(Results(), ", "), q.Result))
	}
	if metric != "" && !slices.ContainsFunc(out.Metrics, func(g GameMetric) bool { return g.Name == metric }) {
		var names []string
		for _, g := range out.Metrics {
			names = append(names, g.Name)
		}
		return service.New(service.Invalid, fmt.Sprintf("order: expected one of %s, with a hyphen before it for descending order, got %.40q", strings.Join(names, ", "), q.Order))
	}
	from := max(m.Series.From, q.From)
	end := min(m.Series.To, from+gamesMost)
	var found []TrialGame
	for from < end {
		part := &TrialGames{}
		if _, err := t.page(ctx, part, m, from, min(gamesStep, end-from)); err != nil {
			return err
		}
		from = min(end, from+gamesStep)
		for _, g := range part.Games {
			if metric == "" && len(found) >= q.Limit && g.Block > found[len(found)-1].Block {
				from, end = g.Block, g.Block // whole blocks, so that the next page begins with one
				break
			}
			if _, has := g.Metrics[metric]; g.is(q.Result) && (metric == "" || has) {
				found = append(found, g)
			}
		}
	}
	if metric != "" {
		slices.SortStableFunc(found, func(a, b TrialGame) int {
			if a, b := a.Metrics[metric], b.Metrics[metric]; q.Order == metric {
				return cmp.Compare(a, b)
			} else {
				return cmp.Compare(b, a)
			}
		})
		from = m.Series.To
		found = found[:min(len(found), q.Limit)]
	}
	if from < m.Series.To {
		out.Next = &from
	}
	out.Games = append(out.Games, found...)
	return nil
}

// is reports whether a game had a result.
func (g *TrialGame) is(result string) bool {
	if result == "" {
		return true
	}
	return g.Recorded && (result == "fault" && g.Fault || g.Result() == result)
}

// Result returns won, lost or drawn, as the trial's result; empty if it is another share of
// the game, or not known.
func (g *TrialGame) Result() string {
	if !g.Recorded || g.Score == nil {
		return ""
	}
	switch *g.Score {
	case 0:
		return "lost"
	case 0.5:
		return "drawn"
	case 1:
		return "won"
	}
	return ""
}

// page lists the games of at most so many blocks of a meeting, and the next block.
func (t *Studio) page(ctx context.Context, out *TrialGames, m *insight.Meeting, from, limit int64) (*int64, error) {
	s := m.Series
	to := s.To
	s.From = max(s.From, from)
	s.To = min(to, s.From+limit)
	if s.From >= s.To {
		return nil, nil
	}
	stored, err := t.stored(ctx, s)
	if err != nil {
		return nil, err
	}
	for block := s.From; block < s.To; block++ {
		for r := range rotations(s.Entrants) {
			game := TrialGame{Block: block, Rotation: r}
			if run, at, ok := storedGame(stored, block, r); ok {
				mine := run.Game(0, at, (m.Trial+r)%run.Seats)
				score := float64(mine[0]) / float64(arena.Scale(run.Seats))
				game.Recorded, game.Score, game.Digest = true, &score, fmt.Sprintf("%016x", run.Digests[at])
				for seat := range run.Seats {
					if its := run.Game(0, at, seat); its[1] != 0 && !game.Fault {
						game.Fault, game.FaultHow = true, entry.FaultHow(s.Ruleset, its[2:])
					}
				}
				game.Metrics = measured(s.Ruleset, mine[2:])
			}
			out.Games = append(out.Games, game)
		}
	}
	if s.To < to {
		return &s.To, nil
	}
	return nil, nil
}

// measured returns the metrics of one seat's game, of what the referee counted; those that
// would be divided by 0 are left out, and all where the rules count something else.
func measured(rs *arena.Ruleset, counted []int64) map[string]float64 {
	if len(counted) != len(rs.Components) {
		return nil
	}
	out := map[string]float64{}
	for _, m := range rs.Game.Metrics {
		x := m.Factor() * float64(counted[rs.Component(m.Of)])
		if m.Per != "" {
			per := counted[rs.Component(m.Per)]
			if per == 0 {
				continue
			}
			x /= float64(per)
		}
		out[m.Name] = x
	}
	return out
}

// stored returns the blocks of a short series that the database holds.
func (t *Studio) stored(ctx context.Context, s arena.Series) (runs []*arena.Run, err error) {
	for r, err := range t.host.Stored(ctx, s) {
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
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
	begin sync.Mutex
	busy  chan struct{} // closed when the log has been read; nil where nobody reads it

	mu         sync.Mutex
	spec       *tuner.Setup
	meetings   *insight.Meetings
	read       int    // entries
	signatures string // of today's code
	recorded   string // why its games cannot be played again, empty where they can
}

// find returns the index of a study, which may lack the latest entries.
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

// read has the log of a study read, waits for that so long, and reports whether it is done.
func (t *Studio) read(ctx context.Context, d *store.Details, wait time.Duration) bool {
	x := t.indexes.find(d)
	x.begin.Lock()
	busy := x.busy
	if busy == nil {
		busy = make(chan struct{})
		x.busy = busy
		go func() {
			_, _, _ = t.meetings(context.WithoutCancel(ctx), d, 0) // who asks for games is told what is wrong
			x.begin.Lock()
			x.busy = nil
			x.begin.Unlock()
			close(busy)
		}()
	}
	x.begin.Unlock()
	select {
	case <-busy:
		return true
	case <-time.After(wait):
		return false
	}
}

// meetings returns what a trial has met.
func (t *Studio) meetings(ctx context.Context, d *store.Details, trial int) (*index, []insight.Meeting, error) {
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
		if x.recorded, err = spec.Recorded(spec.Strategies()...); err != nil {
			return nil, nil, err
		}
		if x.signatures, err = spec.Ruleset.Signatures(ctx, spec.Strategies()...); err != nil {
			return nil, nil, err
		}
		x.spec = spec
	}
	if x.meetings == nil || d.Entries < x.read { // a study that begins anew has a shorter log
		x.meetings, x.read = insight.NewMeetings(x.spec), 0
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

// rotations returns the number of games in a block: rotations of equals are one game.
func rotations(entrants []arena.Entrant) int {
	for _, e := range entrants[1:] {
		if e.Canonical() != entrants[0].Canonical() {
			return len(entrants)
		}
	}
	return 1
}
