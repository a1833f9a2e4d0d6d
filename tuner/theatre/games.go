package theatre

import (
	"context"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/chronicle"
	"sakusen/tuner/service"
)

// Games lists what a trial has played: all its meetings, and of one of them the
// games of at most limit blocks from a block on.
func (t *Theatre) Games(ctx context.Context, q GamesQuery) (*TrialGames, error) {
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
	out := &TrialGames{Study: q.Study, Trial: q.Trial, Meetings: []TrialMeeting{}, Meeting: q.Meeting, Games: []TrialGame{}}
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
	return out, t.page(ctx, out, &list[q.Meeting], q)
}

// page lists the games of at most q.Limit blocks of a meeting.
func (t *Theatre) page(ctx context.Context, out *TrialGames, m *chronicle.Meeting, q GamesQuery) error {
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
			game := TrialGame{Block: block, Rotation: r}
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
