package films

import (
	"context"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/param"
)

// filmBytes bounds one film, bytes of drawings. The longest game on the largest
// map that is generated (TUBSTAP, 24 x 24, 48 units, 50 half-turns) takes some 40 MB.
const filmBytes = 48 << 20

// filmOf is what is known of a game before it is played.
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
		end.Scores = append(end.Scores, FilmResult{Name: names[seat], Score: its.Score, Fault: its.Fault})
	}
	return end, one.Result.Run, nil
}
