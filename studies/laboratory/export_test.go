package laboratory

// Serves tells whether the method serves a cell, and what is wrong with its study
// file, if anything.
func (m Method) Serves(c Cell) (bool, error) {
	text, ok := m.study(c, 1)
	if !ok {
		return false, nil
	}
	_, err := c.read(m.Name, text)
	return err == nil, err
}
