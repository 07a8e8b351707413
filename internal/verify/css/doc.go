// Package css compares the computed styles of elements: which properties changed, what each of them does, and how people call them. It
// knows neither where elements stand nor what is around them.
package css
