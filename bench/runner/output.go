package runner

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
)

// Output runs a command in a folder, shows what it prints, and returns it. A command
// that fails may have printed results before.
func Output(ctx context.Context, dir string, command []string, show io.Writer) (*bytes.Buffer, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, show), show
	if err := cmd.Run(); err != nil {
		return &out, fmt.Errorf("%s: %w", command[0], err)
	}
	return &out, nil
}
