package daemon

import (
	"fmt"
	"strconv"
)

// Kind says what kind of work it is that a daemon runs.
type Kind string

// The kinds.
const (
	Study      Kind = "study"
	Tournament Kind = "tournament"
	Experiment Kind = "experiment"
)

// Key names one piece of work in a [Book]: a study by its name, a tournament or
// a run of an experiment by its number.
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
