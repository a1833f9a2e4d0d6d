// Package asked makes players of built-in games of programs in other languages: a
// program is asked for each move in JSON, with all that the player may see. Every
// request is whole, so that a program needs to remember nothing. docs/protocol.md
// shows the requests.
//
// Files in reading order: doc.go (a request), games.go (the players of each game).
package asked

import (
	"encoding/json"
	"strconv"
)

// Program is a program that answers. It is safe for concurrent use.
type Program interface {
	// Ask sends a request and returns the line of the answer; an error says that there is
	// none. The request gets an id and must not be used again.
	Ask(request map[string]any) ([]byte, error)
}

// Games are the games in which programs can be asked for moves.
var Games = []string{"battleship", "chess", "daifugo"}

// ask asks for an answer with the fields of to.
func ask(p Program, params json.RawMessage, seed uint64, request map[string]any, to any) error {
	request["params"], request["seed"] = params, strconv.FormatUint(seed, 10)
	line, err := p.Ask(request)
	if err == nil {
		err = json.Unmarshal(line, to)
	}
	return err
}
