// Package gtp speaks version 2 of the Go Text Protocol with programs that play go.
//
//	c, err := gtp.Start(keeper, command, 10*time.Second)
//	text, err := c.Ask("genmove b", time.Minute)
//
// What a program does wrong is a *uci.Fault, an answer that begins with ? a *Refusal.
//
// Source: G. Farnebäck, Specification of the Go Text Protocol, version 2, draft 2.
package gtp

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/external/jsonl"
	"sakusen/engines/external/process"
	"sakusen/engines/external/uci"
)

// Conn is a running program. It is used by one goroutine at a time.
type Conn struct {
	Name, Version string // as it calls itself
	child         *process.Child
	commands      map[string]bool // that it knows
}

// Refusal is an answer that says no.
type Refusal struct{ Command, Said string }

func (r *Refusal) Error() string { return fmt.Sprintf("it answered %q with ? %s", r.Command, r.Said) }

// needed are the commands without which no game can be played.
var needed = []string{"boardsize", "komi", "clear_board", "play", "genmove"}

// Start starts a program and asks it who it is.
func Start(k *process.Keeper, command process.Command, patience time.Duration) (*Conn, error) {
	child, err := k.Start(command)
	if err != nil {
		return nil, err
	}
	c := &Conn{child: child, commands: map[string]bool{}}
	if err := c.hello(patience); err != nil {
		c.Close()
		return nil, fmt.Errorf("program %s: handshake: %w", command.Args[0], err)
	}
	return c, nil
}

func (c *Conn) hello(patience time.Duration) error {
	version, err := c.Ask("protocol_version", patience)
	if err != nil {
		return err
	}
	if version != "2" {
		return &uci.Fault{Kind: uci.Protocol, Said: fmt.Sprintf("expected protocol version 2, got %q", version)}
	}
	if c.Name, err = c.Ask("name", patience); err != nil {
		return err
	}
	if c.Version, err = c.Ask("version", patience); err != nil {
		return err
	}
	list, err := c.Ask("list_commands", patience)
	if err != nil {
		return err
	}
	for _, word := range strings.Fields(list) {
		c.commands[word] = true
	}
	for _, word := range needed {
		if !c.commands[word] {
			return &uci.Fault{Kind: uci.Protocol, Said: "it does not know the command " + word}
		}
	}
	return nil
}

// Knows reports whether the program lists a command.
func (c *Conn) Knows(command string) bool { return c.commands[command] }

// Ask sends a command and returns the text of the answer, whose lines are joined by
// line ends.
func (c *Conn) Ask(command string, patience time.Duration) (string, error) {
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
				return "", &Refusal{command, text}
			}
			return text, nil
		case answer == nil && line[0] != '=' && line[0] != '?':
			return "", &uci.Fault{Kind: uci.Protocol, Said: fmt.Sprintf("expected an answer that begins with = or ? to %q, got %.80q", command, line)}
		default:
			if size += len(line); size > process.MaxLine {
				return "", c.fault(process.ErrTooLong, command, patience)
			}
			answer = append(answer, line)
		}
	}
}

// fault returns what went wrong with the child.
func (c *Conn) fault(err error, command string, patience time.Duration) error {
	switch {
	case errors.Is(err, process.ErrTimeout):
		return &uci.Fault{Kind: uci.Stall, Said: fmt.Sprintf("no answer to %q in %s", command, patience)}
	case errors.Is(err, process.ErrTooLong):
		return &uci.Fault{Kind: uci.Protocol, Said: err.Error()}
	}
	return &uci.Fault{Kind: uci.Crash, Said: jsonl.LastWords(c.child, err)}
}

// Close asks the program to quit and kills it.
func (c *Conn) Close() {
	c.child.Write("quit", time.Now().Add(10*time.Millisecond))
	c.child.Close()
}

// ParseMove reads the answer to genmove: "pass", "resign" or a vertex on a board of
// so many lines, in the spelling of the protocol's examples.
func ParseMove(text string, size int) (string, bool) {
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

// Winner reads the answer to final_score, such as "B+3.5", "W+Resign" or "0": 0 for
// Black, 1 for White, -1 for a draw.
func Winner(text string) (seat int, ok bool) {
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
