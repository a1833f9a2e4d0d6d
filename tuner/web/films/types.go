package films

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Ticket says which game is to be shown: of a study's record where Study is
// given, of a replay file where Record is, and else a fresh one.
type Ticket struct {
	Study    string `json:"study,omitempty" query:"study" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[0-9]{1,9})?$"`
	Trial    int    `json:"trial,omitempty" query:"trial" help:"The trial's number."`
	Phase    string `json:"phase,omitempty" query:"phase" schema:"Phase" help:"The phase; tune if absent."`
	Opponent int    `json:"opponent,omitempty" query:"opponent" min:"0" max:"1048576" help:"Which opponent, if the trial met several on the same blocks; the list of games has the number."`
	// Instead says that the study's baseline plays in the trial's place, which shows what the
	// parameters change in a game of the same chance.
	Instead  string          `json:"-" query:"instead" enum:"baseline" open:"true" help:"baseline: the study's baseline plays in place of the trial, so that two games of the same seed can be compared."`
	Block    int64           `json:"block,omitempty" query:"block" min:"0" max:"9007199254740992" help:"The block."`
	Rotation int             `json:"rotation,omitempty" query:"rotation" min:"0" max:"64" help:"The rotation in the block."`
	Game     string          `json:"game,omitempty" query:"game"`
	Entrants []string        `json:"entrants,omitempty" query:"entrant" most:"64" bytes:"2000" help:"The entrants, one for each seat."`
	Rules    map[string]Text `json:"rules,omitempty" query:"rule." most:"64"`
	Seed     Text            `json:"seed,omitempty" query:"seed" schema:"Seed" help:"An unsigned number of 64 bits; 1 if absent."`
	// Key names a replay file that was uploaded, in place of Record.
	Key string `json:"-" query:"record" pattern:"^[0-9a-f]{32}$" help:"The key of a replay file that was uploaded on the page /watch; game is needed too."`
	// Record is the text of a replay file, in a format that the game supports.
	Record string `json:"record,omitempty" help:"The text of a TUBSTAP replay file (.sgf). Only game and rules may be given with it." most:"262144"`
}

// Text is a value that JSON gives as a string, a number or a boolean.
type Text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *Text) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, (*string)(t))
	}
	if bytes.ContainsAny(text, "{[") || string(text) == "null" {
		return fmt.Errorf("expected a string, a number or a boolean, got %.20s", text)
	}
	*t = Text(text)
	return nil
}

// Showing is a game that can be shown.
type Showing struct {
	Film FilmHeader
	// Key is equal for two showings of the same game.
	Key string
	// Play plays the game and passes its frames to each as they are made. An error of each,
	// or the end of the context, ends it.
	Play func(ctx context.Context, each func(FilmFrame) error) (FilmEnd, error)
}

// FilmHeader is what is known of a game before it is played.
type FilmHeader struct {
	Game     string            `json:"game"`
	Seats    []FilmSeat        `json:"seats"`
	Rules    map[string]string `json:"rules"`
	Seed     string            `json:"seed"`
	Phase    string            `json:"phase"`
	Block    int64             `json:"block"`
	Rotation int               `json:"rotation"`
	Study    string            `json:"study,omitempty"`
	Trial    *int              `json:"trial,omitempty"`
	Record   bool              `json:"record,omitempty" help:"True if the film shows a replay file."`
	Notes    []string          `json:"notes,omitempty"`
	// Measure is what the frames' Standing is a share of; empty where they have none.
	Measure string `json:"measure,omitempty"`
}

// FilmSeat is the player in a seat.
type FilmSeat struct {
	Name    string `json:"name"`
	Entrant string `json:"entrant"` // with every parameter spelled out
}

// FilmFrame is the game after one step.
type FilmFrame struct {
	Step int    `json:"step"` // from 0
	Seat int    `json:"seat" help:"The seat that made the step; -1 if none did."`
	Text string `json:"text"`
	SVG  string `json:"svg" help:"A drawing without colours; empty if the game is shown as text."`
	// Standing is each seat's share of the film's measure, from 0 to 1.
	Standing []float64 `json:"standing,omitempty"`
	Mark     string    `json:"mark,omitempty"` // an event at this step that is worth a mark
}

// FilmEnd is how a film ended.
type FilmEnd struct {
	Digest string       `json:"digest,omitempty"` // of the game's transcript
	Scores []filmResult `json:"scores,omitempty"` // by seat
	// Cut says why the film ends before the game does.
	Cut string `json:"cut,omitempty"`
	// Check is the result of comparing the game with the record: same, different or none;
	// empty if there is no record to compare with.
	Check string `json:"check,omitempty" enum:"same,different,none"`
	// Note says so in words.
	Note string `json:"note,omitempty"`
}

// filmResult is the result of a seat.
type filmResult struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"` // share of the game, 0 to 1
	Fault bool    `json:"fault"`
}

// GamesQuery asks for the games of a trial.
type GamesQuery struct {
	Study   string
	Trial   int
	Meeting int
	Phase   string // the first meeting of this phase instead, if there is one
	From    int64  // block, -1 for the meeting's first
	Limit   int    // blocks; games, where Result or Order is set
	Result  string // won, lost, drawn or fault; empty for all
	Order   string // a metric, least first; with a hyphen before it, most first; empty by block
	// Wait is how long the study's log is waited for, which is read once; 0: to its end.
	Wait time.Duration
}

// TrialGames is what a trial has played.
type TrialGames struct {
	Study    string         `json:"study"`
	Trial    int            `json:"trial"`
	Meetings []TrialMeeting `json:"meetings"`
	Omitted  int            `json:"omitted,omitempty"` // meetings beyond those listed
	Meeting  int            `json:"meeting"`
	// Metrics are what is measured of each game.
	Metrics []GameMetric `json:"metrics" help:"The metrics of each game."`
	Games   []TrialGame  `json:"games"`
	Next    *int64       `json:"next" help:"The value of from for the next page; null on the last page."`
	// Reading tells that the log is still being read, so that no games are known yet.
	Reading bool `json:"-"`
	// Unseen is why none of the games can be watched, empty where they can.
	Unseen string `json:"-"`
}

// TrialMeeting is blocks that a trial has played against one opponent.
type TrialMeeting struct {
	Meeting   int      `json:"meeting"`
	Phase     string   `json:"phase"`
	Opponent  int      `json:"opponent"` // as a ticket names it
	Entrants  []string `json:"entrants"`
	Seed      string   `json:"seed"`
	From      int64    `json:"from"` // blocks from..to, to excluded
	To        int64    `json:"to"`
	Rotations int      `json:"rotations"`
}

// GameMetric is something that is measured of a game.
type GameMetric struct {
	Name string `json:"name"`
	Doc  string `json:"doc"` // with its unit
}

// TrialGame is one game that a trial has played.
type TrialGame struct {
	Block    int64 `json:"block"`
	Rotation int   `json:"rotation"`
	// Recorded says that the game itself is in the database; only then the other fields are
	// set. Score is the trial's share of the game.
	Recorded bool     `json:"recorded"`
	Score    *float64 `json:"score"`
	Fault    bool     `json:"fault"` // a player broke the rules, or its program failed
	FaultHow string   `json:"fault_how,omitempty" help:"How the game ended by the fault, such as \"on time\"."`
	// Metrics are what is measured of the trial, by name.
	Metrics map[string]float64 `json:"metrics,omitempty" help:"The trial's metrics, by name."`
	Digest  string             `json:"digest,omitempty"`
	Film    string             `json:"film"` // path of its film's page
}

// GameForm is a game as the form shows it.
type GameForm struct {
	Game     string
	Doc      string
	Entrants []string // that are worth a look, one a seat
	Seed     string   // and with it, 1 where it is empty
	Known    []string // texts of entrants to choose from
	Rules    []GameFormRule
	Records  string // what replay files of the game are, empty where there are none
}

// GameFormRule is an option of the rules.
type GameFormRule struct {
	Name, Doc, Value, Default string
	Choices                   []string // empty where it is typed
}
