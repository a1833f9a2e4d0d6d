package store

import (
	"maps"

	"github.com/c-bata/goptuna"
)

// trialList holds the trials of a study by number and hands all of them out
// as one slice without copying, as samplers ask for it once per trial or more
// often. What was handed out is never changed: a trial among it that changes
// is kept in patch until the whole is asked for again, and only then is the
// slice (136 bytes a trial, the maps stay shared) copied. Trials that are
// added come behind the end of every slice handed out before.
type trialList struct {
	list   []goptuna.FrozenTrial
	handed int // list[:handed] has been handed out
	patch  map[int]goptuna.FrozenTrial
}

func (l *trialList) len() int { return len(l.list) }

func (l *trialList) at(number int) goptuna.FrozenTrial {
	if t, ok := l.patch[number]; ok {
		return t
	}
	return l.list[number]
}

func (l *trialList) set(number int, t goptuna.FrozenTrial) {
	if number >= l.handed {
		l.list[number] = t
		return
	}
	if l.patch == nil {
		l.patch = make(map[int]goptuna.FrozenTrial)
	}
	l.patch[number] = t
}

func (l *trialList) append(t goptuna.FrozenTrial) { l.list = append(l.list, t) }

func (l *trialList) all() []goptuna.FrozenTrial {
	if len(l.patch) > 0 {
		fresh := make([]goptuna.FrozenTrial, len(l.list), len(l.list)+len(l.list)/4+16)
		copy(fresh, l.list)
		for number, t := range l.patch {
			fresh[number] = t
		}
		clear(l.patch)
		l.list = fresh
	}
	l.handed = len(l.list)
	return l.list[:l.handed:l.handed]
}

// with returns a copy of m in which key has the value. Maps of trials are
// never changed in place, since they may have been handed out.
func with[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	c := make(map[K]V, len(m)+1)
	maps.Copy(c, m)
	c[key] = value
	return c
}
