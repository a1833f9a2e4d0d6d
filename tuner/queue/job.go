package queue

import (
	"context"
	"errors"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Subjects and names at the server.
const (
	stream    = "SAKUSEN_WORK"
	consumer  = "workers"
	workRoot  = "sakusen.work."   // and the job
	doneRoot  = "sakusen.done."   // and the worker: results
	helloRoot = "sakusen.hello."  // and the worker
	cancelAll = "sakusen.cancel"  // the job that nobody waits for any more
	inboxRoot = "_INBOX_SAKUSEN_" // and the worker
)

// mostBlocks bounds a job.
const mostBlocks = 512

// Job is blocks to be played.
type Job struct {
	ID         string       `json:"id"` // of this attempt
	Game       string       `json:"game"`
	Rules      param.Values `json:"rules"`
	RulesHash  string       `json:"rules_hash"`
	Signatures string       `json:"signatures"` // of the entrants' strategies under these rules
	Entrants   []Player     `json:"entrants"`
	// Programs are those of other people that play, as the daemon has them.
	Programs []arena.Program `json:"programs,omitempty"`
	Seed     uint64          `json:"seed"`
	Phase    arena.Phase     `json:"phase"`
	From     int64           `json:"from"`
	Blocks   int             `json:"blocks"`
}

// Player is an entrant of a job.
type Player struct {
	Strategy string       `json:"strategy"`
	Params   param.Values `json:"params"`
	Hash     string       `json:"hash"`
}

// Result is the answer to a job.
type Result struct {
	ID string `json:"id"`
	// Run is what was played, nil where Error says why nothing was.
	Run   *arena.Run `json:"run,omitempty"`
	Error string     `json:"error,omitempty"`
}

// strategyNames are those of a series.
func strategyNames(entrants []arena.Entrant) []string {
	names := make([]string, len(entrants))
	for i, e := range entrants {
		names[i] = e.Strategy
	}
	return names
}

// newJob makes the job of a chunk.
func newJob(ctx context.Context, s *arena.Series, from int64, n int) (*Job, error) {
	programs, recorded, err := s.Programs()
	if err == nil && recorded != "" {
		err = fmt.Errorf("%w: %s", arena.ErrHereOnly, recorded)
	}
	if err != nil {
		return nil, err
	}
	signatures, err := s.Ruleset.Signatures(ctx, strategyNames(s.Entrants)...)
	if err != nil {
		return nil, err
	}
	j := &Job{
		Game: s.Ruleset.Game.Name, Rules: s.Ruleset.Rules, RulesHash: s.Ruleset.Hash(), Signatures: signatures,
		Seed: s.Seed, Phase: s.Phase, From: from, Blocks: n, Programs: programs,
	}
	for _, e := range s.Entrants {
		j.Entrants = append(j.Entrants, Player{e.Strategy, e.Params, e.Hash()})
	}
	return j, nil
}

// series is what a job asks for, with the games of this program. What differs here from
// the program that asks is an error.
func (j *Job) series(ctx context.Context, games arena.Catalogue) (arena.Series, error) {
	s := arena.Series{Seed: j.Seed, Phase: j.Phase, From: j.From, To: j.From + int64(j.Blocks)}
	if j.Blocks < 1 || j.Blocks > mostBlocks {
		return s, fmt.Errorf("expected a job of 1 to %d blocks, got %d", mostBlocks, j.Blocks)
	}
	game, err := games.Game(j.Game)
	if err != nil {
		return s, err
	}
	if s.Ruleset, err = game.OpenRules(j.Rules); err != nil {
		return s, err
	}
	if s.Ruleset.Hash() != j.RulesHash {
		return s, errors.New("the rules differ from those of the daemon")
	}
	for _, p := range j.Entrants {
		e, err := s.Ruleset.NewEntrant(p.Strategy, p.Strategy, p.Params)
		if err != nil {
			return s, err
		}
		if e.Hash() != p.Hash {
			return s, fmt.Errorf("the parameters of %s differ from those of the daemon", p.Strategy)
		}
		s.Entrants = append(s.Entrants, e)
	}
	s.Entrants = arena.Distinct(s.Entrants)
	if err := s.Check(); err != nil {
		return s, err
	}
	got, err := s.Ruleset.Signatures(ctx, strategyNames(s.Entrants)...)
	if err != nil {
		return s, err
	}
	if got != j.Signatures {
		return s, fmt.Errorf("%s is played differently: expected signatures %s, got %s", j.Game, j.Signatures, got)
	}
	return s, nil
}
