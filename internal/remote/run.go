package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Group is a set of pages that a server captures together.
type Group struct {
	ID, Name            string
	Monitoring, Enabled bool
}

// maxGroupPages limits how many groups are looked through for a name, in hundreds.
const maxGroupPages = 100

// Groups finds groups by their names or ids.
func (c *Client) Groups(ctx context.Context, wanted []string) ([]Group, error) {
	all, err := c.allGroups(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]Group, 0, len(wanted))
	for _, name := range wanted {
		g, err := pick(all, name)
		if err != nil {
			return nil, err
		}
		found = append(found, g)
	}
	return found, nil
}

func (c *Client) allGroups(ctx context.Context) ([]Group, error) {
	var all []Group
	for page := 1; page <= maxGroupPages; page++ {
		var answer struct {
			Groups struct {
				Nodes    []Group
				PageInfo struct{ HasNextPage bool }
			}
		}
		if err := c.do(ctx, groupsDocument, map[string]any{"page": page}, &answer); err != nil {
			return nil, err
		}
		all = append(all, answer.Groups.Nodes...)
		if !answer.Groups.PageInfo.HasNextPage {
			break
		}
	}
	return all, nil
}

// maxNamed is how many groups are named to who mistyped one.
const maxNamed = 10

func pick(all []Group, wanted string) (Group, error) {
	var named []Group
	for _, g := range all {
		if g.ID == wanted {
			return g, nil
		}
		if g.Name == wanted {
			named = append(named, g)
		}
	}
	switch {
	case len(named) == 1:
		return named[0], nil
	case len(named) > 1:
		return Group{}, fmt.Errorf("--group: %d groups are named %q: give the id of one of them, for example %s",
			len(named), wanted, named[0].ID)
	case len(all) == 0:
		return Group{}, errors.New("--group: the account has no groups: create one in the dashboard")
	}
	var names []string
	for _, g := range all[:min(len(all), maxNamed)] {
		names = append(names, fmt.Sprintf("%q", g.Name))
	}
	if len(all) > maxNamed {
		names = append(names, "…")
	}
	return Group{}, fmt.Errorf("--group: no group has the name or the id %q; there are %s", wanted, strings.Join(names, ", "))
}

// Batch is a run.
type Batch struct {
	ID, Name, Type, SCVersion string
	CreatedAt                 time.Time
	FinishedAt, CancelledAt   *time.Time
	UnpairedCount             int
	ComparedWith              *struct{ Name string }
	QueuesCount               Counts
	ComparisonsCount          struct{ New int }
}

// TypePre is the type of runs that compare nothing.
const TypePre = "PRE"

// Counts are numbers of screenshots and comparisons of a run.
type Counts struct{ Done, Failed, Total int }

// Batch reads a run.
func (c *Client) Batch(ctx context.Context, id string) (*Batch, error) {
	var answer struct{ Batch *Batch }
	err := c.do(ctx, batchDocument, map[string]any{"id": id}, &answer)
	var refused *Refusal
	if errors.As(err, &refused) && (refused.Extensions.Code == codeNotFound || refused.Extensions.Code == codeInvalid) ||
		err == nil && answer.Batch == nil {
		return nil, fmt.Errorf("--batch: the account has no run with the id %q", id)
	}
	return answer.Batch, err
}

// Latest are the newest runs of groups.
func (c *Client) Latest(ctx context.Context, groups []Group) ([]Batch, error) {
	var answer struct{ Batches struct{ Nodes []Batch } }
	err := c.do(ctx, latestDocument, map[string]any{"groups": ids(groups)}, &answer)
	return answer.Batches.Nodes, err
}

func ids(groups []Group) []string {
	all := make([]string, len(groups))
	for i, g := range groups {
		all[i] = g.ID
	}
	return all
}

// Start starts a run of groups and returns its id: screenshots before a change, or those after it, which are compared with them.
// A monitoring group has no such two runs: it is compared with its previous one.
func (c *Client) Start(ctx context.Context, groups []Group, pre bool) (string, error) {
	for _, g := range groups {
		switch {
		case !g.Enabled:
			return "", fmt.Errorf("--group: the group %q is disabled: enable it in the dashboard", g.Name)
		case g.Monitoring && pre:
			return "", fmt.Errorf("--pre: %q is a monitoring group, whose runs are compared with the previous one: leave --pre out", g.Name)
		case g.Monitoring && len(groups) > 1:
			return "", fmt.Errorf("--group: %q is a monitoring group, which runs alone: check it in a separate call", g.Name)
		}
	}
	if groups[0].Monitoring {
		return c.trigger(ctx, groups[0])
	}
	kind := "POST"
	if pre {
		kind = TypePre
	}
	var answer struct{ TakeScreenshots struct{ BatchID string } }
	err := c.do(ctx, takeDocument, map[string]any{"input": map[string]any{"groupIds": ids(groups), "scType": kind}}, &answer)
	return answer.TakeScreenshots.BatchID, err
}

func (c *Client) trigger(ctx context.Context, g Group) (string, error) {
	var answer struct{ TriggerMonitoring struct{ BatchID *string } }
	input := map[string]any{"groupId": g.ID, "type": "MANUAL_TRIGGER", "scope": "ALL"}
	if err := c.do(ctx, triggerDocument, map[string]any{"input": input}, &answer); err != nil {
		return "", err
	}
	if answer.TriggerMonitoring.BatchID == nil {
		return "", fmt.Errorf("--group: the group %q has no page with a device enabled", g.Name)
	}
	return *answer.TriggerMonitoring.BatchID, nil
}

// Follow tells how far a run is until it has finished.
func (c *Client) Follow(ctx context.Context, batch string, tell func(Counts)) error {
	return c.follow(ctx, progressDocument, map[string]any{"id": batch}, func(field json.RawMessage) (bool, error) {
		var step struct {
			Finished bool
			Counts   *Counts
		}
		if err := json.Unmarshal(field, &step); err != nil {
			return false, fmt.Errorf("a message of %s cannot be read; does the server run another version? %w", c, err)
		}
		if step.Counts != nil {
			tell(*step.Counts)
		}
		return !step.Finished, nil
	})
}
