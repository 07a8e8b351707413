package inventory

import (
	"fmt"
	"strconv"
	"strings"

	"afterimage/vcd"
)

// AutoUpdateChange holds these settings as a client sends them. Absent fields stay unchanged; the initial settings are
// enabled, at any time of every day, without recipients.
type AutoUpdateChange struct {
	Enabled  vcd.Optional[bool]
	From, To vcd.Optional[string]
	Days     [7]vcd.Optional[bool] // Monday first
	Emails   vcd.Optional[[]string]
}

func defaultAutoUpdate() vcd.AutoUpdateSettings {
	return vcd.AutoUpdateSettings{From: "00:00", To: "23:59", Days: vcd.Weekdays{true, true, true, true, true, true, true}}
}

func (in AutoUpdateChange) validate(v *vcd.Validation) {
	path := func(field string) string { return "autoUpdateSettings.autoUpdateChecks" + field }
	checkTime := func(field string, given *string) {
		if given != nil {
			_, ok := parseTimeOfDay(*given)
			v.Check(ok, path(field), "dateFormat", "The {field} field must be a time as HH:MM.")
		}
	}
	checkTime("From", in.From.Value)
	checkTime("To", in.To.Value)
	if emails := in.Emails.Value; emails != nil {
		v.Check(len(*emails) <= maxAlertEmails, path("Emails"), "max", "The {field} field must not have more than 50 items.")
		for i, address := range *emails {
			v.Email(vcd.Indexed(path("Emails"), i), address)
		}
	}
}

// applied returns the present settings, which may be nil, with the change applied. The change must be valid.
func (in AutoUpdateChange) applied(present *vcd.AutoUpdateSettings) *vcd.AutoUpdateSettings {
	settings := defaultAutoUpdate()
	if present != nil {
		settings = *present
	}
	vcd.Assign(&settings.Enabled, in.Enabled)
	if in.From.Value != nil {
		settings.From, _ = parseTimeOfDay(*in.From.Value)
	}
	if in.To.Value != nil {
		settings.To, _ = parseTimeOfDay(*in.To.Value)
	}
	for i, day := range in.Days {
		vcd.Assign(&settings.Days[i], day)
	}
	vcd.AssignList(&settings.Emails, in.Emails)
	return &settings
}

// parseTimeOfDay parses H:MM or HH:MM, ignoring optional seconds, and returns HH:MM.
func parseTimeOfDay(text string) (string, bool) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) != 2 && len(parts) != 3 {
		return "", false
	}
	limits := []int{23, 59, 59}
	var numbers [3]int
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || len(part) > 2 || int(n) > limits[i] || i > 0 && len(part) != 2 {
			return "", false
		}
		numbers[i] = int(n)
	}
	return fmt.Sprintf("%02d:%02d", numbers[0], numbers[1]), true
}
