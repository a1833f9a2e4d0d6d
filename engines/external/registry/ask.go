package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/external/elsewhere"
	"sakusen/engines/external/jsonl"
	"sakusen/engines/external/process"
)

// converse returns what a program that goes on answers for a game.
func (r registered) converse(q *elsewhere.Question, fresh bool) (*elsewhere.Answer, error) {
	e, pool := r.entry, &r.engines.pool
	c, ok := pool.waiting(e, "").(*jsonl.Conn)
	if ok && fresh {
		pool.giveBack(e, c, "")
		ok = false
	}
	if !ok {
		var err error
		if c, err = pool.connect(e); err != nil {
			return nil, failure(err)
		}
	}
	players := []map[string]any{}
	for _, side := range q.Sides {
		players = append(players, map[string]any{"name": side.Name, "params": json.RawMessage(side.Params)})
	}
	line, err := c.Ask(map[string]any{"do": "play", "seed": strconv.FormatUint(q.Seed, 10), "game": q.Game, "players": players}, e.patience())
	var a *elsewhere.Answer
	if err == nil {
		if a, err = elsewhere.ParseAnswer(string(line), len(q.Sides), e.Metrics); err != nil {
			err = &elsewhere.Fault{Kind: jsonl.Garbage, Said: err.Error()}
		}
	}
	if err != nil {
		c.Close()
		return nil, failure(err)
	}
	a.Said = withoutID(line)
	if fresh {
		c.Close()
	} else {
		pool.giveBack(e, c, "")
	}
	return a, nil
}

// withoutID returns an answer without the id of the request, which is another each time.
func withoutID(line []byte) string {
	var all map[string]json.RawMessage
	if json.Unmarshal(line, &all) != nil {
		return ""
	}
	delete(all, "id")
	text, _ := json.Marshal(all) // keys in order
	return string(text)
}

// failure returns a fault of a program in a game as one of this game; other errors stay.
func failure(err error) error {
	var f *jsonl.Fault
	if errors.As(err, &f) {
		return &elsewhere.Fault{Kind: f.Kind, Said: f.Said}
	}
	return err
}

// run returns the result of a command that is started for one game: its first line that
// is a JSON object.
func (r registered) run(q *elsewhere.Question) (*elsewhere.Answer, error) {
	e := r.entry
	var args []string
	for _, text := range e.Command[1:] {
		arg, err := e.fill(text, q)
		if err != nil {
			return nil, fmt.Errorf("engine %s: command: %w", e.Name, err)
		}
		args = append(args, arg)
	}
	command, err := e.process(args)
	if err != nil {
		return nil, err
	}
	keeper, err := r.engines.pool.keeping()
	if err != nil {
		return nil, err
	}
	child, err := keeper.Start(command)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	defer child.Close()
	deadline := time.Now().Add(e.patience())
	for {
		line, err := child.Read(deadline)
		switch {
		case err == nil && time.Now().After(deadline), errors.Is(err, process.ErrTimeout):
			return nil, &elsewhere.Fault{Kind: jsonl.Stall, Said: fmt.Sprintf("no result in %s", e.patience())}
		case errors.Is(err, process.ErrTooLong):
			return nil, &elsewhere.Fault{Kind: jsonl.Garbage, Said: err.Error()}
		case err != nil:
			return nil, &elsewhere.Fault{Kind: jsonl.Crash, Said: "it ended without a result: " + jsonl.LastWords(child, err)}
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "{") {
			continue
		}
		a, err := elsewhere.ParseAnswer(line, len(q.Sides), e.Metrics)
		if err != nil {
			return nil, &elsewhere.Fault{Kind: jsonl.Garbage, Said: err.Error()}
		}
		return a, nil
	}
}
