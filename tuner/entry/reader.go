package entry

import (
	"encoding/json"
	"fmt"

	"sakusen/engines/arena"
)

// Schedule is what one must know of a study to tell which blocks the entries of
// version 1 mean.
type Schedule struct {
	Seed  uint64 // of the phases tune and final
	Fresh bool   // each batch of a race meets blocks that no other meets
	Last  int64  // blocks of the last rung
	Pool  int64  // blocks that a generation plays itself on; 0 where none does
}

// Detail is how much of an evidence is read.
type Detail uint8

// The details.
const (
	AllEvidence Detail = iota
	OnlyScores         // without sums of metrics
	NoEvidence
)

// Reader reads a log from the beginning, entry by entry, and fills in what
// version 1 left out, so that those who read with it know one version only.
type Reader struct {
	// Rungs says how much of the evidence of rungs is read; that evidence is most of the
	// text of a long log.
	Rungs Detail

	schedule Schedule
	batches  int           // asks so far
	blocks   map[int]int64 // of trials' last rung entries
	more     map[int]int64 // fresh blocks by which trials were extended in this batch
	pools    int
	attempt  uint64 // seed of the validation
}

// NewReader begins to read a log.
func NewReader(s Schedule) *Reader {
	return &Reader{schedule: s, blocks: map[int]int64{}, more: map[int]int64{}}
}

// Read reads the next entry. The payload is a pointer to the type that this
// package has for the kind, nil of a kind that it does not know.
func (r *Reader) Read(e Entry) (payload any, err error) {
	switch e.Kind {
	case KindAsk:
		r.batches++
		clear(r.more)
		return decode[Ask](e)
	case KindRung:
		v, err := r.rung(e)
		if err == nil && v.Version < 2 {
			v.Played = r.stretch(v)
		}
		if err == nil {
			r.blocks[v.Trial] = v.Blocks
		}
		return v, err
	case KindCompare:
		return decode[Compare](e)
	case KindTell:
		v, err := decode[Tell](e)
		if err == nil && v.Version < 2 {
			v.End = v.version1()
		}
		return v, err
	case KindPool:
		v, err := decode[Pool](e)
		if err == nil && v.Version < 2 {
			from := int64(r.pools) * r.schedule.Pool
			v.Played = NewPlayed(arena.Tune, r.schedule.Seed, from, from+r.schedule.Pool)
		}
		r.pools++
		return v, err
	case KindDuel:
		v, err := decode[Duel](e)
		if err == nil && v.Version < 2 {
			v.Played = NewPlayed(arena.Tune, r.schedule.Seed, v.From, v.From+v.Evidence.Blocks)
		}
		return v, err
	case KindIncumbent:
		return decode[Incumbent](e)
	case KindAnswer:
		v, err := decode[Answer](e)
		if err == nil && v.Version < 2 {
			v.Played = r.final(v.Evidence)
		}
		return v, err
	case KindFinal:
		v, err := decode[Final](e)
		if err == nil && v.Version < 2 {
			v.Played = r.final(v.Evidence)
		}
		return v, err
	case KindAttempt:
		v, err := decode[Attempt](e)
		if err == nil {
			r.attempt = v.Seed
		}
		return v, err
	case KindValidation:
		v, err := decode[Validation](e)
		if err == nil && v.Version < 2 && v.Evidence.Blocks > 0 {
			v.Played = NewPlayed(arena.Validation, r.attempt, 0, v.Evidence.Blocks)
		}
		return v, err
	case KindGrow:
		return decode[Grow](e)
	case KindBegun:
		return decode[Begun](e)
	}
	return nil, nil
}

// bareRung is a rung's payload without its evidence.
type bareRung struct {
	Trial   int     `json:"trial"`
	Rung    int     `json:"rung"`
	Blocks  int64   `json:"blocks"`
	Version int     `json:"version"`
	Played  *Played `json:"played"`
}

// rung reads a rung entry.
func (r *Reader) rung(e Entry) (*Rung, error) {
	switch r.Rungs {
	case AllEvidence:
		return decode[Rung](e)
	case NoEvidence:
		bare, err := decode[bareRung](e)
		if err != nil {
			return nil, err
		}
		return &Rung{Trial: bare.Trial, Rung: bare.Rung, Blocks: bare.Blocks, Version: bare.Version, Played: bare.Played}, nil
	}
	var light struct {
		Rung
		Evidence []struct {
			Blocks int64   `json:"blocks"`
			Games  int64   `json:"games"`
			Scores []int64 `json:"scores"`
		} `json:"evidence"`
	}
	if err := json.Unmarshal(e.Payload, &light); err != nil {
		return nil, err
	}
	v := light.Rung
	for _, x := range light.Evidence {
		v.Evidence = append(v.Evidence, Evidence{Blocks: x.Blocks, Games: x.Games, Scores: x.Scores})
	}
	return &v, nil
}

// stretch is the blocks that a rung entry of version 1 adds. Shared blocks continue after
// the trial's last one. With fresh blocks, a new trial plays the batch's from the first on,
// and so does an earlier trial that plays more.
func (r *Reader) stretch(v *Rung) *Played {
	from := r.blocks[v.Trial]
	n := v.Blocks - from
	if r.schedule.Fresh {
		if v.Rung < 0 {
			from = r.more[v.Trial]
			r.more[v.Trial] += n
		}
		from += int64(r.batches-1) * r.schedule.Last
	}
	return NewPlayed(arena.Tune, r.schedule.Seed, from, from+n)
}

// final is the blocks of the final's phase.
func (r *Reader) final(all []Evidence) *Played {
	if len(all) == 0 {
		return nil
	}
	return NewPlayed(arena.Final, r.schedule.Seed, 0, all[0].Blocks)
}

// In tells in which phase a stretch lies.
func (p *Played) In() (arena.Phase, error) {
	phase, err := arena.ParsePhase(p.Phase)
	if err != nil {
		return 0, fmt.Errorf("the log: %w", err)
	}
	return phase, nil
}
