package registry

// Check is one thing that a program was tried for.
type Check struct {
	Name   string `json:"check"`
	Passed bool   `json:"passed"`
	// Needed says that without it the program cannot play here at all.
	Needed bool   `json:"needed"`
	Said   string `json:"said"` // what was seen, or what went wrong
}

// trial is a program being tried.
type trial struct {
	registered
	tell func(Check)
}

// check makes one check and tells what it found.
func (t *trial) check(name string, needed bool, try func() (said string, err error)) bool {
	said, err := try()
	if err != nil {
		said = err.Error()
	}
	t.tell(Check{name, err == nil, needed, said})
	return err == nil
}
