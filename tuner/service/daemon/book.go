package daemon

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/tuner"
)

// Item is a study in the book, or another job: a tournament, an experiment or a test of a patch.
type Item struct {
	Key      Key
	State    tuner.State
	Priority int // higher is sooner, 0 is usual
}

// Book is the record of all studies and other jobs.
type Book interface {
	// Waiting lists the studies that are queued or running, the more urgent and
	// then the older first.
	Waiting(ctx context.Context) ([]Item, error)
	// Find returns one study, or an error that says that it does not exist.
	Find(ctx context.Context, key Key) (Item, error)
	SetState(ctx context.Context, key Key, state tuner.State, message string) error
	SetPriority(ctx context.Context, key Key, priority int) error
	Delete(ctx context.Context, key Key) error
}

// Runner runs a study of the book from wherever its log ends to its verdict,
// on the given host, and writes its result and the state Done. Interrupted, it
// returns an error for which tuner.Interrupted holds, and leaves the state as
// it is.
type Runner func(ctx context.Context, key Key, host arena.Host, tell func(tuner.Progress)) error

// Event is something that happened to a study, for whoever watches.
type Event struct {
	Kind  string // state, progress or deleted
	Key   Key
	State tuner.State // of a state
	Why   string      // of a state: the message
	// Progress is how far a running study is; of progress.
	Progress tuner.Progress
}

// Kind says what kind of work it is that a daemon runs.
type Kind string

// The kinds.
const (
	Study      Kind = "study"
	Tournament Kind = "tournament"
	Experiment Kind = "experiment"
	Test       Kind = "test"
)

// Key names one piece of work in a [Book]: a study by its name, a tournament,
// a run of an experiment or a test of a patch by its number.
type Key struct {
	Kind Kind
	Name string // of a study
	ID   int    // of a job: anything but a study
}

// StudyKey is the key of a study.
func StudyKey(name string) Key { return Key{Kind: Study, Name: name} }

// JobKey is the key of a job.
func JobKey(kind Kind, id int) Key { return Key{Kind: kind, ID: id} }

// String is the name of a study, or the kind and the number of a job, as
// "tournament/12". No study's name has a slash.
func (k Key) String() string {
	if k.Kind == Study {
		return k.Name
	}
	return string(k.Kind) + "/" + strconv.Itoa(k.ID)
}

// people is the key for people.
func (k Key) people() string {
	if k.Kind == Study {
		return fmt.Sprintf("study %q", k.Name)
	}
	return string(k.Kind) + " " + strconv.Itoa(k.ID)
}

// mostPriority is the highest priority, and its negative the lowest; 0 is usual.
const mostPriority = 10

// CheckPriority refuses a priority that there is not.
func CheckPriority(priority int) error {
	if priority < -mostPriority || priority > mostPriority {
		return fmt.Errorf("expected -%d to %[1]d, got %d", mostPriority, priority)
	}
	return nil
}

// ParsePriority reads a priority from a form; an empty text is the usual one.
func ParsePriority(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || CheckPriority(n) != nil {
		return 0, fmt.Errorf("expected -%d to %[1]d, got %.40q", mostPriority, text)
	}
	return n, nil
}

// weight is the share of the workers that a priority gets: each step doubles it.
func weight(priority int) float64 {
	return math.Exp2(float64(max(-mostPriority, min(mostPriority, priority))))
}
