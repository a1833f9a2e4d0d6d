package external

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/external/process"
)

// Conn is a running program. It is used by one goroutine at a time.
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

// Start starts a program and asks it who it is.
func startGTP(k *process.Keeper, command process.Command, patience time.Duration) (*gtpConn, error) {
	child, err := k.Start(command)
	if err != nil {
		return nil, err
	}
	c := &gtpConn{child: child, commands: map[string]bool{}}
	if err := c.hello(patience); err != nil {
		c.Close()
		return nil, fmt.Errorf("program %s: handshake: %w", command.Args[0], err)
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
	for _, word := range strings.Fields(list) {
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
	switch {
	case errors.Is(err, process.ErrTimeout):
		return &Fault{Kind: stall, Said: fmt.Sprintf("no answer to %q in %s", command, patience)}
	case errors.Is(err, process.ErrTooLong):
		return &Fault{Kind: protocolFault, Said: err.Error()}
	}
	return &Fault{Kind: crash, Said: LastWords(c.child, err)}
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
