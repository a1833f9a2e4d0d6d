package service

import (
	"context"

	"sakusen/tuner"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
)

// Outcast is what was taken out of the database with the blocks of a worker that is not
// trusted any more.
type Outcast struct {
	Blocks int64
	Again  []string // studies that play them again by themselves
	Held   []string // studies that have begun anew and wait to be resumed
}

// DropWorker takes all blocks out of the database that a worker has played for this daemon.
// Studies that have met them begin anew, as after [Studies.Drop]: those that run, wait or
// have failed go on by themselves; one that has ended waits to be resumed. What people have told of
// games played elsewhere stays, whoever has told it. What runs rests meanwhile.
func (b *Blocks) DropWorker(ctx context.Context, worker string) (Outcast, error) {
	s := b.s
	var out Outcast
	if n, err := s.store.Blocks().PlayedBy(ctx, worker, blocks.Scope{}); err != nil || n == 0 {
		return out, err
	}
	err := s.daemon.Rest(ctx, func() error {
		var anew []store.Anew
		var kept []blocks.Scope
		for l, err := range s.store.Studies.All(ctx) {
			if err != nil {
				return err
			}
			if former(l.Name) || l.Foreign {
				continue
			}
			d, spec, err := find(ctx, s.store, l.Name)
			if err != nil { // nobody can resume it
				s.o.Log.Warn("a study cannot be read and stays as it is", "study", l.Name, "error", err)
				continue
			}
			scope, err := scopeOf(ctx, s.store, d, spec)
			if err != nil {
				return err
			}
			n, err := s.store.Blocks().PlayedBy(ctx, worker, scope)
			switch {
			case err != nil:
				return err
			case n == 0:
			case spec.Elsewhere():
				kept = append(kept, scope)
			case l.State == tuner.Queued || l.State == tuner.Running || l.State == tuner.Failed: // perhaps by what they were
				anew, out.Again = append(anew, store.Anew{Study: l.Name, State: tuner.Queued}), append(out.Again, l.Name)
			default:
				anew = append(anew, store.Anew{Study: l.Name, State: tuner.Paused, Message: "blocks of worker " + worker + " were dropped, since others of its games came out differently: resume the study, and they are played again"})
				out.Held = append(out.Held, l.Name)
			}
		}
		var err error
		out.Blocks, err = s.store.DropEverywhere(ctx, worker, anew, kept)
		return err
	})
	return out, err
}
