import { createContext, useContext } from 'react';

import { graphql } from '../api/generated';
import type { Permission, ViewerQuery } from '../api/generated/graphql';

export const ViewerDocument = graphql(`
  query Viewer {
    viewer {
      permissions
      tokenId
      user {
        id
        name
        email
        role
      }
      account {
        id
        nameFirst
        nameLast
        email
        timezone
        status
        checksLeft
        checksLimit
        planFeatures {
          aiVerification
          browserConsole
        }
      }
    }
  }
`);

export type Viewer = ViewerQuery['viewer'];

export const ViewerContext = createContext<Viewer | undefined>(undefined);

/** Who uses the dashboard, and of which account. */
export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (viewer === undefined) {
    throw new Error('useViewer is used outside of ViewerGate.');
  }
  return viewer;
}

/** Whether the viewer may do something. The server decides; this hides what it would refuse. */
export function useMay(permission: Permission): boolean {
  return useViewer().permissions.includes(permission);
}

/** The id under which the viewer writes and decides: of the user, or of the API token that signed in. */
export function useOwnId(): string | null {
  const { user, tokenId } = useViewer();
  return user?.id ?? tokenId;
}
