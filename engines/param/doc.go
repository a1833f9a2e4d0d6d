// Package param says once what can be tuned. A strategy (or a game's rules) declares its
// parameters by binding them to its own variables, the idiom of flag.IntVar. Everything else
// follows from that one declaration: Goptuna's distributions, the checks of study files,
// command-line help, forms, the generated documentation and export.
//
//	type Config struct {
//		Kind   string
//		Height int
//	}
//
//	func (c *Config) Declare(f *param.Fields) {
//		f.Choice(&c.Kind, "kind", "random", []string{"random", "packed"}, "where the fleet goes")
//		f.When("kind", "packed", func(f *param.Fields) {
//			f.Int(&c.Height, "height", 2, param.Range(2, 4), "short side of the rectangle, squares")
//		})
//	}
//
// Values travel as canonical text: the text is what is hashed, stored and
// printed, and the value played is parsed from it, never taken from a
// sampler's internal number. Only active parameters are part of it.
//
// A declared step says where tuning looks; play accepts every value of the range, as papers
// use such values (MP75).
//
// The package stands at the bottom of the module: it imports nothing of it.
//
// Files in reading order: param.go (one parameter and its range), fields.go (its
// declaration), values.go (its values as text), nearest.go (names that were meant).
package param
