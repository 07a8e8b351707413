package vcd

// OrGone turns "not found" into nil.
func OrGone[T any](found *T, err error) (*T, error) {
	if err != nil && CodeOf(err) == CodeNotFound {
		return nil, nil
	}
	return found, err
}
