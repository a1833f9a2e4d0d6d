package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/arena/film"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/web"
)

// filmBytes bounds one film, bytes of drawings. The longest game on the largest
// map that is generated (TUBSTAP, 24 x 24, 48 units, 50 half-turns) takes some 40 MB.
const filmBytes = 48 << 20

// theatre shows games to those who watch the daemon.
type theatre struct {
	store   *store.Store
	games   catalogue.Games
	host    *tuner.CachedHost // for what is stored; plays nothing
	indexes *indexes
}

func newTheatre(s *store.Store, games catalogue.Games) *theatre {
	return &theatre{store: s, games: games, host: &tuner.CachedHost{Blocks: s.Blocks()}, indexes: newIndexes()}
}

// Stages implements web.Theatre.
func (t *theatre) Stages(_ context.Context, game string, rules map[string]web.Text) ([]web.Stage, error) {
	var out []web.Stage
	for i := range t.games {
		g := &t.games[i]
		given := map[string]web.Text{}
		if g.Name == game {
			given = rules
		}
		stage, err := stageOf(g, given)
		if err != nil {
			return nil, err
		}
		out = append(out, stage)
	}
	return out, nil
}

// stageOf describes a game under the given rules, with entrants that are worth a
// look: its scene's, or its strategies in turn.
func stageOf(g *catalogue.Game, rules map[string]web.Text) (web.Stage, error) {
	s := web.Stage{Game: g.Name, Doc: g.Doc, Records: replayFiles(g)}
	rs, _, err := openStage(g.Game, rules)
	if err != nil {
		return s, err
	}
	for _, about := range g.Strategies {
		s.Known = append(s.Known, about.Name)
	}
	pieces := s.Known
	if len(g.Scene.Entrants) > 0 {
		pieces, s.Seed = g.Scene.Entrants, g.Scene.Seed
		for _, text := range pieces {
			if !slices.Contains(s.Known, text) {
				s.Known = append(s.Known, text)
			}
		}
	}
	for seat := range rs.Seats {
		s.Entrants = append(s.Entrants, pieces[seat%len(pieces)])
	}
	options, err := g.RulesOptions()
	for _, p := range options {
		value, active := rs.Rules.Get(p.Name)
		if !active {
			continue
		}
		rule := web.StageRule{Name: p.Name, Doc: p.Doc, Value: value, Default: p.Default, Choices: p.Choices}
		if p.Kind == param.Bool {
			rule.Choices = []string{"false", "true"}
		}
		if len(rule.Choices) > 0 && !slices.Contains(rule.Choices, value) {
			rule.Choices = append(slices.Clone(rule.Choices), value)
		}
		s.Rules = append(s.Rules, rule)
	}
	return s, err
}

// openStage opens a game under the rules of a ticket. Options that do not apply
// beside the others are left out, and returned: forms send them.
func openStage(g *arena.Game, rules map[string]web.Text) (rs *arena.Ruleset, left []string, err error) {
	options, err := g.RulesOptions()
	if err != nil {
		return nil, nil, err
	}
	value := map[string]string{}
	for i := range options {
		p := &options[i]
		value[p.Name] = p.Default
		if text, ok := rules[p.Name]; ok {
			value[p.Name] = strings.TrimSpace(string(text))
		}
	}
	var given param.Values
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		at := slices.IndexFunc(options, func(p param.Param) bool { return p.Name == name })
		if at >= 0 && slices.ContainsFunc(options[at].When, func(c param.Condition) bool { return !c.Holds(value[c.Name]) }) {
			left = append(left, name)
			continue
		}
		given = append(given, param.Value{Name: name, Text: string(rules[name])})
	}
	rs, errs := g.Open(given)
	if len(errs) > 0 {
		return nil, left, refusal(errs)
	}
	return rs, left, nil
}

// refusal is a problem with everything that is wrong, each cut to a length that
// a page can show.
func refusal(errs []error) error {
	var all []string
	for line := range strings.SplitSeq(errors.Join(errs...).Error(), "\n") {
		all = append(all, clipped(line))
	}
	return service.New(service.Invalid, "the game cannot be shown", all...)
}

// clipped is a line of at most so many bytes that people read it.
func clipped(line string) string {
	const most = 500
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}

// Open implements web.Theatre.
func (t *theatre) Open(ctx context.Context, ticket web.Ticket) (*web.Showing, error) {
	if ticket.Study != "" {
		return t.openStored(ctx, ticket)
	}
	if ticket.Record != "" {
		return t.openRecord(ticket)
	}
	g, err := t.games.Game(ticket.Game)
	if err != nil {
		return nil, service.New(service.Invalid, clipped(err.Error()))
	}
	rs, left, err := openStage(g.Game, ticket.Rules)
	if err != nil {
		return nil, err
	}
	s := arena.Series{Ruleset: rs, Seed: 1, Phase: arena.Match, From: ticket.Block, To: ticket.Block + 1}
	var errs []error
	if ticket.Seed != "" {
		seed, err := param.ParseSeed(string(ticket.Seed))
		if err != nil {
			errs = append(errs, fmt.Errorf("seed: %w", err))
		}
		s.Seed = uint64(seed)
	}
	for i, text := range ticket.Entrants {
		e, err := rs.Entrant(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("entrants[%d]: %w", i, err))
		}
		s.Entrants = append(s.Entrants, e)
	}
	if len(ticket.Entrants) != rs.Seats {
		errs = append(errs, fmt.Errorf("entrants: %s takes %d under these rules, got %d", g.Name, rs.Seats, len(ticket.Entrants)))
	}
	if ticket.Rotation >= rs.Seats {
		errs = append(errs, fmt.Errorf("rotation: expected 0 to %d, got %d", rs.Seats-1, ticket.Rotation))
	}
	if len(errs) > 0 {
		return nil, refusal(errs)
	}
	one := filmOf(s, ticket.Rotation)
	for _, name := range left {
		one.Notes = append(one.Notes, "The rule "+name+" does not apply beside the others and is left out.")
	}
	key := rs.Hash() + " " + one.Seed
	for _, e := range s.Entrants {
		key += "\n" + e.Name + "\n" + e.Canonical()
	}
	return &web.Showing{
		Film: one, Key: fmt.Sprintf("%s\n%d %d", key, s.From, ticket.Rotation),
		Play: func(ctx context.Context, each func(web.FilmFrame) error) (web.FilmEnd, error) {
			end, _, err := shoot(ctx, g.Scene, s, ticket.Rotation, each)
			return end, err
		},
	}, nil
}

// filmOf is what is known of a game before it is played.
func filmOf(s arena.Series, rotation int) web.Film {
	f := web.Film{
		Game: s.Ruleset.Game.Name, Seats: make([]web.FilmSeat, len(s.Entrants)), Rules: map[string]string{},
		Seed: param.Seed(s.Seed).String(), Phase: s.Phase.String(), Block: s.From, Rotation: rotation,
	}
	for _, v := range s.Ruleset.Rules {
		f.Rules[v.Name] = v.Text
	}
	names := film.SeatNames(s.Entrants, rotation)
	for e, one := range s.Entrants {
		seat := (e + rotation) % len(s.Entrants)
		f.Seats[seat] = web.FilmSeat{Name: names[seat], Entrant: one.Canonical()}
	}
	return f
}

// shoot films one game for the pages.
func shoot(ctx context.Context, scene film.Scene, s arena.Series, rotation int, each func(web.FilmFrame) error) (web.FilmEnd, *arena.Run, error) {
	one, err := film.Shoot(ctx, scene, s, rotation, film.Limits{Bytes: filmBytes}, func(f film.Frame) error {
		return each(web.FilmFrame(f))
	})
	end := web.FilmEnd{Cut: one.Cut}
	if err != nil || one.Result == nil {
		return end, nil, err
	}
	end.Digest = one.Result.Digest
	names := film.SeatNames(s.Entrants, rotation)
	for seat, its := range one.Result.Seats {
		end.Scores = append(end.Scores, web.FilmResult{Name: names[seat], Score: its.Score, Fault: its.Fault})
	}
	return end, one.Result.Run, nil
}
