package service

import (
	"context"
	"encoding/json"
	"sync"

	"sakusen/tuner/store"
)

// jobPieces are a job's finished parts in the record.
type jobPieces struct {
	ctx    context.Context // a finished part is stored even if the job is interrupted
	store  *store.Store
	id     int
	commit string // of the program

	mu    sync.Mutex
	known map[string]json.RawMessage
}

func (s execution) pieces(ctx context.Context, id int) (*jobPieces, error) {
	known, err := s.store.Jobs.Pieces(ctx, id)
	return &jobPieces{ctx: context.WithoutCancel(ctx), store: s.store, id: id, commit: s.o.Settings.Commit, known: known}, err
}

// key contains the version of the program, so that results of other versions are not used.
func (p *jobPieces) key(name string) string { return p.commit + " " + name }

// Find implements experiment.Pieces.
func (p *jobPieces) Find(name string) (json.RawMessage, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	value, ok := p.known[p.key(name)]
	return value, ok
}

// Keep implements experiment.Pieces.
func (p *jobPieces) Keep(name string, value json.RawMessage) error {
	p.mu.Lock()
	p.known[p.key(name)] = value
	p.mu.Unlock()
	return p.store.Jobs.AddPiece(p.ctx, p.id, p.key(name), value)
}
