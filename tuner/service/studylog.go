package service

import (
	"context"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight/chronicle"
)

// Log lists at most limit entries of a study's log after a sequence number.
func (t Logs) Log(ctx context.Context, name string, after, limit int) ([]LogEntry, error) {
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	page, err := t.s.store.Study(d.ID).EntryPage(ctx, after, limit)
	out := []LogEntry{}
	for i, e := range page {
		out = append(out, LogEntry{Seq: after + 1 + i, Kind: string(e.Kind), Payload: e.Payload})
	}
	return out, err
}

// Chronicle begins a chronicle of a study, of which nothing is read yet. Where
// the game's rules are no longer what the study says, what needs them stays
// unknown.
func (t Logs) Chronicle(ctx context.Context, name string) (*chronicle.Chronicle, error) {
	_, spec, err := find(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	game, err := tuner.GameOf(spec, t.s.o.Catalogue)
	if err != nil {
		return chronicle.New(spec, nil), nil
	}
	rules, err := game.OpenRules(spec.Rules)
	if err != nil {
		t.s.o.Log.Debug("the log of a study cannot be read", "study", name, "error", err)
		rules = nil
	}
	return chronicle.New(spec, rules), nil
}

// EachEntry hands over at most limit entries of the log of the study with an id,
// after the given number, in order.
func (t Logs) EachEntry(ctx context.Context, id, after, limit int, each func(entry.Entry) error) error {
	return t.s.store.Study(id).EachEntry(ctx, after, limit, each)
}

// EntriesAt are the entries of the study with an id with the given numbers, at
// most 1 000.
func (t Logs) EntriesAt(ctx context.Context, id int, seqs []int) (map[int]entry.Entry, error) {
	return t.s.store.Study(id).EntriesAt(ctx, seqs)
}
