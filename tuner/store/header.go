package store

import (
	"fmt"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// Header is what a study is: fixed when it is created, except that the budget
// may grow.
type Header struct {
	Name       string
	Direction  goptuna.StudyDirection // empty: minimize
	Game       string
	Strategy   string
	Baseline   string // canonical entrant, empty for none
	Spec       string // the study file with all defaults, best as JSON
	SpecHash   string // sha256 of all but the budget
	Signatures string // of the game and the strategies
	// The budget, in trials and in games.
	BudgetTrials int
	BudgetGames  int64
	// Question, unless nil, is what a study that is created will ask: its attempt gets
	// its number then, so that numbers follow the order in which studies are submitted.
	Question *tuner.Question
}

// OtherSpecError says that a study of the name exists with another spec.
type OtherSpecError struct {
	Study      string
	Have, Want string   // spec hashes: stored, given
	Differs    []string // what differs, such as "sampler.seed: stored 7, given 8"
}

func (e *OtherSpecError) Error() string {
	text := fmt.Sprintf("study %q exists with another spec (%.12s, given %.12s)", e.Study, e.Have, e.Want)
	for _, d := range e.Differs {
		text += "\n  " + d
	}
	return text
}

// OtherCodeError says that a study was made by code that plays differently.
type OtherCodeError struct {
	Study      string
	Have, Want string // signatures: stored, present
}

func (e *OtherCodeError) Error() string {
	return fmt.Sprintf("study %q was made by other code: signatures %s, now %s", e.Study, e.Have, e.Want)
}

// SmallerBudgetError says that a study's budget was to shrink.
type SmallerBudgetError struct {
	Study      string
	What       string // trials or games
	Have, Want int64
}

func (e *SmallerBudgetError) Error() string {
	return fmt.Sprintf("study %q: budget.%s: expected at least the present %d, got %d: a budget only grows", e.Study, e.What, e.Have, e.Want)
}

// Admits checks whether a stored study may continue with the given spec.
func (h *Header) Admits(want *Header) error {
	if h.SpecHash != want.SpecHash {
		return &OtherSpecError{Study: h.Name, Have: h.SpecHash, Want: want.SpecHash, Differs: specDifference(h.Spec, want.Spec)}
	}
	if h.Signatures != want.Signatures {
		return &OtherCodeError{Study: h.Name, Have: h.Signatures, Want: want.Signatures}
	}
	if want.BudgetTrials < h.BudgetTrials {
		return &SmallerBudgetError{Study: h.Name, What: "trials", Have: int64(h.BudgetTrials), Want: int64(want.BudgetTrials)}
	}
	if want.BudgetGames < h.BudgetGames {
		return &SmallerBudgetError{Study: h.Name, What: "games", Have: h.BudgetGames, Want: want.BudgetGames}
	}
	return nil
}

// reserved stands for the winner of an attempt as long as the search goes on. No
// entrant is written so.
const reserved = "?"

// release takes the attempt of a study back whose validation has not begun.
func release(c *sqlitedb.Change, study int) error {
	_, err := c.Exec("DELETE FROM validation_attempts WHERE study_id = ? AND winner = ?", study, reserved)
	return err
}
