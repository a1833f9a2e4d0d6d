package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// consent tries a program that knows the rules of its game: it plays against itself.
func (t *trial) consent() {
	s, err := Open([]Entry{*t.entry})
	if err != nil {
		t.check("entry", true, func() (string, error) { return "", err })
		return
	}
	defer s.Close()
	s.Unkept = true
	if !t.check("handshake", true, func() (string, error) {
		info, err := s.Describe(t.entry.Name)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %d parameters", info.Title, len(info.Params)+len(info.Fields)), nil
	}) {
		return
	}
	game, limits := s.UGI(), []string{"nodes:1000", "depth:2", "movetime:100"}
	if t.entry.Protocol == GTP {
		game, limits = s.Go(), []string{""}
	}
	var plays []string
	for _, limit := range limits {
		var rules param.Values
		kind, _, _ := strings.Cut(limit, ":")
		name := "moves by " + kind
		if limit == "" {
			name = "moves"
		} else {
			rules = param.Values{{Name: "limit", Text: limit}}
		}
		rs, err := game.OpenRules(rules)
		if !t.check(name, false, func() (string, error) {
			if err != nil {
				return "", err
			}
			return t.playsItself(rs)
		}) {
			continue
		}
		plays = append(plays, name)
		if kind == "movetime" {
			continue
		}
		t.check(strings.Replace(name, "moves", "same", 1), false, func() (string, error) {
			why, err := rs.Recorded(t.entry.Name)
			if err == nil && why != "" {
				err = errors.New(why)
			}
			return fmt.Sprintf("%d games of %d plies in fresh processes are equal", triedGames, triedPlies), err
		})
	}
	t.check("plays", true, func() (string, error) {
		if len(plays) == 0 {
			return "", errors.New("under no limit does it play a game to its end")
		}
		return strings.Join(plays, ", "), nil
	})
}

// asked tries a program that is asked for moves: it plays against itself.
func (t *trial) asked() {
	s, err := Open([]Entry{*t.entry})
	if err != nil {
		t.check("entry", true, func() (string, error) { return "", err })
		return
	}
	defer s.Close()
	if !t.check("handshake", true, func() (string, error) {
		info, err := s.Describe(t.entry.Name)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %d parameters", info.Title, len(info.Fields)), nil
	}) {
		return
	}
	rs, err := s.askedGame(t.entry.Game).OpenRules(nil)
	t.check("same answers", false, func() (string, error) {
		if err != nil {
			return "", err
		}
		why, err := rs.Recorded(t.entry.Name)
		if err == nil && why != "" {
			err = errors.New(why)
		}
		return fmt.Sprintf("the same in %d fresh processes", triedGames), err
	})
	t.check("plays", true, func() (string, error) {
		if err != nil {
			return "", err
		}
		return t.playsItself(rs)
	})
}

// playsItself reports how a program plays against itself, or what went wrong.
func (t *trial) playsItself(rs *arena.Ruleset) (string, error) {
	e, err := rs.Entrant(t.entry.Name)
	if err != nil {
		return "", err
	}
	var story []string
	series := arena.Series{Ruleset: rs, Seed: 1, To: 2, Entrants: slices.Repeat([]arena.Entrant{e}, rs.Seats), Story: func(line string) { story = append(story, line) }}
	tally, err := arena.NewPool(1).Play(context.Background(), series, nil)
	if err != nil {
		return "", err
	}
	for _, e := range tally.Entrants {
		if i := rs.Component("disputes"); e.Faults > 0 || i >= 0 && e.Sums[i] > 0 {
			return "", errors.New(story[len(story)-1])
		}
	}
	return fmt.Sprintf("%d games to their end, the last: %s", tally.Games, story[len(story)-1]), nil
}
