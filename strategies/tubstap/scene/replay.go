package scene

import (
	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/tubstap"
)

// Bounds of texts of a replay file that are shown, characters.
const (
	longName    = 40
	longWarning = 200
)

// openReplay reads a replay file. The game in it must be one by the strict
// rules; the file holds all of them but the power of anti-air tanks.
func openReplay(rs *arena.Ruleset, text []byte) (*film.Replay, error) {
	power, _ := rs.Rules.Get("antiair_infantry")
	options := tubstap.Options{AntiAirInfantry: power}
	rules := options.Rules()
	r, warnings, err := tubstap.ParseRecord(text)
	if err != nil {
		return nil, err
	}
	end, err := r.Replay(rules)
	if err != nil {
		return nil, err
	}
	out := &film.Replay{Show: func(see func(event any) error) error { return r.Events(rules, see) }}
	for i, name := range []string{r.Red, r.Blue} {
		if name = film.Clean(name, longName); name == "" {
			name = tubstap.Team(i).String()
		}
		out.Seats = append(out.Seats, name)
	}
	for _, w := range warnings {
		out.Warnings = append(out.Warnings, film.Clean(w.String(), longWarning))
	}
	if winner, ending := end.Result(); ending != tubstap.Running {
		for seat := range out.Seats {
			out.Scores = append(out.Scores, score(winner, tubstap.Team(seat)))
		}
	}
	return out, nil
}

// score is a side's share of a game.
func score(winner, side tubstap.Team) float64 {
	switch winner {
	case tubstap.Nobody:
		return 0.5
	case side:
		return 1
	}
	return 0
}
