package entry

import (
	"encoding/json"
	"fmt"

	"sakusen/engines/arena"
)

// Detail is how much of an evidence is read.
type Detail uint8

// The details.
const (
	AllEvidence Detail = iota
	OnlyScores         // without sums of metrics, in half the time
)

// Read returns the payload of an entry: a pointer to the type that this package has for the
// kind, nil of a kind that it does not know. rungs says how much of the evidence of rungs
// is read; that evidence is most of the text of a long log.
func Read(e Entry, rungs Detail) (payload any, err error) {
	switch e.Kind {
	case KindAsk:
		return decode[Ask](e)
	case KindRung:
		return readRung(e, rungs)
	case KindCompare:
		return decode[Compare](e)
	case KindTell:
		return decode[Tell](e)
	case KindPool:
		return decode[Pool](e)
	case KindDuel:
		return decode[Duel](e)
	case KindIncumbent:
		return decode[Incumbent](e)
	case KindAnswer:
		return decode[Answer](e)
	case KindFinal:
		return decode[Final](e)
	case KindAttempt:
		return decode[Attempt](e)
	case KindReplayed:
		return decode[Replayed](e)
	case KindValidation:
		return decode[Validation](e)
	case KindGrow:
		return decode[Grow](e)
	case KindBegun:
		return decode[Begun](e)
	}
	return nil, nil
}

// readRung reads a rung entry.
func readRung(e Entry, detail Detail) (*Rung, error) {
	if detail == AllEvidence {
		return decode[Rung](e)
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

// In tells in which phase a stretch lies.
func (p *Played) In() (arena.Phase, error) {
	phase, err := arena.ParsePhase(p.Phase)
	if err != nil {
		return 0, fmt.Errorf("the log: %w", err)
	}
	return phase, nil
}
