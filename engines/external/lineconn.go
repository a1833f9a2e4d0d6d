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

// gtpConn is a running program. It is used by one goroutine at a time.
type gtpConn struct {
	Name, Version string // as it calls itself
	child         *process.Child
	commands      map[string]bool // that it knows
}

// refusal is an answer that says no.
type refusal struct{ Command, Said string }

func (r *refusal) Error() string { return fmt.Sprintf("it answered %q with ? %s", r.Command, r.Said) }

// needed are the commands without which no game can be played.
var needed = []string{"boardsize", "komi", "clear_board", "play", "genmove"}

// startGTP starts a program and asks for its name.
func startGTP(k *process.Keeper, command process.Command, patience time.Duration) (*gtpConn, error) {
	child, err := k.Start(command)
	if err != nil {
		return nil, err
	}
	c := &gtpConn{child: child, commands: map[string]bool{}}
	if err := c.hello(patience); err != nil {
		c.Close()
		return nil, unmet(command, err)
	}
	return c, nil
}

func (c *gtpConn) hello(patience time.Duration) error {
	version, err := c.ask("protocol_version", patience)
	if err != nil {
		return err
	}
	if version != "2" {
		return &Fault{Kind: protocolFault, Said: fmt.Sprintf("expected protocol version 2, got %q", version)}
	}
	if c.Name, err = c.ask("name", patience); err != nil {
		return err
	}
	if c.Version, err = c.ask("version", patience); err != nil {
		return err
	}
	list, err := c.ask("list_commands", patience)
	if err != nil {
		return err
	}
	for word := range strings.FieldsSeq(list) {
		c.commands[word] = true
	}
	for _, word := range needed {
		if !c.commands[word] {
			return &Fault{Kind: protocolFault, Said: "it does not know the command " + word}
		}
	}
	return nil
}

// knows reports whether the program lists a command.
func (c *gtpConn) knows(command string) bool { return c.commands[command] }

// ask sends a command and returns the text of the answer, whose lines are joined by
// line ends.
func (c *gtpConn) ask(command string, patience time.Duration) (string, error) {
	deadline := time.Now().Add(patience)
	if err := c.child.Write(command, deadline); err != nil {
		return "", c.fault(err, command, patience)
	}
	var answer []string
	size := 0
	for {
		if time.Now().After(deadline) {
			return "", c.fault(process.ErrTimeout, command, patience)
		}
		line, err := c.child.Read(deadline)
		if err != nil {
			return "", c.fault(err, command, patience)
		}
		line = strings.TrimRight(line, "\r\n\t ")
		switch {
		case line == "" && answer == nil: // before an answer nothing is meant
		case line == "":
			text := strings.TrimSpace(strings.Join(answer, "\n")[1:])
			if answer[0][0] == '?' {
				return "", &refusal{command, text}
			}
			return text, nil
		case answer == nil && line[0] != '=' && line[0] != '?':
			return "", &Fault{Kind: protocolFault, Said: fmt.Sprintf("expected an answer that begins with = or ? to %q, got %.80q", command, line)}
		default:
			if size += len(line); size > process.MaxLine {
				return "", c.fault(process.ErrTooLong, command, patience)
			}
			answer = append(answer, line)
		}
	}
}

// fault returns what went wrong with the child.
func (c *gtpConn) fault(err error, command string, patience time.Duration) error {
	kind, said := went(c.child, err, fmt.Sprintf("no answer to %q in %s", command, patience))
	return &Fault{kind, said}
}

// went returns what went wrong with a child, and says it: of one that did not answer in time as
// stalled has it.
func went(child *process.Child, err error, stalled string) (kind, string) {
	switch {
	case errors.Is(err, process.ErrTimeout):
		return stall, stalled
	case errors.Is(err, process.ErrTooLong):
		return protocolFault, err.Error()
	}
	return crash, LastWords(child, err)
}

// unmet returns the error of a handshake, with the way out where a program starts slowly.
func unmet(command process.Command, err error) error {
	if f, ok := errors.AsType[*elsewhere.Fault](err); ok { // of which a game keeps nothing else
		f.Said = "handshake: " + f.Said + longer(f.Kind)
		return fmt.Errorf("program %s: %w", command.Args[0], f)
	}
	kind, _, _ := strings.Cut(err.Error(), ": ")
	return fmt.Errorf("program %s: handshake: %w%s", command.Args[0], err, longer(kind))
}

// longer returns the way out where a program did not answer in time.
func longer(kind string) string {
	if kind == stall.String() {
		return "; its key deadlines: {start: SECONDS} gives it longer"
	}
	return ""
}

// Close asks the program to quit and kills it.
func (c *gtpConn) Close() {
	c.child.Write("quit", time.Now().Add(10*time.Millisecond))
	c.child.Close()
}

// parseMove reads the answer to genmove: "pass", "resign" or a vertex on a board of
// so many lines, in the spelling of the protocol's examples.
func parseMove(text string, size int) (string, bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	if text == "PASS" || text == "RESIGN" {
		return strings.ToLower(text), true
	}
	if len(text) < 2 {
		return "", false
	}
	column := strings.IndexByte("ABCDEFGHJKLMNOPQRSTUVWXYZ", text[0])
	line, err := strconv.Atoi(text[1:])
	return text, column >= 0 && column < size && err == nil && line >= 1 && line <= size && text[1] != '+' && text[1] != '0'
}

// winner reads the answer to final_score, such as "B+3.5", "W+Resign" or "0": 0 for
// Black, 1 for White, -1 for a draw.
func winner(text string) (seat int, ok bool) {
	word, _, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(text)), " ")
	if word == "0" || word == "DRAW" || word == "JIGO" || word == "0.0" {
		return -1, true
	}
	side, margin, found := strings.Cut(word, "+")
	seat = strings.Index("BW", side)
	if !found || len(side) != 1 || seat < 0 {
		return 0, false
	}
	if n, err := strconv.ParseFloat(margin, 64); err == nil {
		if n == 0 {
			return -1, true
		}
		return seat, n > 0
	}
	return seat, margin == "R" || margin == "RESIGN" || margin == "T" || margin == "TIME" || margin == "F" || margin == "FORFEIT" || margin == ""
}

// protocol is the version that is spoken.
const protocol = 1

// garbage is the kind of fault of a program whose output is no answer.
const garbage = "garbage"

// jsonConn is a running program. It is used by one goroutine at a time.
type jsonConn struct {
	Hello hello
	child *process.Child
	id    int64
}

// hello is a program's description of itself in the handshake.
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

// startJSON starts a program and returns it after the handshake.
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
		return nil, unmet(command, err)
	}
	return c, nil
}

// hear reads the handshake and returns its mistake, if any.
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
	return jsonFault(c.child, err, fmt.Sprintf("no answer in %s", patience))
}

// jsonFault returns the same of a child that is asked for whole games or in JSON.
func jsonFault(child *process.Child, err error, stalled string) *elsewhere.Fault {
	k, said := went(child, err, stalled)
	return &elsewhere.Fault{Kind: map[kind]string{crash: "crash", stall: "stall", protocolFault: garbage}[k], Said: said}
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
