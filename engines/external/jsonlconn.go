package external

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/external/elsewhere"
	"sakusen/engines/external/process"
	"sakusen/engines/lines"
	"sakusen/engines/param"
)

// protocol is the version that is spoken.
const protocol = 1

// The kinds of faults.
const (
	jsonCrash = "crash"   // the program ended
	jsonStall = "stall"   // it did not answer in time
	garbage   = "garbage" // it said what is no answer
)

// Conn is a running program. It is used by one goroutine at a time.
type jsonConn struct {
	Hello hello
	child *process.Child
	id    int64
}

// hello is what a program tells of itself in the handshake.
type hello struct {
	Protocol int    `json:"protocol"`
	Name     string `json:"name"`
	Version  string `json:"version"`
	// Role is "match" for a program that plays whole games itself, "player" for one
	// that is asked for moves of Game, a built-in game.
	Role string            `json:"role"`
	Game string            `json:"game"`
	Said []json.RawMessage `json:"params"`
	// Params are those that are understood, and LeftOut the others.
	Params  []param.Declared `json:"-"`
	LeftOut lines.LeftOut    `json:"-"`
	// Deterministic says that the same seed and parameters give the same play.
	Deterministic bool `json:"deterministic"`
}

// Start starts a program and returns it after the handshake.
func startJSON(k *process.Keeper, command process.Command, patience time.Duration) (*jsonConn, error) {
	child, err := k.Start(command)
	if err != nil {
		return nil, err
	}
	c := &jsonConn{child: child}
	line, err := c.ask(map[string]any{"do": "hello", "protocol": protocol}, patience)
	if err == nil {
		err = c.hear(line)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("program %s: handshake: %w", command.Args[0], err)
	}
	return c, nil
}

// hear takes the handshake and returns what is wrong with it.
func (c *jsonConn) hear(line []byte) error {
	h := &c.Hello
	if err := json.Unmarshal(line, h); err != nil {
		return &elsewhere.Fault{Kind: garbage, Said: err.Error()}
	}
	if h.Protocol != protocol {
		return &elsewhere.Fault{Kind: garbage, Said: fmt.Sprintf("protocol: expected %d, got %d", protocol, h.Protocol)}
	}
	if h.Role != "match" && h.Role != "player" {
		return &elsewhere.Fault{Kind: garbage, Said: fmt.Sprintf("role: expected match or player, got %q", h.Role)}
	}
	for _, text := range h.Said {
		var p param.Declared
		err := json.Unmarshal(text, &p)
		if err == nil {
			err = p.Check()
		}
		if err == nil && slices.ContainsFunc(h.Params, func(o param.Declared) bool { return o.Name == p.Name }) {
			err = errors.New("one of that name stands before it")
		}
		if err != nil {
			h.LeftOut.Add(1, strings.TrimSpace("parameter "+p.Name), "a parameter", err.Error())
		} else {
			h.Params = append(h.Params, p)
		}
	}
	return nil
}

// ask sends a request, to which an id is added, and returns the answer's line.
func (c *jsonConn) ask(request map[string]any, patience time.Duration) ([]byte, error) {
	c.id++
	id := strconv.FormatInt(c.id, 10)
	request["id"] = id
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(patience)
	if err := c.child.Write(string(text), deadline); err != nil {
		return nil, c.fault(err, patience)
	}
	line, err := c.child.Read(deadline)
	if err != nil {
		return nil, c.fault(err, patience)
	}
	var head struct {
		ID    string `json:"id"`
		Error string `json:"error"`
	}
	if err := json.Unmarshal([]byte(line), &head); err != nil {
		return nil, &elsewhere.Fault{Kind: garbage, Said: fmt.Sprintf("expected a line of JSON, got %.80q", line)}
	}
	if head.ID != id {
		return nil, &elsewhere.Fault{Kind: garbage, Said: fmt.Sprintf("id: expected %s, got %q", id, head.ID)}
	}
	if head.Error != "" {
		return nil, &elsewhere.Fault{Kind: garbage, Said: "it answered an error: " + head.Error}
	}
	return []byte(line), nil
}

// fault returns what went wrong with the child.
func (c *jsonConn) fault(err error, patience time.Duration) error {
	switch {
	case errors.Is(err, process.ErrTimeout):
		return &elsewhere.Fault{Kind: jsonStall, Said: fmt.Sprintf("no answer in %s", patience)}
	case errors.Is(err, process.ErrTooLong):
		return &elsewhere.Fault{Kind: garbage, Said: err.Error()}
	}
	return &elsewhere.Fault{Kind: jsonCrash, Said: LastWords(c.child, err)}
}

// LastWords returns how a child ended, with the last line of its error output.
func LastWords(child *process.Child, err error) string {
	said := child.Ended()
	if said == "" {
		said = err.Error()
	}
	if lines := strings.Split(strings.TrimSpace(child.Errors()), "\n"); lines[len(lines)-1] != "" {
		said += ": " + lines[len(lines)-1]
	}
	return said
}

// Close asks the program to quit and kills it.
func (c *jsonConn) Close() {
	c.child.Write(`{"do":"quit"}`, time.Now().Add(10*time.Millisecond))
	c.child.Close()
}
