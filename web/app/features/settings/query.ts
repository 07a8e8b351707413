import { graphql } from '../../api/generated';

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
  query People($own: Boolean!) {
    users(first: 100) {
      nodes {
        id
        name
        email
        role
        lastSeenAt
      }
    }
    invitations(first: 100) @include(if: $own) {
      nodes {
        id
        email
        role
        state
        expiresAt
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
  query Tokens {
    tokens(first: 100) {
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
  query Subaccounts {
    subaccounts(first: 100) {
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

export const MailsDocument = graphql(`
  query Mails {
    mails(first: 50) {
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
  query Audit {
    auditEntries(first: 100) {
      nodes {
        id
        action
        subjectType
        createdAt
        actor {
          kind
          name
        }
      }
    }
  }
`);
