package store

import "github.com/c-bata/goptuna"

// head is what a study has beside its trials. Its maps are never changed in
// place.
type head struct {
	id        int
	name      string
	direction goptuna.StudyDirection
	user      map[string]string
	system    map[string]string
}

// study is the cached, committed state of a study; Store.mu guards it.
type study struct {
	head
	trials   trialList
	finished []goptuna.FrozenTrial // in the order in which they were finished; only appended to
}

// place says where a trial is.
type place struct {
	study  int
	number int
}

// owner separates the attributes of users from those of the system.
type owner string

const (
	ownerUser   owner = "user"
	ownerSystem owner = "system"
)

// attrs are the head's attributes of one owner.
func (h *head) attrs(o owner) *map[string]string {
	if o == ownerUser {
		return &h.user
	}
	return &h.system
}

// better reports whether a is a strictly better value than b.
func (h *head) better(a, b float64) bool {
	if h.direction == goptuna.StudyDirectionMaximize {
		return a > b
	}
	return a < b
}
