// Command lines plays whole games of dice in answer to requests in JSON Lines: the player
// with the higher sum wins. See docs/protocol.md.
package main

import (
	"bufio"
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"os"
)

type request struct {
	ID, Do, Seed string
	Players      []struct {
		Params struct{ Dice, Sides int }
	}
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var r request
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			os.Exit(1)
		}
		switch r.Do {
		case "hello":
			out.Encode(map[string]any{
				"id": r.ID, "protocol": 1, "name": "dice", "version": "1", "role": "match", "deterministic": true,
				"params": []map[string]any{
					{"name": "Dice", "kind": "int", "low": 1, "high": 8, "default": 2},
					{"name": "Sides", "kind": "int", "low": 2, "high": 8, "default": 6},
				},
			})
		case "play":
			h := fnv.New64()
			h.Write([]byte(r.Seed))
			chance := rand.New(rand.NewPCG(h.Sum64(), 0))
			var scores, turns []int
			for _, p := range r.Players {
				sum := 0
				for range p.Params.Dice {
					sum += 1 + chance.IntN(p.Params.Sides)
				}
				scores, turns = append(scores, sum), append(turns, p.Params.Dice)
			}
			out.Encode(map[string]any{"id": r.ID, "scores": scores, "metrics": map[string]any{"dice": turns}})
		case "quit":
			return
		}
	}
}
