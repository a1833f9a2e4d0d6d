package scene

import (
	"sakusen/engines/arena/film"
	"sakusen/engines/chess"
)

// openRecorded reads a game that was kept because it cannot be played again.
func openRecorded(text string) (*film.Replay, error) {
	r, err := chess.ReadRecord(text)
	if err != nil {
		return nil, err
	}
	scores := map[string][]float64{"1-0": {1, 0}, "0-1": {0, 1}, "1/2-1/2": {0.5, 0.5}}
	return &film.Replay{Seats: r.Players[:], Scores: scores[r.Result()], Digest: r.Digest(), Show: r.Events}, nil
}
