import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { GraphiQL } from 'graphiql';
import 'graphiql/style.css';
import './workers';
import './graphiql.css';
import { createFetcher, signOut } from './fetcher';
import { welcome } from './welcome';

function SignOut() {
  const [problem, setProblem] = useState('');
  const onClick = () => {
    setProblem('');
    signOut().catch((error: unknown) => {
      setProblem(error instanceof Error ? error.message : 'Signing out failed.');
    });
  };
  return (
    <>
      {problem !== '' && <span role="alert">{problem}</span>}
      <button type="button" className="sign-out" onClick={onClick}>
        Sign out
      </button>
    </>
  );
}

function App({ fetcher }: { fetcher: ReturnType<typeof createFetcher> }) {
  return (
    // The headers editor stays off: the session authenticates, and a token
    // typed there would be kept in the browser's storage.
    <GraphiQL fetcher={fetcher} defaultQuery={welcome} isHeadersEditorEnabled={false} showPersistHeadersSettings={false}>
      <GraphiQL.Logo>
        <span className="product">Afterimage</span>
        <SignOut />
      </GraphiQL.Logo>
    </GraphiQL>
  );
}

const container = document.getElementById('graphiql');
if (container === null) {
  throw new Error('graphiql/index.html has no element with the id "graphiql".');
}
createRoot(container).render(
  <StrictMode>
    <App fetcher={createFetcher()} />
  </StrictMode>,
);
