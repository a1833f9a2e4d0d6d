package arena

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// playedBlocks is the number of blocks of each of the two pairings that Played uses to
// compare entrants: about a hundredth of a validation.
const playedBlocks = 8

// Played is the signature of an entrant's play, as sixteen hexadecimal digits: the
// fold of the transcript digests of its games with itself and, unless it is that,
// with its strategy's defaults, over fixed fixtures. Two entrants that play alike
// there have the same, however far their values lie apart; a value moved by less
// than play can tell moves nothing. It is worked out once in the life of the game.
func (rs *Ruleset) Played(ctx context.Context, e Entrant) (string, error) {
	if rs.Game.Outside(e.Strategy) { // whose games may cost much, and be no two alike
		id, err := rs.identify(e.Strategy)
		sum := sha256.Sum256([]byte(id.Hash + "\n" + e.Canonical()))
		return hex.EncodeToString(sum[:8]), err
	}
	key := rs.Hash() + " played " + e.Canonical()
	return rs.Game.signed.get(ctx, key, func(ctx context.Context) (string, error) { return rs.played(ctx, e) })
}

func (rs *Ruleset) played(ctx context.Context, e Entrant) (string, error) {
	defaults, err := rs.NewEntrant(e.Strategy, e.Strategy, nil)
	if err != nil {
		return "", fmt.Errorf("signature of %s: %w", e.Canonical(), err)
	}
	opponents := []Entrant{e}
	if defaults.Canonical() != e.Canonical() {
		opponents = append(opponents, defaults)
	}
	d, h := newDesk(), uint64(0)
	for _, o := range opponents {
		s := Series{Ruleset: rs, Seed: signatureSeed, Phase: Match, To: playedBlocks, Entrants: []Entrant{e}}
		for len(s.Entrants) < rs.Seats {
			s.Entrants = append(s.Entrants, o)
		}
		run, _, err := d.play(ctx, &s, s.key(), chunk{blocks: playedBlocks})
		if err != nil {
			return "", fmt.Errorf("signature of %s: %w", e.Canonical(), err)
		}
		if run.Blocks < playedBlocks {
			return "", ctx.Err()
		}
		for b := range run.Blocks {
			h = mix(h ^ run.blockDigest(b))
		}
	}
	return fmt.Sprintf("%016x", h), nil
}
