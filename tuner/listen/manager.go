package listen

import (
	"context"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// The service manager is systemd, or whoever else speaks its protocol
// (sd_notify(3)). It gives its socket and the interval of its watchdog to this
// very process, in the environment that the kernel handed over; so these are
// read there, and not in an environment that a test or an embedding program puts
// in its place, which knows settings only.

// Ready tells the service manager that the daemon serves.
func Ready() { tell(daemon.SdNotifyReady) }

// Stopping tells it that the daemon is about to end.
func Stopping() { tell(daemon.SdNotifyStopping) }

// reloadingNow tells it that the settings are being read again, and when that
// began: with Type=notify-reload it waits for a Ready later than its own signal.
func reloadingNow() { tell(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec()) }

// tell sends a state where a service manager asks for it. One that does not
// listen is no reason to end.
func tell(state string) { _, _ = daemon.SdNotify(false, state) }

// Watchdog tells the service manager that the daemon lives, twice in each of its
// WatchdogSec, until the context is done; at once where it does not ask. alive
// returns as soon as the daemon answers: one that hangs there is killed and
// started again.
func Watchdog(ctx context.Context, alive func()) {
	patience, err := daemon.SdWatchdogEnabled(false)
	if err != nil || patience == 0 {
		return // a variable that cannot be read asks for nothing
	}
	for {
		alive()
		tell(daemon.SdNotifyWatchdog)
		select {
		case <-ctx.Done():
			return
		case <-time.After(patience / 2):
		}
	}
}
