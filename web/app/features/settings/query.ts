import { graphql } from '../../api/generated';
import type { SubaccountsQuery, TokensQuery, TagsQuery } from '../../api/generated/graphql';

export const AccountDocument = graphql(`
  query AccountSettings {
    account {
      id
      nameFirst
      nameLast
      company
      email
      timezone
      noiseProbes
      status
      planLabel
      checksLeft
      checksLimit
      renewalAt
    }
  }
`);

export const UpdateAccountDocument = graphql(`
  mutation UpdateAccount($input: UpdateAccountInput!) {
    updateAccount(input: $input) {
      account {
        id
        nameFirst
        nameLast
        company
        timezone
        noiseProbes
      }
    }
  }
`);

export const BrandDocument = graphql(`
  query Brand {
    brand {
      logo
      color
      name
      inherited
    }
  }
`);

export const UpdateBrandDocument = graphql(`
  mutation UpdateBrand($input: UpdateBrandInput!) {
    updateBrand(input: $input) {
      brand {
        color
      }
    }
  }
`);

export const ReactivateDocument = graphql(`
  mutation Reactivate {
    reactivateAccount {
      account {
        id
        status
      }
    }
  }
`);

export const PeopleDocument = graphql(`
  query People($search: String, $after: String) {
    users(first: 50, after: $after, filter: { search: $search }) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        name
        email
        role
        lastSeenAt
      }
    }
    sessions {
      id
      method
      userAgent
      current
      usedAt
    }
    passkeys {
      id
      name
      usedAt
    }
  }
`);

/** A query of its own: only owners may ask it. */
export const InvitationsDocument = graphql(`
  query Invitations($search: String, $after: String) {
    invitations(first: 50, after: $after, filter: { search: $search }) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        email
        role
        state
        expiresAt
      }
    }
  }
`);

export const InviteDocument = graphql(`
  mutation Invite($input: InviteUserInput!) {
    inviteUser(input: $input) {
      invitation {
        id
      }
    }
  }
`);

export const ResendDocument = graphql(`
  mutation ResendInvitation($id: ID!) {
    resendInvitation(id: $id) {
      invitation {
        id
        state
        expiresAt
      }
    }
  }
`);

export const RevokeInvitationDocument = graphql(`
  mutation RevokeInvitation($id: ID!) {
    revokeInvitation(id: $id) {
      invitation {
        id
        state
      }
    }
  }
`);

export const ChangeRoleDocument = graphql(`
  mutation ChangeRole($userId: ID!, $role: UserRole!) {
    changeRole(userId: $userId, role: $role) {
      user {
        id
        role
      }
    }
  }
`);

export const RemoveUserDocument = graphql(`
  mutation RemoveUser($id: ID!) {
    removeUser(id: $id) {
      removedUserId
    }
  }
`);

export const SignOutUserDocument = graphql(`
  mutation SignOutUser($userId: ID!) {
    signOutUser(userId: $userId) {
      endedCount
    }
  }
`);

export const EndSessionDocument = graphql(`
  mutation EndSession($id: ID!) {
    signOut(sessionId: $id) {
      sessionId
    }
  }
`);

export const DeletePasskeyDocument = graphql(`
  mutation DeletePasskey($id: ID!) {
    deletePasskey(id: $id) {
      deletedPasskeyId
    }
  }
`);

export const TokensDocument = graphql(`
  query Tokens($after: String) {
    tokens(first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        name
        prefix
        scopes
        expiresAt
        revokedAt
        lastUsedAt
        createdAt
      }
    }
  }
`);

export const CreateTokenDocument = graphql(`
  mutation CreateToken($input: CreateTokenInput!) {
    createToken(input: $input) {
      plainText
      token {
        id
        name
      }
    }
  }
`);

export const UpdateTokenDocument = graphql(`
  mutation UpdateToken($id: ID!, $input: UpdateTokenInput!) {
    updateToken(id: $id, input: $input) {
      token {
        id
        name
        expiresAt
      }
    }
  }
`);

export const RevokeTokenDocument = graphql(`
  mutation RevokeToken($id: ID!) {
    revokeToken(id: $id) {
      token {
        id
        revokedAt
      }
    }
  }
`);

export const SubaccountsDocument = graphql(`
  query Subaccounts($search: String, $after: String) {
    subaccounts(first: 50, after: $after, filter: { search: $search }) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        nameFirst
        nameLast
        email
        checksDone
        checksLimit
        status
      }
    }
  }
`);

export const CreateSubaccountDocument = graphql(`
  mutation CreateSubaccount($input: CreateSubaccountInput!) {
    createSubaccount(input: $input) {
      apiToken
      subaccount {
        id
      }
    }
  }
`);

export const UpdateSubaccountDocument = graphql(`
  mutation UpdateSubaccount($id: ID!, $input: UpdateSubaccountInput!) {
    updateSubaccount(id: $id, input: $input) {
      subaccount {
        id
        nameFirst
        nameLast
        email
        checksDone
        checksLimit
        status
      }
    }
  }
`);

export const DeleteSubaccountDocument = graphql(`
  mutation DeleteSubaccount($id: ID!) {
    deleteSubaccount(id: $id) {
      deletedSubaccountId
    }
  }
`);

export const UsageDocument = graphql(`
  query Usage($from: Date!, $to: Date!) {
    account {
      id
      checksDone
      checksLeft
      checksLimit
      series(from: $from, to: $to) {
        day
        captures
        comparisons
        changes
        falseAlarms
        runs
      }
    }
    accountStats {
      estimatedMonthlyChecks
      monitoring {
        urls
        websites
      }
      manual {
        urls
        checksPerRun
      }
    }
  }
`);

export const StorageDocument = graphql(`
  query Storage {
    account {
      id
      retention {
        days
        runs
        reviewed
      }
    }
    storage {
      bytes
      files
      limit
      measuredAt
      freed {
        day
        runs
        screenshots
        comparisons
        bytes
      }
    }
  }
`);

export const RetentionPreviewDocument = graphql(`
  query RetentionPreview($input: RetentionInput!) {
    retentionPreview(input: $input)
  }
`);

export const UpdateRetentionDocument = graphql(`
  mutation UpdateRetention($input: RetentionInput!) {
    updateRetention(input: $input) {
      account {
        id
        retention {
          days
          runs
          reviewed
        }
      }
    }
  }
`);

export const MailsDocument = graphql(`
  query Mails($after: String) {
    mails(first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        kind
        recipient
        subject
        text
        state
        problem
        createdAt
      }
    }
  }
`);

export const AuditDocument = graphql(`
  query Audit($after: String) {
    auditEntries(first: 50, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        action
        subjectType
        subjectId
        createdAt
        actor {
          kind
          name
        }
      }
    }
  }
`);

export const TagsDocument = graphql(`
  query Tags {
    tags {
      name
      urlsCount
    }
  }
`);

export const RenameTagDocument = graphql(`
  mutation RenameTag($name: String!, $newName: String!) {
    renameTag(name: $name, newName: $newName) {
      name
    }
  }
`);

export const DeleteTagDocument = graphql(`
  mutation DeleteTag($name: String!) {
    deleteTag(name: $name) {
      deletedTag
    }
  }
`);

export type Tag = TagsQuery['tags'][number];
export type Token = TokensQuery['tokens']['nodes'][number];
export type Subaccount = SubaccountsQuery['subaccounts']['nodes'][number];
