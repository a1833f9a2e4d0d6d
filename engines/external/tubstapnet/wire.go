package tubstapnet

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/engines/tubstap"
)

// Limits of a line, in bytes. A map of 64 x 64 cells takes about 10 000.
const (
	maxCommand = 1 << 18
	maxReply   = 1 << 12
)

// errTooLong is a line beyond the limit.
var errTooLong = errors.New("line too long")

// wire is a connection read by lines, with a limit on their length and on
// the time they may take.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
}

func newWire(c net.Conn) *wire { return &wire{conn: c, in: bufio.NewReaderSize(c, 4096)} }

// line reads a line without its end (LF or CR LF), which must come before
// the deadline; the zero time waits for ever.
func (w *wire) line(limit int, deadline time.Time) (string, error) {
	if err := w.conn.SetReadDeadline(deadline); err != nil {
		return "", err
	}
	var b []byte
	for {
		part, err := w.in.ReadSlice('\n')
		b = append(b, part...)
		if len(b) > limit {
			return "", fmt.Errorf("%w: more than %d bytes", errTooLong, limit)
		}
		if err == nil {
			return strings.TrimRight(string(b), "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return "", err
		}
	}
}

// filled reads the next line that is not empty, passing over few empty ones.
func (w *wire) filled(limit int, deadline time.Time) (string, error) {
	for range 16 {
		l, err := w.line(limit, deadline)
		if err != nil || l != "" {
			return l, err
		}
	}
	return "", errors.New("nothing but empty lines")
}

// send writes a text as it is.
func (w *wire) send(text string, timeout time.Duration) error {
	if err := w.conn.SetWriteDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	_, err := w.conn.Write([]byte(text))
	return err
}

// ask sends a command and reads the answer: "= text" and an empty line. The empty line is
// skipped when the next answer is read.
func (w *wire) ask(command string, timeout time.Duration) (string, error) {
	if err := w.send(command+"\r\n", timeout); err != nil {
		return "", err
	}
	l, err := w.filled(maxReply, time.Now().Add(timeout))
	if err != nil {
		return "", err
	}
	text, ok := strings.CutPrefix(l, "=")
	if !ok {
		return "", fmt.Errorf("answer %q: want = and a text", shorten(l))
	}
	return strings.TrimSpace(text), nil
}

// dismiss writes the reason as a last line and closes the connection. What the peer has sent
// in the meantime is read first, up to a bound: unread input might block the line.
func (w *wire) dismiss(why error) {
	if w.conn.SetReadDeadline(time.Now().Add(time.Second/10)) == nil {
		_, _ = io.CopyN(io.Discard, w.in, maxCommand)
	}
	_ = w.send("? "+strings.ReplaceAll(why.Error(), "\n", " ")+"\r\n\r\n", time.Second)
	w.conn.Close()
}

// shorten keeps what a peer says short in our messages.
func shorten(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:80], "") + "..."
	}
	return s
}

// ReadOptions reads the rules of a game over the network.
func ReadOptions(rules param.Values) (*tubstap.Options, error) {
	for _, v := range rules {
		if v.Name != "antiair_infantry" {
			return nil, fmt.Errorf("--rules: expected antiair_infantry, got %s (the map is sent over the network)", v.Name)
		}
	}
	options := new(tubstap.Options)
	return options, param.Set(rules, options.Declare)
}

// OpenMap returns a map by its embedded name or its path.
func OpenMap(name string) (*tubstap.Map, error) {
	m, err := tubstap.EmbeddedMap(name)
	if err == nil {
		return m, nil
	}
	if _, missing := os.Stat(name); missing != nil {
		return nil, fmt.Errorf("%w, and there is no file of that name", err)
	}
	if m, err = tubstap.ReadMap(name, func(path string) ([]byte, error) { return plain.ReadFile(path, plain.MostText) }); err != nil {
		return nil, err
	}
	m.Name = filepath.Base(name)
	return m, m.Check()
}

// NewPlayer makes the player of an entrant of the game tubstap, one of some
// strategies, and tells the entrant's name.
func NewPlayer(game *arena.Game, strategies []tubstap.Strategy, options *tubstap.Options, entrant string) (tubstap.Player, string, error) {
	rules, err := game.OpenRules(nil)
	if err != nil {
		return nil, "", err
	}
	e, err := rules.Entrant(entrant)
	if err != nil {
		return nil, "", err
	}
	for _, s := range strategies {
		if s.Name != e.Strategy {
			continue
		}
		p, err := s.Player(options, e.Params)
		return p, e.Name, err
	}
	return nil, "", fmt.Errorf("tubstap has no strategy %q", e.Strategy)
}

// FinishedGame is a finished game as it is told to people and scripts.
type FinishedGame struct {
	Game      int    `json:"game"`
	Map       string `json:"map,omitempty"` // a client is not told its name
	Red       string `json:"red"`
	Blue      string `json:"blue"`
	Winner    string `json:"winner"` // red, blue or draw
	Ending    string `json:"ending"` // annihilation, resignation, turnlimit or fault
	HalfTurns int    `json:"half_turns"`
	HP        [2]int `json:"hp"`
	Fault     string `json:"fault,omitempty"`
	Replay    string `json:"replay,omitempty"`
}

// tell describes a game; fault is why it ended early, or nil.
func tell(n int, g *tubstap.Game, winner tubstap.Team, fault error) FinishedGame {
	_, end := g.State.Result()
	out := FinishedGame{
		Game: n, Map: g.Record.Map.Name, Red: g.Record.Red, Blue: g.Record.Blue, Winner: "draw",
		Ending: end.String(), HalfTurns: g.State.Counter(),
		HP: [2]int{g.State.HP(tubstap.Red), g.State.HP(tubstap.Blue)},
	}
	if winner != tubstap.Nobody {
		out.Winner = winner.String()
	}
	if fault != nil {
		out.Ending, out.Fault = "fault", fault.Error()
	}
	return out
}

// String returns the game for people.
func (g FinishedGame) String() string {
	where, result := "", "draw"
	if g.Map != "" {
		where = " on " + g.Map
	}
	if g.Winner != "draw" {
		result = g.Winner + " wins"
	}
	text := fmt.Sprintf("game %d%s: red %s against blue %s: %s, %s after %d half-turns, HP %d to %d",
		g.Game, where, g.Red, g.Blue, result, g.Ending, g.HalfTurns, g.HP[0], g.HP[1])
	if g.Fault != "" {
		text += " (" + g.Fault + ")"
	}
	return text
}

// Files keep games in files; an empty name keeps nothing.
type Files struct {
	Replays string // folder: every game as a replay (.sgf)
	Results string // the counts of every pairing (CSV, as TUBSTAP's AutoBattleResult)
	Combat  string // a line for every finished game (CSV, as TUBSTAP's combat log)

	played  int
	reports []*tubstap.Report
	combat  bytes.Buffer
}

// dateForm is how replay files tell local date and time.
const dateForm = "2006-01-02 15:04:05"

// Open makes the folder of replays.
func (f *Files) Open() error {
	if f.Replays == "" {
		return nil
	}
	return os.MkdirAll(f.Replays, 0o755)
}

// Played returns how many games were kept.
func (f *Files) Played() int { return f.played }

// Keep keeps a game that ended now, and tells of it. fault is why it ended early,
// or nil.
func (f *Files) Keep(g *tubstap.Game, winner tubstap.Team, fault error) (FinishedGame, error) {
	f.played++
	g.Record.Date = time.Now().Format(dateForm)
	told := tell(f.played, g, winner, fault)
	if f.Replays != "" {
		told.Replay = filepath.Join(f.Replays, fmt.Sprintf("game-%04d.sgf", f.played))
		if err := plain.WriteText(told.Replay, g.Record.AppendText(nil)); err != nil {
			return told, err
		}
	}
	if err := f.count(g, winner, fault); err != nil {
		return told, err
	}
	return told, f.log(g, fault)
}

// count adds the game to its pairing and writes the file of results. A game
// decided by a fault counts as resigned.
func (f *Files) count(g *tubstap.Game, winner tubstap.Team, fault error) error {
	if f.Results == "" {
		return nil
	}
	var report *tubstap.Report
	for _, r := range f.reports {
		if r.Red == g.Record.Red && r.Blue == g.Record.Blue {
			report = r
		}
	}
	if report == nil {
		report = &tubstap.Report{MapName: g.Record.Map.Name, Red: g.Record.Red, Blue: g.Record.Blue}
		f.reports = append(f.reports, report)
	}
	_, end := g.State.Result()
	if fault != nil {
		end = tubstap.Resignation
	}
	report.Add(winner, end)
	text := []byte(tubstap.ReportHeader + "\n")
	for _, r := range f.reports {
		text = append(text, r.String()+"\n"...)
	}
	return plain.WriteText(f.Results, text)
}

// log adds a line to the combat log; a game decided by a fault has none.
func (f *Files) log(g *tubstap.Game, fault error) error {
	if f.Combat == "" {
		return nil
	}
	if f.combat.Len() == 0 {
		f.combat.WriteString(tubstap.CombatHeader + "\n")
	}
	if fault == nil {
		f.combat.WriteString(g.CombatLine() + "\n")
	}
	return plain.WriteText(f.Combat, f.combat.Bytes())
}
