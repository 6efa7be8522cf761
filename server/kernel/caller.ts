import type { Account } from './account'
import { forbidden } from './errors'
import type { Scope } from './scopes'

/** How a person proved their identity. Their permissions can depend on it. */
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

/** The program itself, when it runs a background job or starts up. No access rule grants it anything. */
export interface SystemCaller {
  kind: 'system'
  job: string
}

/**
 * A workflow job that authenticates with its token. It acts for no person, so the access rules grant it what
 * they grant everyone.
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
}

/**
 * A runner that authenticates with the secret from its registration. It acts for no person and can only access
 * its own tasks.
 */
export interface RunnerCaller {
  kind: 'runner'
  runnerId: number
  /** The account that the runner belongs to; null for a runner of a repository or of the site. */
  ownerId: number | null
  repositoryId: number | null
}

/**
 * A program that signs in over SSH with a deploy key. It acts for no person and can only access the code of
 * the key's repositories.
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

/**
 * Returns whether the caller sent no credentials. The program itself and a workflow job are not users, but
 * they are not anonymous either.
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
