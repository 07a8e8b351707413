package imports

import (
	"cmp"
	"maps"
	"slices"

	"afterimage/internal/yamltext"
)

// phoneWidth is the width in pixels up to which a viewport stands for a phone.
const phoneWidth = 600

// backstop reads the configuration of BackstopJS (backstop.json). What it has for single pages counts on all of them here.
func (i *Imported) backstop(text []byte) ([]string, error) {
	var file struct {
		Viewports []struct {
			Label         string `yaml:"label"`
			Width, Height int
		} `yaml:"viewports"`
		Scenarios []map[string]any `yaml:"scenarios"`
	}
	if err := yamltext.Decode(text, &file); err != nil {
		return nil, err
	}
	for _, v := range file.Viewports {
		device := i.device(v.Width)
		i.leave("The viewport %q of %d × %d pixels becomes the device %s, whose size is fixed.", v.Label, v.Width, v.Height, device)
	}
	var addresses []string
	unknown := make(map[string]int)
	thresholds := make(map[float64]bool)
	for _, s := range file.Scenarios {
		address, _ := s["url"].(string)
		if reference, _ := s["referenceUrl"].(string); reference != "" {
			i.Settings.Before, i.Settings.After = cmp.Or(i.Settings.Before, siteOf(reference)), cmp.Or(i.Settings.After, siteOf(address))
		}
		addresses = append(addresses, address)
		for _, key := range slices.Sorted(maps.Keys(s)) {
			if !i.backstopField(key, s[key], thresholds) {
				unknown[key]++
			}
		}
	}
	i.tellBackstop(unknown, thresholds)
	return addresses, nil
}

// device takes a viewport over as the device for its width.
func (i *Imported) device(width int) string {
	device := "desktop"
	if width <= phoneWidth {
		device = "mobile"
	}
	if !slices.Contains(i.Settings.Devices, device) {
		i.Settings.Devices = append(i.Settings.Devices, device)
	}
	return device
}

// backstopField takes a field of a scenario over and reports whether it could.
func (i *Imported) backstopField(key string, value any, thresholds map[float64]bool) bool {
	switch key {
	case "label", "url", "referenceUrl":
		return true
	case "hideSelectors", "removeSelectors":
		selectors, _ := value.([]any)
		for _, s := range selectors {
			if selector, ok := s.(string); ok && selector != "" && !slices.Contains(i.Settings.Ignore, selector) {
				i.Settings.Ignore = append(i.Settings.Ignore, selector)
			}
		}
		return true
	case "misMatchThreshold":
		switch n := value.(type) {
		case float64:
			thresholds[n] = true
		case uint64:
			thresholds[float64(n)] = true
		}
		return true
	}
	list, isList := value.([]any)
	return value == nil || value == "" || value == false || value == uint64(0) || isList && len(list) == 0
}

func (i *Imported) tellBackstop(unknown map[string]int, thresholds map[float64]bool) {
	if len(thresholds) > 0 {
		i.Settings.MaxPercent = slices.Min(slices.Collect(maps.Keys(thresholds)))
	}
	if len(thresholds) > 1 {
		i.leave("The scenarios have different values of misMatchThreshold: the smallest applies to all pages.")
	}
	if len(i.Settings.Ignore) > 0 {
		i.leave("Selectors that are hidden or removed in a scenario are ignored on all pages.")
	}
	for _, key := range slices.Sorted(maps.Keys(unknown)) {
		i.leave("%s is not imported (set by %d of the scenarios).", key, unknown[key])
	}
}

// percy reads Percy's list of snapshots: addresses, or objects with a name and a url. It also reads Percy's own configuration
// (.percy.yml), which names none.
func (i *Imported) percy(text []byte) ([]string, error) {
	var file any
	if err := yamltext.Decode(text, &file); err != nil {
		return nil, err
	}
	if object, ok := file.(map[string]any); ok {
		i.percySettings(object)
		file = object["snapshots"]
	}
	snapshots, _ := file.([]any)
	var addresses []string
	unknown := make(map[string]int)
	for _, s := range snapshots {
		switch s := s.(type) {
		case string:
			addresses = append(addresses, s)
		case map[string]any:
			address, _ := s["url"].(string)
			addresses = append(addresses, address)
			for key := range s {
				if key != "url" && key != "name" {
					unknown[key]++
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(unknown)) {
		i.leave("%s is not imported (set by %d of the snapshots).", key, unknown[key])
	}
	return addresses, nil
}

// percySettings takes over what Percy's configuration says of all snapshots.
func (i *Imported) percySettings(file map[string]any) {
	for _, section := range slices.Sorted(maps.Keys(file)) {
		fields, ok := file[section].(map[string]any)
		if !ok {
			continue // the version, or the snapshots
		}
		i.configured = true
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			if name := section + "." + key; name != "snapshot.widths" {
				i.leave("%s is not imported.", name)
				continue
			}
			widths, _ := fields[key].([]any)
			for _, w := range widths {
				if width, ok := w.(uint64); ok {
					i.leave("The width %d becomes the device %s, whose size is fixed.", width, i.device(int(min(width, 1<<20))))
				}
			}
		}
	}
}

// changedetection reads what changedetection.io exports: its url-watches.json, or the list of its API.
func (i *Imported) changedetection(text []byte) ([]string, error) {
	var file map[string]any
	if err := yamltext.Decode(text, &file); err != nil {
		return nil, err
	}
	watches := file
	if inner, ok := file["watching"].(map[string]any); ok {
		watches = inner
	}
	var addresses []string
	for _, id := range slices.Sorted(maps.Keys(watches)) {
		if watch, ok := watches[id].(map[string]any); ok {
			if address, _ := watch["url"].(string); address != "" {
				addresses = append(addresses, address)
			}
		}
	}
	slices.Sort(addresses)
	i.leave("Intervals, filters and notifications are not imported: a comparison has none.")
	return addresses, nil
}
