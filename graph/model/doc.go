// Package model holds the types that gqlgen makes from the schema: filters and other plain inputs, and outputs that the
// domain has no words for yet.
package model
