import type { Db } from '@/db/client'
import type { AdminCaller, Caller, JobCaller, RunnerCaller, UserCaller } from './caller'
import type { Clock } from './clock'
import type { Config } from './config'
import type { Logger } from './log'
import type { LoginLimiter } from './login-limiter'
import type { OwnLocations } from './own-locations'
import type { ObjectStorage } from './storage/types'

/** The services of the process that verbs may use. */
export interface SharedServices {
  db: Db
  storage: ObjectStorage
  ownLocations: OwnLocations
  config: Config
  clock: Clock
  log: Logger
  loginLimiter: LoginLimiter
}

/** What every verb is handed. */
export interface ServiceCtx extends SharedServices {
  caller: Caller
  /** Of the request, or the name of the job. */
  requestId: string
  /** The client's, as trusted proxies report it; empty where it is unknown. */
  remoteAddress: string
  /** Gives a signal that is aborted when nobody waits for the answer anymore; absent where that is unknown. */
  disconnected?: (() => AbortSignal) | undefined
}

/** The context of a call whose caller is not established yet. */
export type AuthCtx = Omit<ServiceCtx, 'caller'>

/** What shaping an answer takes: who looks, and the address that its links begin with. */
export interface ViewCtx {
  caller: Caller
  config: Pick<Config, 'baseUrl'>
}

/** The context of verbs that only a signed-in person can call. */
export interface UserCtx extends ServiceCtx {
  caller: UserCaller
}

/** The context of verbs that only a site administrator can call. */
export interface AdminCtx extends UserCtx {
  caller: AdminCaller
}

/** The context of verbs that a job of a workflow calls with its token. */
export interface JobCtx extends ServiceCtx {
  caller: JobCaller
}

/** The context of verbs that a runner calls. */
export interface RunnerCtx extends ServiceCtx {
  caller: RunnerCaller
}
