import type { Db } from '@/db/client'
import type { ActingCaller, AdminCaller, Caller, JobCaller, RunnerCaller, UserCaller } from './caller'
import type { Clock } from './clock'
import type { Config } from './config'
import type { Logger } from './log'
import type { LoginLimiter } from './login-limiter'
import type { OwnLocations } from './own-locations'
import type { ObjectStorage } from './storage/types'

/**
 * Process-wide services that are available to every operation, such as the database, object storage, and
 * logger.
 */
export interface SharedServices {
  db: Db
  storage: ObjectStorage
  ownLocations: OwnLocations
  config: Config
  clock: Clock
  log: Logger
  loginLimiter: LoginLimiter
}

/**
 * Context that every operation receives: the shared services, the caller, and data of the request or
 * background job.
 */
export interface ServiceCtx extends SharedServices {
  caller: Caller
  /** Id of the request, or the name of the job. */
  requestId: string
  /** IP address of the client, as trusted proxies report it; empty if unknown. */
  remoteAddress: string
  /** Returns a signal that is aborted when the client disconnects; absent if that cannot be detected. */
  disconnected?: (() => AbortSignal) | undefined
  /**
   * What was read for the page that is being rendered. Its parts call procedures of their own, which often
   * need the same. Absent outside of pages and of responses that are kept for others.
   */
  pageReads?: Map<string, Promise<unknown>> | undefined
  /** Says that the response shows less than a later one can, so that it is not kept for others. */
  noteIncomplete?: (() => void) | undefined
}

/** Context of a request whose caller has not been authenticated yet. */
export type AuthCtx = Omit<ServiceCtx, 'caller'>

/** Context for building API representations: the caller, and the site's base URL for links. */
export interface ViewCtx {
  caller: Caller
  config: Pick<Config, 'baseUrl'>
}

/** Context of operations that only a signed-in user can call. */
export interface UserCtx extends ServiceCtx {
  caller: UserCaller
}

/** Context of operations that users can call, and jobs with a permission. */
export interface ActingCtx extends ServiceCtx {
  caller: ActingCaller
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
