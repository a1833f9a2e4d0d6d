// Package role says who may do what with a daemon: three roles, and the tokens that
// show them. A token is known by its hash alone.
//
//	tokens, err := role.ReadFile("tokens")
//	token, ok := tokens.Find(given) // ok and token.Role >= role.Submit
package role

// Role is what somebody may do. Each may do what those below it may.
type Role uint8

// The roles.
const (
	None       Role = iota
	Read            // look at everything, export, watch games
	Submit          // add studies, tournaments, runs of experiments, played blocks, benchmarks; ask for games of a study and tell them
	Administer      // stop, delete, drop, prune, accept, set baselines
)

var names = [...]string{"none", "read", "submit", "administer"}

func (r Role) String() string { return names[r] }

// Named is the role of a name.
func Named(name string) (Role, bool) {
	for r := Read; r <= Administer; r++ {
		if names[r] == name {
			return r, true
		}
	}
	return None, false
}
