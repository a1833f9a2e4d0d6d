package client

import (
	"context"
	"net/http"

	"sakusen/tuner/queue/fleet"
)

// Workers is what the daemon tells of workers on other machines.
func (c *Client) Workers(ctx context.Context) (*fleet.Fleet, error) {
	out := &fleet.Fleet{}
	return out, c.call(ctx, http.MethodGet, "/workers", nil, out)
}
