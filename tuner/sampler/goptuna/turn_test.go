package goptuna

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// One sampler is asked at a time; the next has its turn when it has answered, also where its
// study has left it in the meantime.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(time.Minute)
		left := make(chan struct{})
		end, err := turns.take("the first", left)
		if err != nil {
			t.Fatal(err)
		}
		took := make(chan error)
		go func() {
			next, err := turns.take("the second", nil)
			if err == nil {
				next()
			}
			took <- err
		}()
		time.Sleep(8 * time.Minute) // no study has left, so that it waits
		close(left)
		time.Sleep(30 * time.Second) // it may still answer
		end()
		if err := <-took; err != nil {
			t.Error(err)
		}
		end, err = turns.take("the third", nil)
		if err != nil {
			t.Fatal(err)
		}
		end()
	})
}

// A sampler that was left and goes on is named to those that wait, who can leave as well;
// when it ends after all, the next has its turn.
func TestTurnsOfTheHung(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(time.Minute)
		left := make(chan struct{})
		end, err := turns.take("sampler goptuna-tpe with seed 3", left)
		if err != nil {
			t.Fatal(err)
		}
		close(left)
		_, err = turns.take("the second", nil)
		if want := "goptuna's samplers are asked one at a time, and sampler goptuna-tpe with seed 3, which its study left, has not answered"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		gone := make(chan struct{})
		close(gone)
		if _, err := turns.take("the third", gone); !errors.Is(err, errLeft) {
			t.Error(err)
		}
		end()
		if end, err = turns.take("the fourth", nil); err != nil {
			t.Fatal(err)
		}
		end()
	})
}
