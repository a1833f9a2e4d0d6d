package bisect

// Class is what is known of a commit.
type Class int

// The classes.
const (
	Good Class = iota
	Bad
	Skip // does not build, or has no such benchmark
)

// Found is where a search ended.
type Found struct {
	Good    int   // the last good commit before it; -1 is the one before all
	First   int   // the first bad commit that could be judged
	Skipped []int // commits between the two, each of which may be the first bad one
	Tested  int   // commits that were judged
}

// search finds the first bad one of commits 0 to n-1, oldest first, of which the
// last is known to be bad and the one before the first to be good. It asks for
// the one in the middle, or the nearest to it that was not skipped.
func search(n int, class func(i int) (Class, error)) (Found, error) {
	f := Found{Good: -1, First: n - 1}
	skipped := map[int]bool{}
	for {
		at, ok := middle(f.Good, f.First, skipped)
		if !ok {
			break
		}
		c, err := class(at)
		if err != nil {
			return f, err
		}
		switch c {
		case Good:
			f.Good = at
			f.Tested++
		case Bad:
			f.First = at
			f.Tested++
		case Skip:
			skipped[at] = true
		}
	}
	for i := f.Good + 1; i < f.First; i++ {
		f.Skipped = append(f.Skipped, i)
	}
	return f, nil
}

// middle is the index between two others that is nearest to their middle and was
// not skipped.
func middle(lo, hi int, skipped map[int]bool) (int, bool) {
	mid := lo + (hi-lo)/2
	for d := range hi - lo {
		for _, at := range []int{mid - d, mid + d} {
			if at > lo && at < hi && !skipped[at] {
				return at, true
			}
		}
	}
	return 0, false
}
