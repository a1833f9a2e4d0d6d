package films

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/arena/film"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// warningsShown bounds the warnings about a replay file that a page shows.
const warningsShown = 5

// replayFiles returns what a game's replay files are, empty where it has none.
func replayFiles(g *catalogue.Game) string {
	if g.Scene.Replays == nil {
		return ""
	}
	return g.Scene.Replays.Doc
}

// openRecord shows the game that a replay file holds, replayed under the strict
// rules.
func (t *Studio) openRecord(ticket Ticket) (*Showing, error) {
	g, err := t.games.Game(ticket.Game)
	if err != nil {
		return nil, service.New(service.Invalid, clipped(err.Error()))
	}
	files := g.Scene.Replays
	if files == nil {
		return nil, refusal([]error{fmt.Errorf("record: %s has no replay files", g.Name)})
	}
	for name := range ticket.Rules {
		if !slices.Contains(files.Options, name) {
			return nil, refusal([]error{fmt.Errorf("rules: %.40q: expected only %s; the record has the other rules", name, strings.Join(files.Options, ", "))})
		}
	}
	rs, _, err := openStage(g.Game, ticket.Rules)
	if err != nil {
		return nil, err
	}
	record, err := files.Open(rs, []byte(ticket.Record))
	if err != nil {
		return nil, refusal([]error{fmt.Errorf("record: %w", err)})
	}
	one := FilmHeader{Game: g.Name, Rules: map[string]string{}, Record: true, Measure: g.Scene.Measure}
	key := fmt.Sprintf("record %s %x", g.Name, sha256.Sum256([]byte(ticket.Record)))
	for _, name := range files.Options {
		value, _ := rs.Rules.Get(name)
		one.Rules[name] = value
		key += " " + value
	}
	for _, name := range record.Seats {
		one.Seats = append(one.Seats, FilmSeat{Name: name, Entrant: name})
	}
	for i, w := range record.Warnings {
		if i == warningsShown {
			one.Notes = append(one.Notes, fmt.Sprintf("%d more warnings.", len(record.Warnings)-i))
			break
		}
		one.Notes = append(one.Notes, w)
	}
	return &Showing{
		Film: one, Key: key,
		Play: func(ctx context.Context, each func(FilmFrame) error) (FilmEnd, error) {
			return shootRecord(ctx, g.Scene, rs, record, each)
		},
	}, nil
}

// shootRecord films a game from its record.
func shootRecord(ctx context.Context, scene film.Scene, rs *arena.Ruleset, record *film.Replay, each func(FilmFrame) error) (FilmEnd, error) {
	told, err := film.ShootReplay(ctx, scene, rs, record, film.Limits{Bytes: filmBytes}, func(f film.Frame) error { return each(FilmFrame(f)) })
	out := FilmEnd{Cut: told.Cut}
	if err != nil || out.Cut != "" {
		return out, err
	}
	if record.Scores == nil {
		out.Note = "The record ends before the game does."
	}
	for seat, score := range record.Scores {
		out.Scores = append(out.Scores, filmResult{Name: record.Seats[seat], Score: score})
	}
	return out, nil
}

// openKept opens a game of a study that cannot be played again, as it was played.
func (t *Studio) openKept(ctx context.Context, d *store.Details, x *index, s arena.Series, ticket Ticket) (*Showing, error) {
	cannot := "recorded: games of this study cannot be replayed: " + x.recorded
	g, err := t.games.Game(s.Ruleset.Game.Name)
	if err != nil {
		return nil, err
	}
	switch {
	case ticket.Instead == "baseline":
		return nil, service.New(service.Conflict, clipped(cannot))
	case g.Scene.Recorded == nil:
		return nil, service.New(service.Conflict, clipped(cannot+"; of "+g.Name+" no moves are stored"))
	}
	rotation := ticket.Rotation % rotations(s.Entrants)
	text, err := t.host.Kept(ctx, s, ticket.Block, rotation)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, service.New(service.Conflict, clipped(fmt.Sprintf("%s; the moves of this game were not stored: of each pairing %d games are stored in phase %v",
			cannot, tuner.KeptGames(s.Phase), s.Phase)))
	}
	record, err := g.Scene.Recorded(text)
	if err != nil {
		return nil, fmt.Errorf("study %q: the kept moves of block %d, rotation %d, phase %v: %w", ticket.Study, ticket.Block, rotation, s.Phase, err)
	}
	header := filmOf(s, rotation)
	header.Study, header.Trial, header.Measure = ticket.Study, &ticket.Trial, g.Scene.Measure
	header.Notes = append(header.Notes, "Shown as it was played (recorded), not played again: "+x.recorded+".")
	record.Seats = record.Seats[:0]
	for _, seat := range header.Seats {
		record.Seats = append(record.Seats, seat.Name)
	}
	return &Showing{
		Film: header,
		Key: fmt.Sprintf("kept %d %s trial %d %v %d %d %d %x", d.ID, d.SpecHash, ticket.Trial, s.Phase, ticket.Opponent, ticket.Block, rotation,
			sha256.Sum256([]byte(text))),
		Play: func(ctx context.Context, each func(FilmFrame) error) (FilmEnd, error) {
			end, err := shootRecord(ctx, g.Scene, s.Ruleset, record, each)
			if err != nil || end.Cut != "" {
				return end, err
			}
			end.Digest = fmt.Sprintf("%016x", record.Digest)
			err = t.compareKept(ctx, s, rotation, record.Digest, &end)
			return end, err
		},
	}, nil
}

// compareKept compares the moves of a kept game with its block in the database.
func (t *Studio) compareKept(ctx context.Context, s arena.Series, rotation int, digest uint64, end *FilmEnd) error {
	stored, err := t.stored(ctx, s)
	if sqlitedb.Damaged(err) {
		end.Check = "different"
		end.Note = fmt.Sprintf("Warning: the stored result of this game was changed after it was written (%v).", err)
		return nil
	}
	if err != nil {
		return err
	}
	block, at, ok := storedGame(stored, s.From, rotation)
	switch {
	case !ok:
		end.Check, end.Note = "none", "The result of this game is not in the database, so there is nothing to compare its moves with."
	case block.Digests[at] == digest:
		end.Check, end.Note = "same", "Shown as it was played (recorded): the moves are those of the game that the study has counted."
	default:
		end.Check = "different"
		end.Note = fmt.Sprintf("Warning: these are not the moves of the game that the study has counted. That game's digest is %016x, theirs is %s.", block.Digests[at], end.Digest)
	}
	if ok {
		for seat := range end.Scores {
			v := block.Game(0, at, seat)
			end.Scores[seat].Score, end.Scores[seat].Fault = float64(v[0])/float64(arena.Scale(block.Seats)), v[1] != 0
		}
	}
	return nil
}
