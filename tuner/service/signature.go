package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"sakusen/bench"
	"sakusen/engines/arena"
)

// Signature is the signature of a strategy's play.
type Signature struct {
	Game      string `json:"game"`
	Strategy  string `json:"strategy"`
	Signature string `json:"signature"` // sixteen hexadecimal digits
}

// Signatures are those of all games' strategies under the default rules, or of
// one game's, or of the named strategies of that game.
func Signatures(ctx context.Context, games arena.Catalogue, args ...string) ([]Signature, error) {
	if len(args) > 0 {
		game, err := games.Game(args[0])
		if err != nil {
			return nil, Wrap(Invalid, err)
		}
		games = arena.Catalogue{game}
	}
	signs := []Signature{}
	for _, game := range games {
		rs, err := game.OpenRules(nil)
		if err != nil {
			return nil, err
		}
		var names []string
		if len(args) > 1 {
			names = args[1:]
		} else {
			names = ours(game)
		}
		for _, name := range names {
			if _, err := rs.Space(name); err != nil {
				return nil, Wrap(Invalid, err)
			}
			text, err := rs.Signature(ctx, name)
			if err != nil {
				return nil, err
			}
			signs = append(signs, Signature{game.Name, name, text})
		}
	}
	return signs, nil
}

// ours are the strategies of a game that are no programs of somebody else.
func ours(g *arena.Game) []string {
	var names []string
	for _, s := range g.Strategies {
		if !s.Outside {
			names = append(names, s.Name)
		}
	}
	return names
}

// PlaySignature folds the signatures of all strategies of all games under the
// default rules: the first sixteen hexadecimal digits of the sha256 of the
// lines "game strategy:signature ...".
func PlaySignature(ctx context.Context, catalogue arena.Catalogue) (string, error) {
	h := sha256.New()
	for _, g := range catalogue {
		names := ours(g)
		if len(names) == 0 {
			continue
		}
		rs, err := g.OpenRules(nil)
		if err != nil {
			return "", err
		}
		text, err := rs.Signatures(ctx, names...)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %s\n", g.Name, text)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// SignatureText is signatures as benchmark text: of each the upper and the lower
// 32 bits, which a gate holds equal.
func SignatureText(signs []Signature) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goarch: %s\npkg: sakusen/strategies\nUnit %s assume=exact\nUnit %s assume=exact\n",
		runtime.GOARCH, bench.SignatureHi, bench.SignatureLo)
	for _, s := range signs {
		v, err := strconv.ParseUint(s.Signature, 16, 64)
		if err != nil { // a signature is sixteen hexadecimal digits
			panic(err)
		}
		fmt.Fprintf(&b, "BenchmarkSignature/%s/%s 1 %d %s %d %s\n", s.Game, s.Strategy, v>>32, bench.SignatureHi, v&0xffffffff, bench.SignatureLo)
	}
	return b.String()
}
