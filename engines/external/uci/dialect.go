package uci

// Dialect is the words by which relatives of UCI differ.
type Dialect struct {
	Name                 string
	hello, agreed        string // the first word of ours, and the program's last
	newGame              string
	black, white         string // the names of the two clocks in "go"
	blackMore, whiteMore string // and of their increments
}

// dialects are those that are spoken. In USI the first side, sente, is called
// black; whoever asks for a move there gives the clocks in that order.
var dialects = [...]Dialect{
	{"uci", "uci", "uciok", "ucinewgame", "btime", "wtime", "binc", "winc"},
	{"usi", "usi", "usiok", "usinewgame", "wtime", "btime", "winc", "binc"},
	{"uai", "uai", "uaiok", "uainewgame", "btime", "wtime", "binc", "winc"},
	{"ugi", "ugi", "ugiok", "uginewgame", "p2time", "p1time", "p2inc", "p1inc"},
}

// FindDialect finds a dialect by its name; an empty one is UCI.
func FindDialect(name string) (Dialect, bool) {
	if name == "" {
		name = "uci"
	}
	for _, d := range dialects {
		if d.Name == name {
			return d, true
		}
	}
	return Dialect{}, false
}
