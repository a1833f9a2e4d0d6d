package view

import (
	"fmt"
	"io"

	"sakusen/tuner/service"
)

// Tournament writes the result of a tournament: ratings, crosstable, orderings.
func Tournament(w io.Writer, t *service.TournamentReport) error {
	fmt.Fprintf(w, "%s: %s, %s, %d pairings of %d blocks, %d games, seed %s\n\n",
		t.Name, t.Game, t.Format, len(t.Pairings), t.Blocks, t.Games, t.Seed)
	ranked := t.Ranked()
	err := Table(w, func(line func(...any)) {
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
	return Table(w, func(line func(...any)) {
		head := []any{"seats", "games", "seat", "score", "95 %"}
		for _, m := range t.Columns() {
			head = append(head, m)
		}
		line(head...)
		for _, p := range t.Pairings {
			for _, o := range p.Orders {
				for seat, s := range o.Seats {
					score, scores := s.CI95.Round(s.Score, 4)
					cells := []any{o.Label, o.Games, seat + 1, score, scores}
					for _, m := range t.Columns() {
						cells = append(cells, s.Metrics[m].Text())
					}
					line(cells...)
				}
			}
		}
	})
}
