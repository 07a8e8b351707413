package capturecli

// Help follows the flags on the command's help page.
const Help = `Writes HOST-DEVICE.png, .manifest.json (how it was captured, and the console) and
.elements.json (elements, text and metadata) to the folder --out.

The exit code is 0 for every page that was captured, whatever its HTTP status; otherwise:
   1 local error: flags, browser, files      18 timeout          the page was not ready in time
  10 dns              host not found         19 too_large        page and files exceed the limit
  11 connect          no connection          20 not_html         not an HTML page
  12 tls              bad certificate        21 download         the response is a download
  13 no_tls           no TLS                 22 credentials      401: missing or rejected
  14 http_status      error without page     23 crashed          the page crashed the browser
  15 blocked_address  not a public network   24 browser          the browser itself failed
  16 invalid_address  not http or https      25 proxy            the upstream proxy failed
  17 redirect_loop    endless redirects      26 rate_limited     429: too many requests

Examples:
  afterimage capture example.com
  afterimage capture https://example.com/shop --device mobile --trace --out shots
  afterimage capture http://localhost:8080/ --allow-hosts localhost:8080 --css hide.css
  afterimage capture example.com --proxies proxies.txt --proxy static --proxy-country de
  AFTERIMAGE_PASSWORD=… afterimage capture https://staging.example.com --user preview
`
