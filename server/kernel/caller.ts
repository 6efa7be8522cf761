import type { Account } from './account'
import { forbidden } from './errors'
import type { Scope } from './scopes'

/** How a person proved who they are; what they may do can depend on it. */
export type Credential =
  | { kind: 'session'; sessionId: number }
  | {
      kind: 'password'
      /** Tells the password from any later one; absent where nobody typed one. */
      stamp?: string
    }
  | {
      kind: 'token'
      tokenId: number
      scopes: readonly Scope[]
      /** Null when it does not expire. */
      expiresAt: Date | null
      fromBasic: boolean
    }
  | {
      kind: 'sshKey'
      /** Of the key that they signed in with. */
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

/** A site administrator; `requireAdmin` alone makes one. */
export type AdminCaller = UserCaller & { readonly [administrator]: true }

/** The program at work by itself, in the background or at its start. No rule gives it anything. */
export interface SystemCaller {
  kind: 'system'
  job: string
}

/** A job of a workflow, by the token that it runs with. It acts for no person; the rules give it what they give everybody. */
export interface JobCaller {
  kind: 'job'
  repositoryId: number
  runId: number
  /** The attempt that the job was created for. */
  attempt: number
  jobId: number
  /** The execution of the job that the token was made for. */
  taskId: number
}

/** A program that runs jobs, by the secret of its registration. It acts for no person and reaches nothing but its own tasks. */
export interface RunnerCaller {
  kind: 'runner'
  runnerId: number
  /** The account that it belongs to; null for a runner of a repository or of the whole site. */
  ownerId: number | null
  repositoryId: number | null
}

/** A program that signs in over SSH with a key of repositories. It acts for no person and reaches nothing but their code. */
export interface DeployKeyCaller {
  kind: 'deployKey'
  /** Of the key itself, which may open several repositories. */
  keyId: number
  /** When it was looked up, which decides what it still opens. */
  asOf: Date
}

export type Caller = Anonymous | UserCaller | SystemCaller | JobCaller | RunnerCaller | DeployKeyCaller

export const anonymous: Anonymous = { kind: 'anonymous' }

/** The account of the person who calls; undefined for everybody and everything else. */
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

/** Tells whether the caller sent no credentials: the program itself, and a job with its token, are no person but known. */
export function isAnonymous(caller: Caller): caller is Anonymous {
  return caller.kind === 'anonymous'
}

export function isAdmin(caller: Caller): boolean {
  return signedInUser(caller)?.is_admin ?? false
}

/**
 * Returns the caller as the site administrator that they are.
 * @throws {DomainError} forbidden for everybody else.
 */
export function requireAdmin(caller: UserCaller): AdminCaller {
  if (!isAdmin(caller)) throw forbidden('user should be the site admin')
  return caller as AdminCaller
}

/** Tells whether the caller is this person. */
export function isSelf(caller: Caller, userId: number | null): boolean {
  return userId !== null && signedInUser(caller)?.id === userId
}
