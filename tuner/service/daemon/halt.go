package daemon

// Halt ends all studies because the record is damaged, and lets none begin:
// nothing more is written, not even their states, so that a daemon on a copy put
// in the record's place takes them up where that ends. The first damage counts.
func (d *Daemon) Halt(damage error) {
	d.mu.Lock()
	first := d.damage == nil
	if first {
		d.damage = damage
	}
	d.mu.Unlock()
	if !first {
		return
	}
	d.o.Log.Error("no study runs until the database is replaced and the daemon started again", "error", damage)
	d.interruptAll(damage)
}

// Alive returns when nobody holds the daemon's locks any more, which is at once,
// unless it hangs.
func (d *Daemon) Alive() {
	d.queue.Lock()
	defer d.queue.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
}

// Damage is why the daemon was halted, nil where it was not.
func (d *Daemon) Damage() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.damage
}

// Held is why a study that the book has as running waits: its record cannot be
// written. It is nil for any other, and for one that is tried again.
func (d *Daemon) Held(key Key) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.jobs[key] != nil:
		return nil
	case d.damage != nil:
		return d.damage
	}
	return d.resting[key].why
}

// Waiting is the number of studies that are held up.
func (d *Daemon) Waiting() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key := range d.resting {
		if d.jobs[key] == nil {
			n++
		}
	}
	return n
}
