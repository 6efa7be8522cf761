import type { Db } from '@/db/client'
import type { LoginLimiter } from './auth/login-limiter'
import type { Caller, UserCaller } from './caller'
import type { Clock } from './clock'
import type { Config } from './config'
import type { Logger } from './log'

/** What every verb is handed: no globals below this line. */
export interface ServiceCtx {
  db: Db
  caller: Caller
  config: Config
  clock: Clock
  log: Logger
  loginLimiter: LoginLimiter
  requestId: string
  /** Of the client, behind trusted proxies; empty when the host does not tell. */
  remoteAddress: string
  /** Aborted when nobody waits for the answer any more; absent where that is not told. */
  gone?: (() => AbortSignal) | undefined
}

/** The same for verbs that only a signed-in person can call. */
export interface UserCtx extends ServiceCtx {
  caller: UserCaller
}
