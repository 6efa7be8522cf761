import type { Account } from './account'
import { forbidden } from './errors'
import type { JobPermissions } from './job-permissions'
import type { Scope } from './scopes'

/** How a user authenticated. Permissions can depend on it, for example on the scopes of an access token. */
export type Credential =
  | { kind: 'session'; sessionId: number }
  | {
      kind: 'password'
      /** Hash that distinguishes the password from later ones; absent if no password was entered. */
      stamp?: string
    }
  | {
      kind: 'token'
      tokenId: number
      scopes: readonly Scope[]
      /** Null if the token does not expire. */
      expiresAt: Date | null
      fromBasic: boolean
    }
  | {
      kind: 'sshKey'
      /** Id of the key with which the person signed in. */
      keyId: number
    }

export interface Anonymous {
  kind: 'anonymous'
}

export interface UserCaller {
  kind: 'user'
  user: Account
  credential: Credential
  /** The administrator who acts as this user. */
  actor?: Account
}

declare const administrator: unique symbol

/** A site administrator. Only `requireAdmin` creates values of this type. */
export type AdminCaller = UserCaller & { readonly [administrator]: true }

/**
 * The application itself, as the caller of background jobs and startup tasks. The access rules grant it no
 * permissions.
 */
export interface SystemCaller {
  kind: 'system'
  job: string
}

/**
 * A workflow job that authenticates with its token. In its own repository, it can do what its permissions and
 * the access of the person who caused the run both allow; everywhere else, it has the access that everyone has.
 */
export interface JobCaller {
  kind: 'job'
  repositoryId: number
  runId: number
  /** The attempt that the job was created for. */
  attempt: number
  jobId: number
  /** The execution of the job that the token was issued for. */
  taskId: number
  /** The run's number in its repository, and the name of its workflow. */
  run: { number: number; workflow: string }
  /** What the workflow and the settings allow the token to do in the job's own repository. */
  permissions: JobPermissions
  /**
   * The person who caused the run, or the owner of a repository whose schedule did. Null if no person's access
   * limits the token.
   */
  actor: Account | null
}

/** A caller who can change repositories: a user, or a job by its permissions. */
export type ActingCaller = UserCaller | JobCaller

/**
 * A workflow runner that authenticates with the secret from its registration. It does not act on behalf of a
 * user and can access only the tasks assigned to it.
 */
export interface RunnerCaller {
  kind: 'runner'
  runnerId: number
  /** The account that the runner belongs to; null for a runner of a repository or of the site. */
  ownerId: number | null
  repositoryId: number | null
}

/**
 * An SSH client that authenticates with a deploy key. It does not act on behalf of a user and can access only
 * the code of the key's repositories.
 */
export interface DeployKeyCaller {
  kind: 'deployKey'
  /** Id of the key itself, which can grant access to several repositories. */
  keyId: number
  /** Time at which the key was looked up; only grants that are unexpired at that time count. */
  asOf: Date
}

export type Caller = Anonymous | UserCaller | SystemCaller | JobCaller | RunnerCaller | DeployKeyCaller

export const anonymous: Anonymous = { kind: 'anonymous' }

/** Returns the account of a signed-in user, or undefined for every other kind of caller. */
export function signedInUser(caller: Caller): Account | undefined {
  switch (caller.kind) {
    case 'user':
      return caller.user
    case 'anonymous':
    case 'system':
    case 'job':
    case 'runner':
    case 'deployKey':
      return undefined
  }
}

/** Returns the account on whose behalf a caller changes something; null if there is none. */
export function actingAccount(caller: ActingCaller): Account | null {
  return caller.kind === 'user' ? caller.user : caller.actor
}

/** Returns the IDs of the accounts that the records of what the caller does refer to. */
export function involvedAccounts(caller: Caller): number[] {
  if (caller.kind === 'user') return [caller.user.id, caller.actor?.id ?? caller.user.id]
  return caller.kind === 'job' && caller.actor ? [caller.actor.id] : []
}

/**
 * Returns whether the caller is an unauthenticated client. Background jobs, workflow jobs, runners, and
 * deploy keys are not users, but they are not anonymous either.
 */
export function isAnonymous(caller: Caller): caller is Anonymous {
  return caller.kind === 'anonymous'
}

export function isAdmin(caller: Caller): boolean {
  return signedInUser(caller)?.is_admin ?? false
}

/**
 * Returns the caller as a site administrator.
 * @throws {DomainError} forbidden if the caller is not a site administrator.
 */
export function requireAdmin(caller: UserCaller): AdminCaller {
  if (!isAdmin(caller)) throw forbidden('user should be the site admin')
  return caller as AdminCaller
}

/** Returns whether the caller is the user with this ID. */
export function isSelf(caller: Caller, userId: number | null): boolean {
  return userId !== null && signedInUser(caller)?.id === userId
}
