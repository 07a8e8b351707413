import { graphql } from '../../api/generated';
import type { RunChangesQuery, RunPagesQuery } from '../../api/generated/graphql';

export const RunChangesDocument = graphql(`
  query RunChanges($id: ID!) {
    batch(id: $id) {
      id
      ...RunHeader
      changes(first: 100) {
        totalCount
        nodes {
          fingerprint
          kind
          description
          category
          comparisonsCount
          desktopCount
          mobileCount
          openCount
          verdict {
            status
            reviewer {
              kind
              name
            }
          }
          example {
            comparison {
              id
              address
              device
              before {
                id
                link
                width
                height
              }
              after {
                id
                link
                width
                height
              }
            }
            finding {
              category
              reason
              element {
                selector
              }
              boxBefore {
                ...Box
              }
              boxAfter {
                ...Box
              }
            }
          }
        }
      }
      unexplained: comparisons(first: 50, filter: { statuses: [NEW] }) {
        totalCount
        nodes {
          id
          status
          address
          device
          previewLink
          explained
          truncated
          pageAlarm
          alarmReason
          unlistedFindings
        }
      }
    }
  }

  fragment Box on Bbox {
    x
    y
    w
    h
  }
`);

export const RunPagesDocument = graphql(`
  query RunPages($id: ID!, $page: Int!, $filter: ComparisonFilter) {
    batch(id: $id) {
      id
      ...RunHeader
      comparisons(page: $page, perPage: 60, filter: $filter, orderBy: JUDGED_PERCENT) {
        totalCount
        nodes {
          ...PageCard
        }
      }
    }
  }

  fragment PageCard on Comparison {
    id
    status
    address
    htmlTitle
    device
    previewLink
    differencePercent
    alignedPercent
    measure
    aboveThreshold
    pageAlarm
    truncated
    explained
    browserConsoleChange
    unseen
  }
`);

/** Judges a change wherever it occurs in a run; the server knows what was accepted before, by whomever. */
export const JudgeChange = graphql(`
  mutation JudgeChange($batchId: ID!, $fingerprint: String!, $status: ComparisonStatus!) {
    setStatusOfChange(batchId: $batchId, fingerprint: $fingerprint, status: $status) {
      changedCount
      reviewId
      stillOpenCount
      stillOpen {
        comparisonId
        reasons
        otherChangesCount
        otherChanges
      }
      batches {
        id
        ...RunSummary
      }
    }
  }
`);

/** Sets the verdict on all comparisons that a filter finds. */
export const JudgeFound = graphql(`
  mutation JudgeFound($filter: ComparisonFilter!, $status: ComparisonStatus!) {
    setStatusOfComparisons(filter: $filter, status: $status, limit: 5000) {
      matchedCount
      changedCount
      reviewId
      stillOpenCount
      stillOpen {
        comparisonId
        reasons
        otherChangesCount
        otherChanges
      }
      batches {
        id
        ...RunSummary
      }
    }
  }
`);

export const JudgeComparisons = graphql(`
  mutation JudgeComparisons($ids: [ID!]!, $status: ComparisonStatus!) {
    setComparisonStatuses(ids: $ids, status: $status) {
      changedCount
      changedIds
      reviewId
      batches {
        id
        ...RunSummary
      }
    }
  }
`);

export const ReopenComparisons = graphql(`
  mutation ReopenComparisons($ids: [ID!]!) {
    reopenComparisons(ids: $ids) {
      changedCount
      changedIds
      reviewId
      batches {
        id
        ...RunSummary
      }
    }
  }
`);

export const UndoReview = graphql(`
  mutation UndoReview($id: ID!) {
    undoReview(id: $id) {
      changedCount
      changedSinceCount
      changedIds
      reviewId
      batches {
        id
        ...RunSummary
      }
    }
  }
`);

type Batch = NonNullable<RunChangesQuery['batch']>;
export type RunChange = Batch['changes']['nodes'][number];
export type OpenComparison = Batch['unexplained']['nodes'][number];
export type PageOfRun = NonNullable<RunPagesQuery['batch']>['comparisons']['nodes'][number];
