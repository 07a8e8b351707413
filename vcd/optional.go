package vcd

// Optional is a field of a change that may be absent (leave unchanged), null (clear) or a value.
type Optional[T any] struct {
	Set   bool
	Value *T // nil with Set means null
}

// Some returns a present value.
func Some[T any](v T) Optional[T] { return Optional[T]{Set: true, Value: &v} }

// Null returns a present null.
func Null[T any]() Optional[T] { return Optional[T]{Set: true} }

// Assign stores the value in a field that cannot be null: null and absent leave it unchanged.
func Assign[T any](field *T, o Optional[T]) {
	if o.Set && o.Value != nil {
		*field = *o.Value
	}
}

// AssignNullable stores the value, or nil for null, in a nullable field.
func AssignNullable[T any](field **T, o Optional[T]) {
	if o.Set {
		*field = o.Value
	}
}

// AssignList stores a list; null clears it.
func AssignList[T any](field *[]T, o Optional[[]T]) {
	switch {
	case !o.Set:
	case o.Value == nil:
		*field = nil
	default:
		*field = *o.Value
	}
}
