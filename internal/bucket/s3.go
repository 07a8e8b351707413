package bucket

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// connections is how many idle ones are kept to a server.
const connections = 64

// openS3 opens a bucket of AWS, or of the server at an endpoint. Such servers know their buckets by path rather than by
// host name, unless path_style=false says otherwise, and many know nothing of regions.
func openS3(ctx context.Context, name string, parameters url.Values) (remote, error) {
	loading := []func(*config.LoadOptions) error{
		config.WithRetryer(func() aws.Retryer { return aws.NopRetryer{} }), // we repeat calls ourselves
		config.WithHTTPClient(awshttp.NewBuildableClient().WithTransportOptions(boundedTransport)),
		// What AWS began to add to requests in 2025 is refused by other servers; we compare sums ourselves.
		config.WithRequestChecksumCalculation(aws.RequestChecksumCalculationWhenRequired),
		config.WithResponseChecksumValidation(aws.ResponseChecksumValidationWhenRequired),
	}
	if profile := parameters.Get("profile"); profile != "" {
		loading = append(loading, config.WithSharedConfigProfile(profile))
	}
	endpoint := parameters.Get("endpoint")
	if err := checkEndpoint(endpoint); err != nil {
		return nil, final{err}
	}
	if region := parameters.Get("region"); region != "" {
		loading = append(loading, config.WithRegion(region))
	} else if endpoint != "" {
		loading = append(loading, config.WithDefaultRegion("us-east-1"))
	}
	configured, err := config.LoadDefaultConfig(ctx, loading...)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of AWS: %w", err)
	}
	if configured.Region == "" {
		return nil, final{fmt.Errorf("its region is not known: give it as ?region= in the URL, or set AWS_REGION")}
	}
	pathStyle := endpoint != ""
	if given := parameters.Get("path_style"); given != "" {
		if pathStyle, err = strconv.ParseBool(given); err != nil {
			return nil, final{fmt.Errorf("path_style must be true or false")}
		}
	}
	client := s3.NewFromConfig(configured, func(o *s3.Options) {
		o.UsePathStyle = pathStyle
		if endpoint != "" {
			o.BaseEndpoint = &endpoint
		}
	})
	return &s3Bucket{client: client, name: name, encryption: parameters.Get("ssetype"), encryptionKey: parameters.Get("kmskeyid")}, nil
}

func checkEndpoint(endpoint string) error {
	if endpoint == "" {
		return nil
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return fmt.Errorf("endpoint must be the address of the S3 server, for example https://s3.example.com")
	}
	return nil
}

func boundedTransport(t *http.Transport) {
	t.DialContext = (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	t.TLSHandshakeTimeout = 5 * time.Second
	t.MaxIdleConns, t.MaxIdleConnsPerHost = connections, connections
	t.IdleConnTimeout = 30 * time.Second
}
