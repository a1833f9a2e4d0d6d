package store

import (
	"context"
	"errors"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/sqlitedb"
)

// change is one transaction together with what it will do to the cache. Both
// happen, or neither does: reads inside the change see its state, all others
// the state before it, until it is committed.
type change struct {
	*sqlitedb.Change
	store   *Store
	studies map[int]*studyChange
	created map[int]place // trials created here, by id
	dists   map[string]*distribution
}

// studyChange is the state of one study inside a change.
type studyChange struct {
	head
	base     *study // nil if created here
	deleted  bool
	kept     int // number of trials in base
	done     int // number of finished trials in base
	changed  map[int]goptuna.FrozenTrial
	appended []goptuna.FrozenTrial
	finished []goptuna.FrozenTrial
}

// transact runs do in a transaction of its own.
func (s *Store) transact(ctx context.Context, label string, do func(*change) error) (err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	c := &change{store: s}
	err = s.changes.Change(ctx, label, func(begun *sqlitedb.Change) error {
		c.Change = begun
		return do(c)
	})
	if err == nil {
		c.publish()
	}
	return err
}

// study is the state of a study inside the change.
func (c *change) study(id int) (*studyChange, error) {
	if sc, ok := c.studies[id]; ok {
		if sc.deleted {
			return nil, goptuna.ErrInvalidStudyID
		}
		return sc, nil
	}
	base, err := c.store.study(id)
	if err != nil {
		return nil, err
	}
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	sc := &studyChange{head: base.head, base: base, kept: base.trials.len(), done: len(base.finished)}
	c.keep(sc)
	return sc, nil
}

func (c *change) keep(sc *studyChange) {
	if c.studies == nil {
		c.studies = make(map[int]*studyChange, 1)
	}
	c.studies[sc.id] = sc
}

// trial is the state of a trial inside the change, and its study's.
func (c *change) trial(id int) (*studyChange, goptuna.FrozenTrial, error) {
	at, ok := c.created[id]
	if !ok {
		var err error
		if at, err = c.store.place(id); err != nil {
			return nil, goptuna.FrozenTrial{}, err
		}
	}
	sc, err := c.study(at.study)
	if errors.Is(err, goptuna.ErrInvalidStudyID) {
		return nil, goptuna.FrozenTrial{}, goptuna.ErrInvalidTrialID
	}
	if err != nil {
		return nil, goptuna.FrozenTrial{}, err
	}
	return sc, c.at(sc, at.number), nil
}

func (c *change) at(sc *studyChange, number int) goptuna.FrozenTrial {
	if number >= sc.kept {
		return sc.appended[number-sc.kept]
	}
	if t, ok := sc.changed[number]; ok {
		return t
	}
	c.store.mu.RLock()
	defer c.store.mu.RUnlock()
	return sc.base.trials.at(number)
}

// all is a fresh slice of the study's trials inside the change.
func (c *change) all(sc *studyChange) []goptuna.FrozenTrial {
	all := make([]goptuna.FrozenTrial, 0, sc.kept+len(sc.appended))
	if sc.base != nil {
		c.store.mu.RLock()
		all = append(all, sc.base.trials.list...)
		for number, t := range sc.base.trials.patch {
			all[number] = t
		}
		c.store.mu.RUnlock()
	}
	for number, t := range sc.changed {
		all[number] = t
	}
	return append(all, sc.appended...)
}

func (sc *studyChange) set(t goptuna.FrozenTrial) {
	if t.Number >= sc.kept {
		sc.appended[t.Number-sc.kept] = t
		return
	}
	if sc.changed == nil {
		sc.changed = make(map[int]goptuna.FrozenTrial, 1)
	}
	sc.changed[t.Number] = t
}

func (c *change) add(sc *studyChange, t goptuna.FrozenTrial) {
	sc.appended = append(sc.appended, t)
	if c.created == nil {
		c.created = make(map[int]place, 1)
	}
	c.created[t.ID] = place{study: t.StudyID, number: t.Number}
	if t.State.IsFinished() {
		sc.finished = append(sc.finished, t)
	}
}

// publish brings the committed change into the cache.
func (c *change) publish() {
	s := c.store
	s.loading.Lock()
	defer s.loading.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for text, d := range c.dists {
		s.dists[text] = d
		s.distByID[d.id] = d
	}
	for id, at := range c.created {
		s.places[id] = at
	}
	for id, sc := range c.studies {
		if sc.deleted {
			s.drop(id)
			continue
		}
		st := sc.base
		if st == nil {
			st = &study{}
			s.studies[id] = st
		}
		st.head = sc.head
		for number, t := range sc.changed {
			st.trials.set(number, t)
		}
		for _, t := range sc.appended {
			st.trials.append(t)
		}
		st.finished = append(st.finished, sc.finished...)
	}
}
