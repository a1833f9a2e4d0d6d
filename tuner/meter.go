package tuner

import (
	"slices"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/tuner/numeral"
)

// Progress is how far a study is.
type Progress struct {
	Study     string
	Phase     string // tune, final, validation
	Trials    int    // asked
	MaxTrials int    // that can be reached
	Games     int64  // of the log and of this run
	MaxGames  int64
	Blocks    int64         // played or found by this run
	MaxBlocks int64         // where they are known beforehand, as those of a tournament; a study's are not
	PerSecond float64       // games/s of this run
	Left      time.Duration // at most, by the budget of games
	// Expected is the number of games of the whole study at the present pace: of
	// trials, games and phase, what ends it first. 0 where there is no pace yet.
	Expected int64
	// The incumbent, -1 while there is none, with its 95 % interval.
	Incumbent int
	Params    string
	Value     float64
	Error     float64 // standard error
	// Seats are those of the game where Value is a score against the baseline, so that it
	// can be told as Elo; 0 where it is not.
	Seats int
	// ProofSeats are those of the game.
	ProofSeats int
	// Looks are those that the validation has taken at its blocks so far.
	Looks []ProofLook
}

// ProofLook is what the test of a validation saw at one of its looks.
type ProofLook struct {
	Blocks, Most int64   // played, and at the last look
	Score, Error float64 // of the winner, with its standard error
	// Above is how far the score lies above H0 and Below how far below H1, standard errors;
	// Needs and Fails are the bounds of a pass and of a failure.
	Above, Needs, Below, Fails float64
}

// progressEvery bounds how often a listener is called.
const progressEvery = 100 * time.Millisecond

// meter adds up the progress of a run and reports it.
type meter struct {
	mu     sync.Mutex
	tell   func(Progress)
	now    Progress
	pace   numeral.Pace
	played int64 // games of this run
	behind bool  // the log's games are not added up

	reserved, proof int64 // games of final and validation; of the validation
	wholly          bool  // the search ends with its games, not with its trials
	// closed is the number of trials before the last batch, and spent their games.
	closed int
	spent  int64
	since  int64 // games when the phase began
}

func newMeter(s *Setup, answers bool, tell func(Progress)) *meter {
	return &meter{
		tell: tell, reserved: s.Reserved(answers), proof: s.ValidationGames(),
		wholly: answers && s.MostTrials(answers) < s.Budget.Trials,
		pace:   numeral.New(time.Now(), progressEvery),
		now: Progress{
			Study: s.Name, Phase: "tune", MaxTrials: s.MostTrials(answers), MaxGames: s.Budget.Games, Incumbent: -1, Seats: GainSeats(s), ProofSeats: s.Ruleset.Seats,
		},
	}
}

// GainSeats are the seats of the game where a trial's value is its score against the
// baseline alone, and else 0.
func GainSeats(s *Setup) int {
	if s.Objective.Of != "score" || s.Evaluate != nil || s.Duels || s.Baseline == "" || len(s.PoolEntrants) > 0 {
		return 0
	}
	return s.Ruleset.Seats
}

// look shows what the validation saw.
func (m *meter) look(l ProofLook) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Looks = append(slices.Clip(m.now.Looks), l)
	m.send(true)
}

// add counts a run of blocks.
func (m *meter) add(r *arena.Run) {
	m.mu.Lock()
	defer m.mu.Unlock()
	games := int64(r.Blocks * r.Rotations)
	m.now.Blocks += int64(r.Blocks)
	m.now.Games += games
	m.played += games
	m.send(false)
}

// phase says what the study does now.
func (m *meter) phase(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Phase, m.since = name, m.now.Games
	m.send(true)
}

// trials notes the number of trials. games adds up the games in the log; it is not called
// for every entry that is replayed, which would take longer than reading the log.
func (m *meter) trials(trials int, replaying bool, games func() int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tell == nil {
		return
	}
	before := m.now.Trials
	m.now.Trials = trials
	defer func() {
		if trials > before && m.now.Games > 0 {
			m.closed, m.spent = before, m.now.Games
		}
	}()
	switch {
	case replaying && m.pace.Due(time.Now()), !replaying && m.behind:
		m.now.Games, m.behind = games(), false
	case replaying:
		m.behind = true
	}
	m.send(false)
}

// incumbent shows the new incumbent.
func (m *meter) incumbent(t *Trial) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now.Incumbent, m.now.Params = t.Number, t.Params.String()
	m.now.Value, m.now.Error = t.Estimate.Value, t.Estimate.Error
	m.send(true)
}

// send calls the listener, at most every progressEvery unless always is set.
func (m *meter) send(always bool) {
	if m.tell == nil {
		return
	}
	now := time.Now()
	if !always && !m.pace.Due(now) {
		return
	}
	m.pace.Told(now)
	m.now.PerSecond = m.pace.PerSecond(now, m.played)
	m.now.Expected = m.expected()
	m.now.Left = numeral.Left(m.now.MaxGames-m.now.Games, m.now.PerSecond)
	m.tell(m.now)
}

// expected is the number of games that the whole study will have taken.
func (m *meter) expected() int64 {
	games := int64(0)
	switch m.now.Phase {
	case "tune":
		if m.wholly {
			return m.now.MaxGames
		}
		if m.closed == 0 {
			return 0
		}
		games = int64(float64(m.spent)*float64(m.now.MaxTrials)/float64(m.closed)) + m.reserved
	case "final":
		games = m.since + m.reserved
	case "validation":
		games = m.since + m.proof
	}
	return max(m.now.Games, min(games, m.now.MaxGames))
}

// total is the number of games that were played or found.
func (m *meter) total() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now.Games
}
