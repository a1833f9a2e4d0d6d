package uci

import (
	"strings"
	"time"
)

// Position tells the program a position, the whole line "position ...".
func (e *Engine) Position(position string) error {
	return e.send(position, time.Now().Add(e.program.Deadlines.Ready))
}

// Query asks questions of UGI, such as "gameover", and returns the answers in order.
func (e *Engine) Query(questions ...string) ([]string, error) {
	deadline := time.Now().Add(e.program.Deadlines.Ready)
	for _, q := range questions {
		if err := e.send("query "+q, deadline); err != nil {
			return nil, err
		}
	}
	var answers []string
	for len(answers) < len(questions) {
		line, err := e.read(deadline)
		if err != nil {
			return nil, err
		}
		if word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); word == "response" {
			answers = append(answers, strings.TrimSpace(rest))
		}
	}
	return answers, nil
}

// Queries tells whether programs of the dialect answer questions.
func (d Dialect) Queries() bool { return d.Name == "ugi" }
