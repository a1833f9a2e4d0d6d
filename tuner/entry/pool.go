package entry

import (
	"fmt"

	"sakusen/engines/arena"
)

// Pool is the payload of a pool entry: the evidence of all individuals of a
// generation that played itself. All are complete with it.
type Pool struct {
	Trials []Pooled `json:"trials"`

	Played *Played `json:"played,omitempty"` // the blocks of all rounds
}

// Pooled is the evidence of one individual.
type Pooled struct {
	Trial  int        `json:"trial"`
	Blocks int64      `json:"blocks"`
	Games  int64      `json:"games"`
	Scores [][2]int64 `json:"scores"` // [units of a block's score, blocks], ascending
	Digest uint64     `json:"digest,string"`
}

// NewPooled writes evidence down without its zeros.
func NewPooled(trial int, e *Evidence) Pooled {
	p := Pooled{Trial: trial, Blocks: e.Blocks, Games: e.Games, Digest: e.Digest, Scores: [][2]int64{}}
	for score, n := range e.Scores {
		if n > 0 {
			p.Scores = append(p.Scores, [2]int64{int64(score), n})
		}
	}
	return p
}

// Evidence reads what NewPooled writes, for a game of so many seats.
func (p *Pooled) Evidence(seats int) (Evidence, error) {
	e := Evidence{Blocks: p.Blocks, Games: p.Games, Digest: p.Digest}
	e.Scores = make([]int64, int64(seats)*arena.Scale(seats)+1)
	for _, x := range p.Scores {
		if x[0] < 0 || x[0] >= int64(len(e.Scores)) {
			return e, fmt.Errorf("the log scores %d in a block of trial %d", x[0], p.Trial)
		}
		e.Scores[x[0]] = x[1]
	}
	return e, nil
}
