package main

import (
	"fmt"
	"io"
	"slices"

	"sakusen/tuner/rating"
)

// print writes the report for people: ratings, crosstable, orderings.
func (t *tournamentReport) print(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s, %s, %d pairings of %d blocks, %d games, seed %s\n\n",
		t.Name, t.Game, t.Format, len(t.Pairings), t.Blocks, t.Games, t.Seed)
	ranked := t.ranked()
	err := table(w, func(line func(...any)) {
		head := []any{"", "entrant", "Elo", "95 %", "score", "games", "wins", "draws", "losses"}
		for place := range ranked {
			head = append(head, place+1)
		}
		line(head...)
		for place, i := range ranked {
			e := t.Entrants[i]
			elo, elos := e.EloCI95.RoundElo(e.Elo)
			cells := []any{place + 1, e.Name, elo, elos, e.Score.Fixed(4), e.Games, e.Wins, e.Draws, e.Losses}
			for _, j := range ranked {
				cells = append(cells, t.Table[i][j].Fixed(3))
			}
			line(cells...)
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(w)
	return table(w, func(line func(...any)) {
		head := []any{"seats", "games", "seat", "score", "95 %"}
		for _, m := range t.metrics {
			head = append(head, m)
		}
		line(head...)
		for _, p := range t.Pairings {
			for _, o := range p.Orders {
				for seat, s := range o.Seats {
					score, scores := s.CI95.Round(s.Score, 4)
					cells := []any{o.Label, o.Games, seat + 1, score, scores}
					for _, m := range t.metrics {
						cells = append(cells, s.Metrics[m].Text())
					}
					line(cells...)
				}
			}
		}
	})
}

// ranked are the entrants by rating, those without one behind by score.
func (t *tournamentReport) ranked() []int {
	order := make([]int, len(t.Entrants))
	for i := range order {
		order[i] = i
	}
	value := func(n rating.Number) float64 { return n.Or(-1e18) }
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &t.Entrants[i], &t.Entrants[j]
		switch x, y := value(a.Elo), value(b.Elo); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		switch x, y := value(a.Score), value(b.Score); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return order
}
