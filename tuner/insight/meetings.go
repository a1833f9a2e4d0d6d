package insight

import (
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// Meeting is blocks that a trial has played, as a log tells it.
type Meeting struct {
	Series arena.Series
	// Trial is the place of the trial among the entrants.
	Trial int
	// Nth numbers the meetings on the same blocks of a phase, from 0: there are several if
	// there are several opponents.
	Nth int
}

// Meetings is an index of a study's log: which blocks each trial has played,
// against whom. It grows with the log, an entry at a time.
type Meetings struct {
	spec   *tuner.Setup
	trials []met
	batch  []int // trials of the last ask, in order
	pools  [][]int
	// variants are what an answer has met in its place, in order: the strategy's defaults, and
	// the answer with parameters set back.
	variants []variant
}

// variant is an opponent that is no trial.
type variant struct {
	name   string
	values param.Values
}

// met is what is known of one trial.
type met struct {
	params param.Packed
	stints []stint
	pools  []int // pools that it was in
}

// stint is blocks that a trial has played.
type stint struct {
	phase    arena.Phase
	seed     uint64
	from, to int64
	duel     bool // against the trial rival, as the second entrant if second is set
	second   bool
	rival    int
	proof    bool // against the baseline alone
	member   int  // the one member of the pool that was played, from 1
	variant  int  // of those that were set back, the one that was played, from 1
}

// NewMeetings makes the index of an empty log.
func NewMeetings(s *tuner.Setup) *Meetings {
	return &Meetings{spec: s}
}

// Trials returns the number of trials in the log so far.
func (m *Meetings) Trials() int { return len(m.trials) }

// Add takes in the next entry of the log.
func (m *Meetings) Add(e entry.Entry) error {
	payload, err := entry.Read(e, entry.ScoresOnly)
	if err == nil {
		err = m.add(payload)
	}
	if err != nil {
		return fmt.Errorf("study log: %s: %w", e.Kind, err)
	}
	return nil
}

func (m *Meetings) add(payload any) error {
	switch v := payload.(type) {
	case *entry.Ask:
		return m.ask(v)
	case *entry.Rung:
		return m.played(v.Trial, v.Played, stint{})
	case *entry.Pool:
		m.pools = append(m.pools, m.batch)
		for _, t := range m.batch {
			m.trials[t].pools = append(m.trials[t].pools, len(m.pools)-1)
		}
	case *entry.Duel:
		if err := m.known(v.B); err != nil {
			return err
		}
		if err := m.played(v.A, v.Played, stint{duel: true, rival: v.B}); err != nil {
			return err
		}
		return m.played(v.B, v.Played, stint{duel: true, rival: v.A, second: true})
	case *entry.Answer:
		if !v.Again {
			m.seat(v.Params)
		}
		return m.played(v.Trial, v.Played, stint{})
	case *entry.Final:
		return m.played(v.Trial, v.Played, stint{})
	case *entry.Defaults:
		m.variants = append(m.variants, variant{"the defaults", v.Variant})
		if err := m.played(v.Trial, v.Played, stint{variant: len(m.variants)}); err != nil {
			return err
		}
		if v.Won && v.Winner == len(m.trials) {
			m.seat(v.Variant)
		}
		return nil
	case *entry.Estimate:
		return m.played(v.Trial, v.Played, stint{proof: m.spec.Proved().Of != "metric"})
	case *entry.SetBack:
		return m.setBack(v)
	case *entry.Validation:
		if err := m.played(v.Trial, v.Played, stint{proof: m.spec.Proved().Of != "metric"}); err != nil || v.Played == nil {
			return err
		}
		if len(v.Pool) > len(m.spec.PoolEntrants) {
			return fmt.Errorf("%d members of a pool of %d", len(v.Pool), len(m.spec.PoolEntrants))
		}
		for i := range v.Pool {
			p := *v.Played
			p.From, p.To = 0, v.Pool[i].Evidence.Blocks
			if err := m.played(v.Trial, &p, stint{member: i + 1}); err != nil {
				return err
			}
		}
	}
	return nil
}

// setBack notes the games of an answer against itself with parameters set back; of a metric
// those against all opponents.
func (m *Meetings) setBack(v *entry.SetBack) error {
	if m.spec.Proved().Of == "metric" {
		return m.played(v.Trial, v.Played, stint{})
	}
	m.variants = append(m.variants, variant{fmt.Sprintf("trial %d with %s set back", v.Trial, strings.Join(v.Names, ", ")), v.Variant})
	return m.played(v.Trial, v.Played, stint{variant: len(m.variants)})
}

func (m *Meetings) ask(batch *entry.Ask) error {
	m.batch = nil
	for _, t := range batch.Trials {
		if !t.Again {
			if t.Number != len(m.trials) {
				return fmt.Errorf("trial %d after %d trials", t.Number, len(m.trials))
			}
			m.seat(t.Params)
		}
		m.batch = append(m.batch, t.Number)
	}
	return nil
}

// seat adds a trial.
func (m *Meetings) seat(params param.Values) {
	var like param.Packed
	if n := len(m.trials); n > 0 {
		like = m.trials[n-1].params
	}
	m.trials = append(m.trials, met{params: params.Pack(like)})
}

// played notes blocks of a trial; s says against whom they were played.
func (m *Meetings) played(trial int, p *entry.Played, s stint) error {
	if p == nil {
		return m.known(trial)
	}
	phase, err := p.ParsePhase()
	if err != nil {
		return err
	}
	s.phase, s.seed, s.from, s.to = phase, p.Seed, p.From, p.To
	return m.stint(trial, s)
}

// known refuses the number of a trial that was not asked for.
func (m *Meetings) known(trial int) error {
	if trial < 0 || trial >= len(m.trials) {
		return fmt.Errorf("trial %d of %d", trial, len(m.trials))
	}
	return nil
}

// stint adds blocks to a trial. If they directly follow its last ones, against the same
// opponents, those are extended.
func (m *Meetings) stint(trial int, s stint) error {
	if err := m.known(trial); err != nil {
		return err
	}
	if s.to <= s.from {
		return nil
	}
	t := &m.trials[trial]
	if n := len(t.stints); n > 0 && t.stints[n-1].to == s.from {
		last := t.stints[n-1]
		last.to, s.from = s.to, last.from
		if last == s {
			t.stints[n-1] = s
			return nil
		}
		s.from = t.stints[n-1].to
	}
	t.stints = append(t.stints, s)
	return nil
}

// Of lists what a trial has met, in the order in which it was first met.
func (m *Meetings) Of(trial int) ([]Meeting, error) {
	if err := m.known(trial); err != nil {
		return nil, err
	}
	t := &m.trials[trial]
	me, err := m.entrant(trial)
	if err != nil {
		return nil, err
	}
	var out []Meeting
	add := func(all []Meeting) {
		for _, one := range all {
			one.Nth = 0
			for _, before := range out {
				if before.Series.Phase == one.Series.Phase && before.Series.From == one.Series.From {
					one.Nth++
				}
			}
			out = append(out, one)
		}
	}
	for _, pool := range t.pools {
		tables, err := m.tables(trial, pool)
		if err != nil {
			return nil, err
		}
		add(tables)
	}
	for _, s := range t.stints {
		if !s.duel {
			met, err := m.opponents(me, s)
			if err != nil {
				return nil, err
			}
			add(met)
			continue
		}
		rival, err := m.entrant(s.rival)
		if err != nil {
			return nil, err
		}
		one := Meeting{Series: arena.Series{Ruleset: m.spec.RulesetOf(s.phase), Entrants: []arena.Entrant{me, rival}, Seed: s.seed, Phase: s.phase, From: s.from, To: s.to}}
		if s.second {
			slices.Reverse(one.Series.Entrants)
			one.Trial = 1
		}
		add([]Meeting{one})
	}
	return out, nil
}

func (m *Meetings) entrant(trial int) (arena.Entrant, error) {
	return m.spec.Candidate(trial, m.trials[trial].params.Values())
}

// opponents returns the meetings on one stretch of blocks: one with each opponent.
func (m *Meetings) opponents(me arena.Entrant, s stint) ([]Meeting, error) {
	all := m.spec.Opponents()
	switch {
	case s.variant > 0:
		v := m.variants[s.variant-1]
		without, err := m.spec.Candidate(-1, v.values)
		if err != nil {
			return nil, err
		}
		without.Name = v.name
		all = []arena.Entrant{without}
	case s.member > 0:
		all = m.spec.PoolEntrants[s.member-1 : s.member]
	case s.proof:
		all = []arena.Entrant{m.spec.BaselineEntrant}
	case len(all) == 0:
		all = []arena.Entrant{me}
	}
	var out []Meeting
	for _, o := range all {
		out = append(out, Meeting{Series: m.spec.Series(me, o, s.seed, s.phase, s.from, s.to)})
	}
	return out, nil
}

// tables returns a trial's meetings in a pool, those of the last group included, which may have
// taken it in to be complete.
func (m *Meetings) tables(trial, pool int) ([]Meeting, error) {
	s, batch := m.spec, m.pools[pool]
	if s.Evaluate == nil {
		return nil, fmt.Errorf("trial %d was in a pool, which the spec does not have", trial)
	}
	var out []Meeting
	for _, table := range s.PoolTables(len(batch), pool) {
		at := slices.IndexFunc(table.Members, func(i int) bool { return batch[i] == trial })
		if at < 0 {
			continue
		}
		series, err := table.Series(s, func(i int) (arena.Entrant, error) { return m.entrant(batch[i]) })
		if err != nil {
			return nil, err
		}
		out = append(out, Meeting{Series: series, Trial: at})
	}
	return out, nil
}
