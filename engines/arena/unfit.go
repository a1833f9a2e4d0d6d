package arena

// UnfitError says that an entrant cannot play under the rules, as a placement
// whose ships do not fit on the board.
type UnfitError struct {
	Entrant string // its name
	Err     error
}

func (e *UnfitError) Error() string { return "entrant " + e.Entrant + ": " + e.Err.Error() }

// Unwrap returns why.
func (e *UnfitError) Unwrap() error { return e.Err }
