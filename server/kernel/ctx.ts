import type { Db } from '@/db/client'
import type { AdminCaller, Caller, JobCaller, RunnerCaller, UserCaller } from './caller'
import type { Clock } from './clock'
import type { Config } from './config'
import type { Logger } from './log'
import type { LoginLimiter } from './login-limiter'
import type { OwnLocations } from './own-locations'
import type { ObjectStorage } from './storage/types'

/** Services of the process that are available to every operation. */
export interface SharedServices {
  db: Db
  storage: ObjectStorage
  ownLocations: OwnLocations
  config: Config
  clock: Clock
  log: Logger
  loginLimiter: LoginLimiter
}

/** Context that every operation receives. */
export interface ServiceCtx extends SharedServices {
  caller: Caller
  /** Id of the request, or the name of the job. */
  requestId: string
  /** IP address of the client, as trusted proxies report it; empty if unknown. */
  remoteAddress: string
  /** Returns a signal that is aborted when the client disconnects; absent if that cannot be detected. */
  disconnected?: (() => AbortSignal) | undefined
}

/** The context of a call whose caller is not established yet. */
export type AuthCtx = Omit<ServiceCtx, 'caller'>

/** Context for building API representations: the caller and the origin of links. */
export interface ViewCtx {
  caller: Caller
  config: Pick<Config, 'baseUrl'>
}

/** Context of operations that only a signed-in user can call. */
export interface UserCtx extends ServiceCtx {
  caller: UserCaller
}

/** Context of operations that only a site administrator can call. */
export interface AdminCtx extends UserCtx {
  caller: AdminCaller
}

/** Context of operations that a workflow job calls with its token. */
export interface JobCtx extends ServiceCtx {
  caller: JobCaller
}

/** Context of operations that a runner calls. */
export interface RunnerCtx extends ServiceCtx {
  caller: RunnerCaller
}
