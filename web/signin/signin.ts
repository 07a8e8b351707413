// The sign-in page: exchanges an API token for a session cookie that scripts
// cannot read. Without JavaScript the form still posts to the same address.
import { startSignIn } from './page';

startSignIn(window.location);
