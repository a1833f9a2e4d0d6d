package yamlfile

import "regexp"

// plainName keeps names usable in URLs, file names and shells.
var plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,79}$`)

// Name reads the required name of a file's subject, usable in URLs, file names
// and shells.
func (m *Mapping) Name() string {
	want := "a name of lower-case letters, digits, '.', '_' and '-', at most 80"
	if !m.Require("name", want) {
		return ""
	}
	before := len(m.Doc.errs)
	name := m.Text("name", "")
	if len(m.Doc.errs) == before && !plainName.MatchString(name) {
		m.Fail("name", want, Describe(m.Take("name")))
	}
	return name
}
