package capturecli

// Help follows the flags on the command's help page.
const Help = `Writes HOST-DEVICE.png, .manifest.json (how the picture came about, and the console)
and .elements.json (what is to be read on it) into the folder --out.

The exit code is 0 for every page that was captured, whatever its status; else it tells why:
   1 something here: flags, browser, files   18 timeout          the page was not ready in time
  10 dns              no such host           19 too_large        the page with all its files
  11 connect          no connection          20 not_html         another kind of file
  12 tls              bad certificate        21 download         not shown but downloaded
  13 no_tls           no secure connection   22 credentials      401: none, or not accepted
  14 http_status      an error and no page   23 crashed          the page crashed the browser
  15 blocked_address  not a public network   24 browser          the browser failed by itself
  16 invalid_address  not http or https      25 proxy            the upstream proxy failed
  17 redirect_loop    redirects for ever     26 rate_limited     429: too many requests

Examples:
  afterimage capture example.com
  afterimage capture https://example.com/shop --device mobile --trace --out shots
  afterimage capture http://localhost:8080/ --allow-hosts localhost:8080 --css hide.css
  afterimage capture example.com --proxies proxies.txt --proxy static --proxy-country de
  AFTERIMAGE_PASSWORD=… afterimage capture https://staging.example.com --user preview
`
