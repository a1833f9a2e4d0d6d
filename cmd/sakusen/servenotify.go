package main

import (
	"context"
	"net"
	"os"
	"strconv"
	"time"

	"sakusen/tuner/daemon"
)

// notify tells systemd how far the service is, where it asks for that
// (sd_notify(3)): READY=1, RELOADING=1, STOPPING=1, WATCHDOG=1.
func notify(state string) {
	socket := os.Getenv("NOTIFY_SOCKET") // @ begins the name of an abstract one, in Go too
	if socket == "" {
		return
	}
	c, err := net.Dial("unixgram", socket)
	if err != nil {
		return // a service manager that does not listen is no reason to end
	}
	defer c.Close()
	c.Write([]byte(state))
}

// watchdogEvery is how often the service manager wants to hear that the daemon
// lives: half its WatchdogSec; 0 where it does not ask.
func watchdogEvery(env func(string) (string, bool), pid int) time.Duration {
	if text, ok := env("WATCHDOG_PID"); ok && text != strconv.Itoa(pid) {
		return 0
	}
	text, _ := env("WATCHDOG_USEC")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0
	}
	return time.Duration(n) * time.Microsecond / 2
}

// watchdog tells the service manager that the daemon lives for as long as the
// queue's lock can be had. A database that is full or damaged is no reason to be
// killed: another process would find the same.
func watchdog(ctx context.Context, every time.Duration, d *daemon.Daemon) {
	for every > 0 {
		d.Alive()
		notify("WATCHDOG=1")
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
	}
}
