package main

import (
	"context"

	"sakusen/tuner/chronicle"
	"sakusen/tuner/entry"
	"sakusen/tuner/service"
)

// Chronicle implements web.Chronicler. Where the game's rules are no longer what
// the study says, what needs them stays unknown.
func (l *library) Chronicle(ctx context.Context, name string) (*chronicle.Chronicle, error) {
	d, err := l.details(ctx, name)
	if err != nil {
		return nil, err
	}
	spec, err := storedSpec(d)
	if err != nil {
		return nil, err
	}
	game, err := l.catalogue.Game(spec.Game)
	if err != nil {
		return chronicle.New(spec, nil), nil
	}
	rules, err := openRules(game, spec.Rules)
	if err != nil {
		l.log.Debug("chronicle", "study", name, "error", err)
		rules = nil
	}
	return chronicle.New(spec, rules), nil
}

// EachEntry implements web.Chronicler.
func (l *library) EachEntry(ctx context.Context, id, after, limit int, each func(entry.Entry) error) error {
	return l.store.EachEntry(ctx, id, after, limit, each)
}

// EntriesAt implements web.Chronicler.
func (l *library) EntriesAt(ctx context.Context, id int, seqs []int) (map[int]entry.Entry, error) {
	return l.store.EntriesAt(ctx, id, seqs)
}

// TrialsAt implements web.Chronicler.
func (l *library) TrialsAt(ctx context.Context, name string, numbers []int) ([]service.Trial, error) {
	d, err := l.details(ctx, name)
	if err != nil {
		return nil, err
	}
	spec, err := storedSpec(d)
	if err != nil {
		return nil, err
	}
	trials, err := l.store.TrialsAt(ctx, d.ID, numbers)
	if err != nil {
		return nil, err
	}
	return trialsOf(trials, spec.Tune.Params)
}

// UnderWay implements web.Chronicler.
func (l *library) UnderWay(ctx context.Context, limit int) ([]service.Study, error) {
	page, err := l.store.RunningStudies(ctx, limit)
	var out []service.Study
	for _, s := range page {
		out = append(out, l.held(lineOf(s)))
	}
	return out, err
}

// Recent implements web.Chronicler.
func (l *library) Recent(ctx context.Context, before, limit int) ([]service.Study, error) {
	page, err := l.store.RecentStudies(ctx, before, limit)
	out := []service.Study{}
	for _, s := range page {
		out = append(out, l.held(lineOf(s)))
	}
	return out, err
}
