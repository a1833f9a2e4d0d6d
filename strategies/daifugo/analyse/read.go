package analyse

import (
	"bytes"
	"fmt"

	"sakusen/engines/daifugo"
)

// ReadPositions reads positions to value, one a line in the form of analyse
// daifugo, of a game with the given rules. An error names the file and the line.
func ReadPositions(r daifugo.Rules, file string, text []byte) ([]daifugo.Position, error) {
	var asked []daifugo.Position
	for n, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		p, err := readPosition(r, line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
		}
		asked = append(asked, p)
	}
	return asked, nil
}

func readPosition(r daifugo.Rules, line []byte) (daifugo.Position, error) {
	s, err := parse(line)
	if err != nil {
		return daifugo.Position{}, err
	}
	if len(s.Hands) != r.Seats || s.Ranks != r.Ranks {
		return daifugo.Position{}, fmt.Errorf("hands, ranks: expected %d players and %d ranks as in the game that is solved, got %d and %d",
			r.Seats, r.Ranks, len(s.Hands), s.Ranks)
	}
	return s.PositionOf(r.Cards)
}
