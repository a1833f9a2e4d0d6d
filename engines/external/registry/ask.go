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

// ask.go asks programs for whole games.

// converse asks a program that goes on.
func (s *Stable) converse(e *Entry, q *elsewhere.Question, fresh bool) (*elsewhere.Answer, error) {
	c, ok := s.waiting(e).(*jsonl.Conn)
	if ok && fresh {
		s.giveBack(e, c)
		ok = false
	}
	if !ok {
		var err error
		if c, err = s.connect(e); err != nil {
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
		s.giveBack(e, c)
	}
	return a, nil
}

// withoutID is an answer without the id of the request, which is another each time.
func withoutID(line []byte) string {
	var all map[string]json.RawMessage
	if json.Unmarshal(line, &all) != nil {
		return ""
	}
	delete(all, "id")
	text, _ := json.Marshal(all) // keys in order
	return string(text)
}

// failure is a fault of a program in a game as one of this game; other errors stay.
func failure(err error) error {
	var f *jsonl.Fault
	if errors.As(err, &f) {
		return &elsewhere.Fault{Kind: f.Kind, Said: f.Said}
	}
	return err
}

// run starts a command for one game and reads the line that tells it: the first
// that is a JSON object. Others are passed over.
func (s *Stable) run(e *Entry, q *elsewhere.Question) (*elsewhere.Answer, error) {
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
	keeper, err := s.keeping()
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

// fill puts a game into an argument: {seed}, {p0} the name of the strategy in seat
// 0, {params.0} its parameters as a JSON object, {params.0.NAME} one of them, {from}
// and {to} the game's number and the next.
func (e *Entry) fill(text string, q *elsewhere.Question) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		value, ok := e.place(name, q)
		switch {
		case ok && closed:
			b.WriteString(value)
			text = after
		case closed && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789._") == "":
			return "", fmt.Errorf("unknown placeholder {%s} (expected {seed}, {p0}, {params.0}, {params.0.NAME}, {from}, {to}; 0 is the first seat)", name)
		default: // braces of the program's own
			b.WriteString("{")
			text = rest
		}
	}
}

// place is the value of a placeholder.
func (e *Entry) place(name string, q *elsewhere.Question) (string, bool) {
	switch name {
	case "seed":
		return strconv.FormatUint(q.Seed, 10), true
	case "from":
		return strconv.FormatInt(q.Game, 10), true
	case "to":
		return strconv.FormatInt(q.Game+1, 10), true
	}
	seat := func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil && n >= 0 && n < len(q.Sides)
	}
	if text, ok := strings.CutPrefix(name, "params."); ok {
		text, key, one := strings.Cut(text, ".")
		n, ok := seat(text)
		if !ok || !one {
			return sideParams(q, n, ok), ok
		}
		var all map[string]json.RawMessage
		if json.Unmarshal([]byte(q.Sides[n].Params), &all) != nil { // the entry is being checked
			return "", true
		}
		value, ok := all[key]
		return strings.Trim(string(value), `"`), ok
	}
	if text, ok := strings.CutPrefix(name, "p"); ok {
		if n, ok := seat(text); ok {
			return q.Sides[n].Name, true
		}
	}
	return "", false
}

func sideParams(q *elsewhere.Question, seat int, ok bool) string {
	if !ok {
		return ""
	}
	return q.Sides[seat].Params
}
