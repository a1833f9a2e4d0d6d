package stats

import "testing"

// A challenge whose blocks repeat each other is one of the different blocks alone:
// what stops a trial by 200 blocks does not where they are 20 that came ten times,
// and never where they are fewer than FewBlocks.
func TestChallengeOfRepeatedBlocks(t *testing.T) {
	c, err := NewChallenge(0.05, 400)
	if err != nil {
		t.Fatal(err)
	}
	behind := Paired{N: 200, Sum: -40, Squares: 100}
	for _, x := range []struct {
		distinct int64
		n        int64
		stop     bool
	}{{0, 200, true}, {200, 200, true}, {20, 20, false}, {1, 1, false}} {
		p := behind.Of(x.distinct)
		look, err := c.Judge(p)
		if err != nil || p.N != x.n || look.Stop != x.stop {
			t.Errorf("%d different: %+v, %+v, %v", x.distinct, p, look, err)
		}
	}
}
