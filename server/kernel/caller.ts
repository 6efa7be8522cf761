import type { Account } from './auth/account'
import type { Scope } from './auth/scopes'

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

export type Caller = Anonymous | UserCaller

export const anonymous: Anonymous = { kind: 'anonymous' }

export function isAdmin(caller: Caller): boolean {
  return caller.kind === 'user' && caller.user.is_admin
}

export function isSelf(caller: Caller, userId: number | null): boolean {
  return caller.kind === 'user' && caller.user.id === userId
}
