package players

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/external/wholefile"
)

// KeptGames is the games of a match of chess in a PGN file. Each is appended when it
// ends, so that a match which is killed loses none; at the end the file is put in order.
// A match that goes on keeps those of its games that the file holds.
type KeptGames struct {
	path   string
	series arena.Series
	games  chess.Games
	mu     sync.Mutex
	file   *os.File
	failed error
}

// KeepGames opens the file of a match that is about to be played, which it watches.
func KeepGames(path string, s *arena.Series) (*KeptGames, error) {
	k := &KeptGames{path: path}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %d\n", s.Ruleset.Hash(), s.Seed)
	for _, e := range s.Entrants {
		fmt.Fprintln(sum, e.Canonical())
	}
	k.games.Match = fmt.Sprintf("%x", sum.Sum(nil)[:8])
	k.games.Ended = k.append
	k.games.Of(s)
	k.series = *s
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if foreign := k.games.Read(string(text)); foreign > 0 {
		return nil, fmt.Errorf("%s: expected no file, or games of this match, got %d others: give another name", path, foreign)
	}
	k.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return k, err
}

// append writes a game that has ended.
func (k *KeptGames) append(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, err := k.file.WriteString(text); err != nil && k.failed == nil {
		k.failed = err
	}
}

// Finish plays the games of the first blocks again that were taken from a database,
// where they can be, and writes all in order. missing is how many blocks have no games.
func (k *KeptGames) Finish(ctx context.Context, host arena.Host, blocks int64, again bool) (missing int64, err error) {
	for b := int64(0); b < blocks && ctx.Err() == nil; b++ {
		if k.games.Has(b) {
			continue
		}
		if !again {
			missing++
			continue
		}
		s := k.series
		s.From, s.To = b, b+1
		if _, err := host.Play(ctx, s, nil); err != nil {
			return 0, err
		}
	}
	if err := errors.Join(k.file.Close(), k.failed, ctx.Err()); err != nil {
		return missing, err
	}
	return missing, wholefile.Write(k.path, func(w io.Writer) error { return k.games.Write(w, blocks) })
}

// Missing says for people that blocks have no games.
func Missing(blocks int64) string {
	return fmt.Sprintf("%d blocks were played before without this file: their games are not kept and cannot be played again", blocks)
}
