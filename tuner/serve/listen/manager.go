package listen

import (
	"context"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// The service manager is systemd, or another that speaks its protocol (sd_notify(3)). It
// passes its socket and the interval of its watchdog in the environment of this process.
// They are read from the real environment here, and not from the one that tests put in its
// place, which only holds settings.

// Ready tells the service manager that the daemon serves.
func Ready() { tell(daemon.SdNotifyReady) }

// Stopping tells it that the daemon is about to end.
func Stopping() { tell(daemon.SdNotifyStopping) }

// reloadingNow tells the service manager that the settings are being read again, and when
// that began: with Type=notify-reload it waits for a Ready later than its own signal.
func reloadingNow() { tell(daemon.SdNotifyReloading + "\n" + daemon.SdNotifyMonotonicUsec()) }

// tell sends a state to the service manager, if there is one. One that does not listen is
// ignored.
func tell(state string) { _, _ = daemon.SdNotify(false, state) }

// Watchdog tells the service manager that the daemon lives, twice in each of its
// WatchdogSec, until the context is done; at once where it does not ask. alive
// returns as soon as the daemon answers: one that hangs there is killed and
// started again.
func Watchdog(ctx context.Context, alive func()) {
	patience, err := daemon.SdWatchdogEnabled(false)
	if err != nil || patience == 0 {
		return // a variable that cannot be read is ignored
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
