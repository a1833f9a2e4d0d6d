package tuner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Meeting is blocks that a trial has played, as a log tells it.
type Meeting struct {
	Series arena.Series
	// Trial is the place of the trial among the entrants.
	Trial int
	// Nth tells meetings on the same blocks of a phase apart, from 0: those with
	// several opponents.
	Nth int
}

// Meetings is an index of a study's log: which blocks each trial has played,
// against whom. It grows with the log, an entry at a time.
type Meetings struct {
	spec    *Setup
	trials  []met
	batch   []int         // trials of the last ask, in order
	batches int           // asks so far
	more    map[int]int64 // blocks by which trials were extended in this batch
	pools   [][]int
	attempt attempt
}

// met is what is known of one trial.
type met struct {
	params   param.Values
	blocks   int64 // of the last rung entry
	searched int64 // blocks 0.. of phase tune, where batches share theirs
	stints   []stint
	pools    []int // pools that it was in
}

// stint is blocks that a trial has played apart from those.
type stint struct {
	phase    arena.Phase
	seed     uint64
	from, to int64
	duel     bool // with trial rival, in the second place where second is set
	second   bool
	rival    int
	proof    bool // against the baseline alone
}

// NewMeetings makes the index of an empty log.
func NewMeetings(s *Setup) *Meetings { return &Meetings{spec: s, more: map[int]int64{}} }

// Trials is the number of trials in the log so far.
func (m *Meetings) Trials() int { return len(m.trials) }

// Add takes in the next entry of the log.
func (m *Meetings) Add(e Entry) error {
	var err error
	switch e.Kind {
	case KindAsk:
		err = decode(e, m.ask)
	case KindRung:
		// Evidence is the last and by far the longest part, and is not asked for.
		if at := bytes.Index(e.Payload, []byte(`,"evidence":`)); at > 0 {
			e.Payload = append(e.Payload[:at:at], '}')
		}
		err = decode(e, m.rung)
	case KindPool:
		m.pools = append(m.pools, m.batch)
		for _, t := range m.batch {
			m.trials[t].pools = append(m.trials[t].pools, len(m.pools)-1)
		}
	case KindDuel:
		err = decode(e, m.duel)
	case KindAnswer:
		err = decode(e, m.answer)
	case KindFinal:
		err = decode(e, func(f playedTrial) error {
			return m.stint(f.Trial, stint{phase: finalPhase, seed: m.spec.tuneSeed(), to: f.blocks()})
		})
	case KindAttempt:
		err = decode(e, func(a attempt) error { m.attempt = a; return nil })
	case KindValidation:
		err = decode(e, func(v playedAlone) error {
			return m.stint(v.Trial, stint{
				phase: validationPhase, seed: m.attempt.Seed, to: v.Evidence.Blocks, proof: m.spec.proved().Of != "metric",
			})
		})
	}
	if err != nil {
		return fmt.Errorf("study log: %s: %w", e.Kind, err)
	}
	return nil
}

// playedTrial and playedAlone are what is read of entries with evidence.
type (
	playedTrial struct {
		Trial    int           `json:"trial"`
		Again    bool          `json:"again"`
		Params   param.Values  `json:"params"`
		Evidence []playedBlock `json:"evidence"`
	}
	playedAlone struct {
		Trial    int         `json:"trial"`
		Evidence playedBlock `json:"evidence"`
	}
	playedBlock struct {
		Blocks int64 `json:"blocks"`
	}
	playedRung struct {
		Trial  int   `json:"trial"`
		Rung   int   `json:"rung"`
		Blocks int64 `json:"blocks"`
	}
	playedDuel struct {
		A        int         `json:"a"`
		B        int         `json:"b"`
		From     int64       `json:"from"`
		Evidence playedBlock `json:"evidence"`
	}
)

func (p *playedTrial) blocks() int64 {
	if len(p.Evidence) == 0 {
		return 0
	}
	return p.Evidence[0].Blocks
}

// decode reads an entry's payload.
func decode[T any](e Entry, take func(T) error) error {
	var v T
	if err := json.Unmarshal(e.Payload, &v); err != nil {
		return err
	}
	return take(v)
}

func (m *Meetings) ask(batch asked) error {
	m.batches++
	m.batch = nil
	clear(m.more)
	for _, t := range batch.Trials {
		if !t.Again {
			if t.Number != len(m.trials) {
				return fmt.Errorf("trial %d after %d trials", t.Number, len(m.trials))
			}
			m.trials = append(m.trials, met{params: t.Params})
		}
		m.batch = append(m.batch, t.Number)
	}
	return nil
}

// known refuses the number of a trial that was not asked for.
func (m *Meetings) known(trial int) error {
	if trial < 0 || trial >= len(m.trials) {
		return fmt.Errorf("trial %d of %d", trial, len(m.trials))
	}
	return nil
}

// rung notes a trial's blocks, as Study.race and Study.climb play them: shared
// blocks go on where the trial stood; of fresh ones a new trial meets the
// batch's from the first on, and so does one that is extended.
func (m *Meetings) rung(r playedRung) error {
	if err := m.known(r.Trial); err != nil {
		return err
	}
	t := &m.trials[r.Trial]
	n := r.Blocks - t.blocks
	from := t.blocks
	t.blocks = r.Blocks
	if !m.spec.Race.Fresh() {
		t.searched = r.Blocks
		return nil
	}
	if r.Rung < 0 {
		from = m.more[r.Trial]
		m.more[r.Trial] += n
	}
	from += int64(m.batches-1) * m.spec.Race.Rungs[len(m.spec.Race.Rungs)-1]
	return m.stint(r.Trial, stint{phase: tunePhase, seed: m.spec.tuneSeed(), from: from, to: from + n})
}

func (m *Meetings) duel(d playedDuel) error {
	one := stint{phase: tunePhase, seed: m.spec.tuneSeed(), from: d.From, to: d.From + d.Evidence.Blocks, duel: true, rival: d.B}
	if err := m.known(d.B); err != nil {
		return err
	}
	if err := m.stint(d.A, one); err != nil {
		return err
	}
	one.rival, one.second = d.A, true
	return m.stint(d.B, one)
}

func (m *Meetings) answer(a playedTrial) error {
	if !a.Again {
		m.trials = append(m.trials, met{params: a.Params})
	}
	return m.stint(a.Trial, stint{phase: finalPhase, seed: m.spec.tuneSeed(), to: a.blocks()})
}

// stint adds blocks to a trial's; those that follow its last ones to the letter
// make it longer.
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
	if t.searched > 0 {
		add(m.opponents(me, stint{phase: tunePhase, seed: m.spec.tuneSeed(), to: t.searched}))
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
			add(m.opponents(me, s))
			continue
		}
		rival, err := m.entrant(s.rival)
		if err != nil {
			return nil, err
		}
		one := Meeting{Series: arena.Series{Ruleset: m.spec.Ruleset, Entrants: []arena.Entrant{me, rival}, Seed: s.seed, Phase: s.phase, From: s.from, To: s.to}}
		if s.second {
			slices.Reverse(one.Series.Entrants)
			one.Trial = 1
		}
		add([]Meeting{one})
	}
	return out, nil
}

func (m *Meetings) entrant(trial int) (arena.Entrant, error) {
	return m.spec.entrant(trial, m.trials[trial].params)
}

// opponents are the meetings on one stretch of blocks, as Study.play plays it.
func (m *Meetings) opponents(me arena.Entrant, s stint) []Meeting {
	all := m.spec.Opponents()
	switch {
	case s.proof:
		all = []arena.Entrant{m.spec.BaselineEntrant}
	case len(all) == 0:
		all = []arena.Entrant{me}
	}
	var out []Meeting
	for _, o := range all {
		out = append(out, Meeting{Series: m.spec.series(me, o, s.seed, s.phase, s.from, s.to)})
	}
	return out
}

// tables are a trial's meetings in a pool, as Study.gather plays them; those of
// a last group that took it in to be full are among them.
func (m *Meetings) tables(trial, pool int) ([]Meeting, error) {
	s, batch := m.spec, m.pools[pool]
	if s.Evaluate == nil {
		return nil, fmt.Errorf("trial %d was in a pool, which the spec does not have", trial)
	}
	blocks := s.Evaluate.Games / int64(s.Ruleset.Seats)
	var out []Meeting
	for round := range s.Evaluate.Rounds {
		from := int64(pool*s.Evaluate.Rounds+round) * blocks
		for _, group := range s.seatPool(len(batch), pool, round).groups {
			series := arena.Series{Ruleset: s.Ruleset, Seed: s.tuneSeed(), Phase: tunePhase, From: from, To: from + blocks}
			at := -1
			for i, member := range group {
				e, err := m.entrant(batch[member])
				if err != nil {
					return nil, err
				}
				if batch[member] == trial {
					at = i
				}
				series.Entrants = append(series.Entrants, e)
			}
			if at < 0 {
				continue
			}
			for len(series.Entrants) < s.Ruleset.Seats {
				series.Entrants = append(series.Entrants, s.FillerEntrant)
			}
			out = append(out, Meeting{Series: series, Trial: at})
		}
	}
	return out, nil
}
