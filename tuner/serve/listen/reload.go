package listen

import (
	"context"
	"log/slog"
	"os"
)

// Follow reads the settings again at every signal, until the context is done,
// and tells the service manager. again changes nothing where the settings have
// mistakes, and returns those.
func Follow(ctx context.Context, hangup <-chan os.Signal, log *slog.Logger, again func() error) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
		}
		reloadingNow()
		if err := again(); err != nil {
			log.Error("the settings have mistakes and stay as they were", "error", err)
		} else {
			log.Info("the settings are read again")
		}
		Ready()
	}
}
