package standalone

import (
	"errors"
	"fmt"
	"log/slog"

	"afterimage/capture"
	"afterimage/internal/compare"
)

// readFlow reads the flow whose checkpoints are compared. Without --devices it has its own.
func (c *Compare) readFlow(o *compare.Options, logger *slog.Logger) error {
	if c.Baseline != "" {
		return errors.New("--flow compares two sites and cannot be combined with --baseline")
	}
	f, err := readFlow(c.Flow)
	if err != nil {
		return fmt.Errorf("--flow: %w", err)
	}
	if f.Checkpoints() == 0 {
		return errors.New("--flow: the flow has no checkpoint, so there is no picture to compare: add a checkpoint step")
	}
	secrets, err := readFlowSecrets(f, c.Secret, logger)
	if err != nil {
		return err
	}
	if len(c.Devices) == 0 {
		o.Devices = nil
		for _, device := range f.Devices {
			o.Devices = append(o.Devices, capture.Device(device))
		}
		if len(o.Devices) == 0 {
			o.Devices = []capture.Device{capture.Desktop}
		}
	}
	o.Flow = &compare.Flow{Flow: f, Secrets: secrets}
	o.Paths = o.Flow.Checkpoints()
	return nil
}
