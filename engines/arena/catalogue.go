package arena

import "fmt"

// Catalogue is the games that there are, in the order in which they are shown.
type Catalogue []*Game

// Game finds a game by name.
func (c Catalogue) Game(name string) (*Game, error) {
	names := make([]string, len(c))
	for i, g := range c {
		if g.Name == name {
			return g, nil
		}
		names[i] = g.Name
	}
	return nil, unknown("game", name, names)
}

// Reading is the games for a command line or for files of a user: rules may name
// files, which read reads.
func (c Catalogue) Reading(read func(path string) ([]byte, error)) Catalogue {
	all := make(Catalogue, len(c))
	for i, g := range c {
		all[i] = g.Reading(read)
	}
	return all
}

// Validate checks the declarations of all games.
func (c Catalogue) Validate() error {
	seen := map[string]bool{}
	for _, g := range c {
		if seen[g.Name] {
			return fmt.Errorf("game %s is entered twice", g.Name)
		}
		seen[g.Name] = true
		if err := g.Validate(); err != nil {
			return err
		}
	}
	return nil
}
