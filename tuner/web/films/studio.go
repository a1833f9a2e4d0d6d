package films

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
	"sakusen/tuner/insight"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// Studio shows games to those who watch the daemon.
type Studio struct {
	store   *store.Store
	games   catalogue.Games
	host    *tuner.CachedHost // for what is stored; plays nothing
	indexes *indexes
}

// New returns a studio over an open database and a catalogue of games with their drawers.
func New(s *store.Store, games catalogue.Games) *Studio {
	return &Studio{store: s, games: games, host: &tuner.CachedHost{Blocks: s.Blocks()}, indexes: newIndexes()}
}

// Open checks a ticket; nothing is played yet.
func (t *Studio) Open(ctx context.Context, ticket Ticket) (*Showing, error) {
	if ticket.Study != "" {
		return t.openStored(ctx, ticket)
	}
	if ticket.Record != "" {
		return t.openRecord(ticket)
	}
	return t.openFresh(ticket)
}

// refusal returns a problem with everything that is wrong, each cut to a length that
// a page can show.
func refusal(errs []error) error {
	var all []string
	for line := range strings.SplitSeq(errors.Join(errs...).Error(), "\n") {
		all = append(all, clipped(line))
	}
	return service.New(service.Invalid, "the game cannot be shown", all...)
}

// clipped returns a line of at most so many bytes that people read it.
func clipped(line string) string {
	const most = 500
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}

// openFresh opens the game that a ticket describes.
func (t *Studio) openFresh(ticket Ticket) (*Showing, error) {
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
	one.Measure = g.Scene.Measure
	for _, name := range left {
		one.Notes = append(one.Notes, "The rule "+name+" does not apply together with the other rules and is left out.")
	}
	key := rs.Hash() + " " + one.Seed
	for _, e := range s.Entrants {
		key += "\n" + e.Name + "\n" + e.Canonical()
	}
	return &Showing{
		Film: one, Key: fmt.Sprintf("%s\n%d %d", key, s.From, ticket.Rotation),
		Play: func(ctx context.Context, each func(FilmFrame) error) (FilmEnd, error) {
			end, _, err := shoot(ctx, g.Scene, s, ticket.Rotation, each)
			return end, err
		},
	}, nil
}

// openStored opens a game of a study's record.
func (t *Studio) openStored(ctx context.Context, ticket Ticket) (*Showing, error) {
	d, err := service.FindStudy(ctx, t.store, ticket.Study)
	if err != nil {
		return nil, err
	}
	phase, err := arena.ParsePhase(ticket.Phase)
	if ticket.Phase == "" {
		phase, err = arena.Tune, nil
	}
	if err != nil {
		return nil, service.New(service.Invalid, clipped(err.Error()))
	}
	x, list, err := t.meetings(ctx, &d, ticket.Trial)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(m insight.Meeting) bool {
		return m.Series.Phase == phase && m.Nth == ticket.Opponent && ticket.Block >= m.Series.From && ticket.Block < m.Series.To
	})
	if at < 0 {
		return nil, service.New(service.NotFound, fmt.Sprintf("trial %d of %q has not met opponent %d on block %d of phase %v", ticket.Trial, ticket.Study, ticket.Opponent, ticket.Block, phase))
	}
	s := list[at].Series
	if ticket.Rotation >= len(s.Entrants) {
		return nil, service.New(service.Invalid, fmt.Sprintf("rotation: expected 0 to %d, got %d", len(s.Entrants)-1, ticket.Rotation))
	}
	s.From, s.To = ticket.Block, ticket.Block+1
	if x.recorded != "" {
		return t.openKept(ctx, &d, x, s, ticket)
	}
	instead := ""
	if ticket.Instead == "baseline" {
		if x.spec.Baseline == "" {
			return nil, service.New(service.Invalid, "the study has no baseline to play in the trial's place")
		}
		e, err := s.Ruleset.Entrant(x.spec.Baseline)
		if err != nil {
			return nil, err
		}
		e.Name, instead = "baseline", " baseline"
		s.Entrants = slices.Clone(s.Entrants)
		s.Entrants[list[at].Trial] = e
	}
	film := filmOf(s, ticket.Rotation)
	film.Study, film.Trial = ticket.Study, &ticket.Trial
	g, err := t.games.Game(s.Ruleset.Game.Name)
	if err != nil {
		return nil, err
	}
	film.Measure = g.Scene.Measure
	if x.signatures != d.Signatures {
		film.Notes = append(film.Notes, "The study was made by other code. The game is shown as this program plays it, which may differ. Signatures then "+d.Signatures+", now "+x.signatures+".")
	}
	return &Showing{
		Film: film,
		Key:  fmt.Sprintf("study %d %s trial %d %v %d %d %d", d.ID, d.SpecHash, ticket.Trial, phase, ticket.Opponent, ticket.Block, ticket.Rotation) + instead,
		Play: func(ctx context.Context, each func(FilmFrame) error) (FilmEnd, error) {
			if ticket.Instead == "baseline" { // no study has counted it
				end, _, err := shoot(ctx, g.Scene, s, ticket.Rotation, each)
				return end, err
			}
			return t.playStored(ctx, s, ticket.Rotation, each)
		},
	}, nil
}

// playStored plays a game again and compares it with the record.
func (t *Studio) playStored(ctx context.Context, s arena.Series, rotation int, each func(FilmFrame) error) (FilmEnd, error) {
	g, err := t.games.Game(s.Ruleset.Game.Name)
	if err != nil {
		return FilmEnd{}, err
	}
	end, run, err := shoot(ctx, g.Scene, s, rotation, each)
	if err != nil || run == nil {
		return end, err
	}
	stored, err := t.stored(ctx, s)
	if sqlitedb.Damaged(err) {
		end.Check = "different"
		end.Note = fmt.Sprintf("Warning: not as recorded. The stored game was changed after it was written (%v); the digest of the game shown is %s.", err, end.Digest)
		return end, nil
	}
	if err != nil {
		return end, err
	}
	record, at, ok := storedGame(stored, s.From, rotation)
	if !ok {
		end.Check, end.Note = "none", "The database has no such game played by this code, so there is nothing to compare it with."
		return end, nil
	}
	end.Check, end.Note = "same", "As recorded: the game in the database has the same moves and the same result."
	same := record.Digests[at] == run.Digests[0]
	for seat := range run.Seats {
		same = same && slices.Equal(record.Game(0, at, seat), run.Game(0, 0, seat))
	}
	if !same {
		end.Check = "different"
		end.Note = fmt.Sprintf("Warning: not as recorded. The stored game's digest is %016x, this game's is %s: the record was changed, or the play depends on something outside seed and parameters.", record.Digests[at], end.Digest)
	}
	return end, nil
}

// filmBytes bounds one film, bytes of drawings. The longest game on the largest
// map that is generated (TUBSTAP, 24 x 24, 48 units, 50 half-turns) takes some 40 MB.
const filmBytes = 48 << 20

// filmOf returns what is known of a game before it is played.
func filmOf(s arena.Series, rotation int) FilmHeader {
	f := FilmHeader{
		Game: s.Ruleset.Game.Name, Seats: make([]FilmSeat, len(s.Entrants)), Rules: map[string]string{},
		Seed: param.Seed(s.Seed).String(), Phase: s.Phase.String(), Block: s.From, Rotation: rotation,
	}
	for _, v := range s.Ruleset.Rules {
		f.Rules[v.Name] = v.Text
	}
	names := film.SeatNames(s.Entrants, rotation)
	for e, one := range s.Entrants {
		seat := (e + rotation) % len(s.Entrants)
		f.Seats[seat] = FilmSeat{Name: names[seat], Entrant: one.Canonical()}
	}
	return f
}

// shoot films one game for the pages.
func shoot(ctx context.Context, scene film.Scene, s arena.Series, rotation int, each func(FilmFrame) error) (FilmEnd, *arena.Run, error) {
	one, err := film.Shoot(ctx, scene, s, rotation, film.Limits{Bytes: filmBytes}, func(f film.Frame) error {
		return each(FilmFrame(f))
	})
	end := FilmEnd{Cut: one.Cut}
	if err != nil || one.Result == nil {
		return end, nil, err
	}
	end.Digest = one.Result.Digest
	names := film.SeatNames(s.Entrants, rotation)
	for seat, its := range one.Result.Seats {
		end.Scores = append(end.Scores, filmResult{Name: names[seat], Score: its.Score, Fault: its.Fault})
	}
	return end, one.Result.Run, nil
}

// GameForms returns the games that there are, with what a form needs to know. Rules,
// unless empty, are those of the named game.
func (t *Studio) GameForms(_ context.Context, game string, rules map[string]Text) ([]GameForm, error) {
	var out []GameForm
	for i := range t.games {
		g := &t.games[i]
		given := map[string]Text{}
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

// stageOf describes a game under the given rules, with entrants worth watching: those that
// its scene names, or its strategies in turn.
func stageOf(g *catalogue.Game, rules map[string]Text) (GameForm, error) {
	s := GameForm{Game: g.Name, Doc: g.Doc, Records: replayFiles(g)}
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
		rule := GameFormRule{Name: p.Name, Doc: p.Doc, Value: value, Default: p.Default, Choices: p.Choices}
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

// openStage opens a game under the rules of a ticket. Options that do not apply together
// with the others are left out and returned, because forms send them.
func openStage(g *arena.Game, rules map[string]Text) (rs *arena.Ruleset, left []string, err error) {
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
