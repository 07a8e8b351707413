package bucket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	imageblob "afterimage/internal/blob"
)

// reason is why a bucket refuses, as far as the remedy is concerned.
type reason string

const (
	reasonOther       reason = ""
	reasonNoBucket    reason = "there is no such bucket: check its name, region and endpoint, or create it"
	reasonNoObject    reason = "there is no such object"
	reasonTaken       reason = "the object already exists"
	reasonDenied      reason = "permission denied: allow these credentials to list, read, write and delete objects in it"
	reasonUnsigned    reason = "no usable credentials: set them in the environment or in the provider's file, or give this machine a role"
	reasonSecret      reason = "the credentials are wrong: check the key and its secret"
	reasonSkew        reason = "this machine's clock and the bucket's differ too much: synchronise them with NTP"
	reasonRegion      reason = "the bucket is in another region: give it as ?region= in the URL"
	reasonUnable      reason = "this server lacks a function that Afterimage needs"
	reasonFull        reason = "the bucket is full: raise its quota or make room"
	reasonSilent      reason = "no answer in time: check that its endpoint can be reached and is not overloaded"
	reasonUnreachable reason = "it cannot be reached: check its endpoint and the network"
	reasonDamaged     reason = "it does not keep or deliver what was written: check the server and what is in front of it"
)

// Error is a failure of a bucket. It matches fs.ErrNotExist, fs.ErrExist,
// fs.ErrPermission and syscall.ENOSPC where those are the reason, and blob.ErrUnavailable for all but the first two.
type Error struct {
	bucket, verb string
	reason       reason
	cause        error
}

// Error says what cannot be done, why, and what to do.
func (e *Error) Error() string {
	if e.reason == reasonOther {
		return fmt.Sprintf("cannot %s the bucket %s: %s", e.verb, e.bucket, redacted(e.cause))
	}
	return fmt.Sprintf("cannot %s the bucket %s: %s (%s)", e.verb, e.bucket, e.reason, redacted(e.cause))
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is matches the errors of package fs.
func (e *Error) Is(target error) bool {
	switch target {
	case fs.ErrNotExist:
		return e.reason == reasonNoObject
	case fs.ErrExist:
		return e.reason == reasonTaken
	case imageblob.ErrUnavailable:
		return e.reason != reasonNoObject && e.reason != reasonTaken
	case syscall.ENOSPC:
		return e.reason == reasonFull
	case fs.ErrPermission:
		return e.reason == reasonDenied
	}
	return false
}

func (b *Bucket) explain(verb string, err error) error {
	return &Error{bucket: b.name, verb: verb, reason: reasonOf(err), cause: err}
}

// codes are what S3 servers and Azure call their reasons. Servers that check sums say what arrived damaged.
var codes = map[string]reason{
	"NoSuchBucket": reasonNoBucket, "ContainerNotFound": reasonNoBucket, "InvalidBucketName": reasonNoBucket,
	"NoSuchKey": reasonNoObject, "NotFound": reasonNoObject, "BlobNotFound": reasonNoObject,
	"PreconditionFailed": reasonTaken, "BlobAlreadyExists": reasonTaken,
	"ConditionNotMet": reasonTaken, "TargetConditionNotMet": reasonTaken,
	"AccessDenied": reasonDenied, "Forbidden": reasonDenied, "AllAccessDisabled": reasonDenied, "AuthorizationFailure": reasonDenied,
	"AuthorizationPermissionMismatch": reasonDenied, "InsufficientAccountPermissions": reasonDenied,
	"SignatureDoesNotMatch": reasonSecret, "InvalidAccessKeyId": reasonSecret, "AuthenticationFailed": reasonSecret,
	"InvalidToken": reasonSecret, "ExpiredToken": reasonSecret,
	"BadDigest": reasonDamaged, "XAmzContentSHA256Mismatch": reasonDamaged, "Md5Mismatch": reasonDamaged,
	"RequestTimeTooSkewed": reasonSkew, "RequestExpired": reasonSkew,
	"PermanentRedirect": reasonRegion, "AuthorizationHeaderMalformed": reasonRegion, "IllegalLocationConstraintException": reasonRegion,
	"NotImplemented": reasonUnable, "MethodNotAllowed": reasonUnable,
	"QuotaExceeded": reasonFull, "InsufficientStorage": reasonFull, "XMinioStorageFull": reasonFull,
}

func reasonOf(err error) reason {
	switch {
	case err == nil:
		return reasonOther
	case errors.Is(err, ErrDamaged):
		return reasonDamaged
	case errors.Is(err, errSilent), errors.Is(err, context.DeadlineExceeded):
		return reasonSilent
	}
	if known, ok := codes[codeOf(err)]; ok {
		return known
	}
	switch statusOf(err) {
	case http.StatusNotFound, http.StatusMovedPermanently:
		return reasonNoObject
	case http.StatusUnauthorized, http.StatusForbidden:
		return reasonDenied
	}
	var unreachable *net.OpError
	var unknown *net.DNSError
	if errors.As(err, &unknown) || errors.As(err, &unreachable) && unreachable.Op == "dial" {
		return reasonUnreachable
	}
	if errors.Is(err, errNoSigner) {
		return reasonUnable
	}
	if text := err.Error(); strings.Contains(text, "credential") {
		return reasonUnsigned
	}
	return reasonOther
}

// codeOf is the word with which a provider says why it refuses.
func codeOf(err error) string {
	var s3Error smithy.APIError
	var azureError *azcore.ResponseError
	var refusal *googleError
	switch {
	case errors.As(err, &s3Error):
		return s3Error.ErrorCode()
	case errors.As(err, &azureError):
		return azureError.ErrorCode
	case errors.As(err, &refusal):
		return refusal.code()
	}
	return ""
}

// statusOf is the HTTP status of a refusal that has no word; 0 for everything else.
func statusOf(err error) int {
	var s3Error smithy.APIError
	var response *smithyhttp.ResponseError
	var azureError *azcore.ResponseError
	switch {
	case errors.As(err, &azureError) && azureError.StatusCode == http.StatusNotFound:
		return azureError.StatusCode
	case !errors.As(err, &s3Error) && errors.As(err, &response) && response.Response != nil:
		return response.HTTPStatusCode()
	}
	return 0
}

func isTaken(err error) bool   { return reasonOf(err) == reasonTaken }
func isMissing(err error) bool { return reasonOf(err) == reasonNoObject }

// parameters of addresses may be signatures.
var parameters = regexp.MustCompile(`\?[^\s"']+`)

// redacted is the cause of a failure in one line, without what may be secret.
func redacted(err error) string {
	text := err.Error()
	var s3Error smithy.APIError
	var response *smithyhttp.ResponseError
	var azureError *azcore.ResponseError
	switch {
	case errors.As(err, &azureError): // its text is the whole answer, which may repeat what was signed
		text = fmt.Sprintf("HTTP %d: %s", azureError.StatusCode, cmp.Or(azureError.ErrorCode, http.StatusText(azureError.StatusCode)))
	case errors.As(err, &s3Error) && s3Error.ErrorMessage() != "":
		text = s3Error.ErrorCode() + ": " + s3Error.ErrorMessage()
	case errors.As(err, &response) && response.Response != nil:
		text = response.Err.Error()
		if response.HTTPStatusCode() != 0 {
			text = fmt.Sprintf("HTTP %d: %s", response.HTTPStatusCode(), text)
		}
	}
	text = parameters.ReplaceAllString(text, "?…")
	return strings.Join(strings.Fields(text), " ")
}
