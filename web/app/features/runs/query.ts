import { graphql } from '../../api/generated';
import type { RunHeaderFragment, RunListQuery } from '../../api/generated/graphql';

export const RunListDocument = graphql(`
  query RunList($first: Int!, $after: String, $filter: BatchFilter) {
    batches(first: $first, after: $after, filter: $filter) {
      nodes {
        ...RunSummary
        unseenCount
        groupNames
        websiteDomains
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export type ListedRun = RunListQuery['batches']['nodes'][number];

/** What stands above every view of a run. */
export const RunHeader = graphql(`
  fragment RunHeader on Batch {
    ...RunSummary
    updatedAt
    unpairedCount
    unseenCount
    failedFlowRuns {
      id
      device
      failure
      flow {
        id
        name
      }
    }
    groupNames
    aiSummary {
      summary
      overallStatus
    }
    comparedWith {
      id
      name
    }
    publicLink {
      url
      permission
      expiresAt
    }
  }
`);

export type RunHead = RunHeaderFragment;

export const RunEntriesDocument = graphql(`
  query RunEntries($id: ID!, $statuses: [QueueStatus!], $page: Int!) {
    batch(id: $id) {
      id
      ...RunHeader
      queueEntries(page: $page, perPage: 100, filter: { statuses: $statuses }) {
        totalCount
        nodes {
          id
          urlLink
          htmlTitle
          device
          scType
          status
          reason
          errorMsg
          notice
          confirmation
          imageLink
          updatedAt
        }
      }
    }
  }
`);

/** Open entries whose site may refuse requests: when a whole site does, all of its entries wait. */
export const RunRefusalsDocument = graphql(`
  query RunRefusals($id: ID!) {
    batch(id: $id) {
      id
      queueEntries(perPage: 100, filter: { statuses: [OPEN] }) {
        nodes {
          id
          urlLink
          refusal {
            wholeSite
            status
            since
            nextAttemptAt
          }
        }
      }
    }
  }
`);

export const RunVerdictDocument = graphql(`
  query RunVerdict($id: ID!) {
    batchGate(id: $id) {
      decision
      reasons {
        kind
        sentence
        comparisonIds
        folded {
          kind
        }
      }
      culprit {
        name
        fromVersion
        toVersion
      }
    }
  }
`);

export const CancelRun = graphql(`
  mutation CancelRun($id: ID!) {
    cancelBatch(id: $id) {
      batch {
        ...RunHeader
      }
    }
  }
`);

export const RetryFailed = graphql(`
  mutation RetryFailed($id: ID!, $repeatChanges: Boolean!) {
    retryFailed(id: $id, repeatChanges: $repeatChanges) {
      count
      heldBack
      batch {
        ...RunHeader
      }
    }
  }
`);

export const ShareRun = graphql(`
  mutation ShareRun($id: ID!, $expiresAt: DateTime, $permission: LinkPermission!) {
    shareBatch(id: $id, expiresAt: $expiresAt, permission: $permission) {
      batch {
        id
        publicLink {
          url
          permission
          expiresAt
        }
      }
    }
  }
`);

export const UnshareRun = graphql(`
  mutation UnshareRun($id: ID!) {
    unshareBatch(id: $id) {
      batch {
        id
        publicLink {
          url
          permission
          expiresAt
        }
      }
    }
  }
`);

export const RenameRun = graphql(`
  mutation RenameRun($id: ID!, $name: String!) {
    renameBatch(id: $id, name: $name) {
      batch {
        id
        name
      }
    }
  }
`);

export const DeleteRun = graphql(`
  mutation DeleteRun($id: ID!) {
    deleteBatch(id: $id) {
      deletedBatchId
    }
  }
`);
