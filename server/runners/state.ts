import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { RunnersTable } from '@/db/tables/runners'

type RunnerRow = Selectable<RunnersTable>
type Pause = Pick<RunnerRow, 'disabled_at' | 'resume_at'>

/** Whether a runner is paused and gets no jobs. The pause ends automatically at `resume_at`. */
export const isPaused = ({ disabled_at, resume_at }: Pause, now: Date): boolean =>
  disabled_at !== null && (resume_at === null || resume_at > now)

/** SQL condition with the meaning of `isPaused`. */
export const pausedAt = (now: Date): RawBuilder<SqlBool> =>
  sql<SqlBool>`(runners.disabled_at is not null and (runners.resume_at is null or runners.resume_at > ${now}))`

/** How long a runner counts as online after its last call, in milliseconds. */
export const onlineMs = 60_000
const activeMs = 10_000

type Contact = Pick<RunnerRow, 'last_online_at' | 'last_active_at'>

/** Whether a runner called within the last minute. */
export const isOnline = ({ last_online_at }: Pick<Contact, 'last_online_at'>, now: Date): boolean =>
  isWithin(last_online_at, onlineMs, now)

/** Whether a runner is online and reported about a job within the last ten seconds. */
export const isBusy = (runner: Contact, now: Date): boolean =>
  isOnline(runner, now) && isWithin(runner.last_active_at, activeMs, now)

const isWithin = (date: Date | null, ms: number, now: Date): boolean =>
  date !== null && now.getTime() - date.getTime() <= ms
