package tubstapnet

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sakusen/engines/external/wholefile"
	"sakusen/engines/tubstap"
)

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

// Played is how many games were kept.
func (f *Files) Played() int { return f.played }

// Keep keeps a game that ended now, and tells of it. fault is why it ended early,
// or nil.
func (f *Files) Keep(g *tubstap.Game, winner tubstap.Team, fault error) (Told, error) {
	f.played++
	g.Record.Date = time.Now().Format(dateForm)
	told := tell(f.played, g, winner, fault)
	if f.Replays != "" {
		told.Replay = filepath.Join(f.Replays, fmt.Sprintf("game-%04d.sgf", f.played))
		if err := wholefile.WriteText(told.Replay, g.Record.AppendText(nil)); err != nil {
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
	return wholefile.WriteText(f.Results, text)
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
	return wholefile.WriteText(f.Combat, f.combat.Bytes())
}
