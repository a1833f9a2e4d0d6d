package tuner

// batch is what was asked for at once and is not told yet.
type batch struct {
	number int
	trials []*Trial // by place; some may be earlier trials
	draws  []int    // by place
	known  int      // trials that were there before it
	games  int64    // the most that it can take
	ahead  []*ahead // by place, or by pair in duels; empty where nothing plays ahead
}
