import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { originOf } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory, syncPath, writeFileSynced } from '@/server/kernel/fs/fsync'
import { bytesForGit } from '@/server/kernel/git/ref-text'
import { newStorageKey, pushPath, type StorageConfig } from '../storage/paths'
import type { RepositoryRow } from '../store'
import { installPushHooks } from './git-hooks'
import { parseUpdates, type RefUpdate } from './ref-update'
import { findDeployKey } from './store'

const PushNote = z.object({
  key: z.string(),
  repositoryId: z.number(),
  actorId: z.number().nullable(),
  /** Of a push by a deploy key: its row for the repository, and the title it had. */
  deployKey: z.object({ id: z.number(), title: z.string() }).optional(),
  remoteAddress: z.string(),
  requestId: z.string(),
  startedAt: z.coerce.date(),
})

/** The facts of a push, enough to record it when the process that took it has ended. */
export type PushNote = z.output<typeof PushNote>

const heartbeatMs = 15_000

/** A push under way. */
export interface Push {
  note: PushNote
  /** Where the hooks note what happens. */
  directory: string
  /** Ends the heartbeat, so that recovery may take the push over. */
  release(): void
}

/** Notes a push in the spool, synced, before git hears of it, and keeps a heartbeat until it is released. */
export async function beginPush(ctx: ServiceCtx, repository: RepositoryRow): Promise<Push> {
  // Each time: git skips a missing hook silently, and the push would not be recorded.
  await installPushHooks(ctx.config)
  const { caller } = ctx
  const note: PushNote = {
    key: newStorageKey(),
    repositoryId: repository.id,
    ...originOf(ctx),
    deployKey:
      caller.kind === 'deployKey' ? await findDeployKey(ctx.db, repository.id, caller.keyId) : undefined,
    startedAt: ctx.clock.now(),
  }
  const directory = pushPath(ctx.config, note.key)
  const path = join(directory, 'push.json')
  await makeDirectory(directory)
  // Through to the disk, like all that git is about to do: after a power failure this tells of it.
  await writeFileSynced(path, JSON.stringify(note))
  await syncPath(directory)
  const heartbeat = setInterval(() => {
    const now = ctx.clock.now()
    utimes(path, now, now).catch(error => ctx.log.warn({ err: error, path }, 'a push is not kept alive'))
  }, heartbeatMs)
  heartbeat.unref()
  return { note, directory, release: () => clearInterval(heartbeat) }
}

/** Notes what is about to be done, through to the disk, as the hook of a push does. */
export async function noteWanted({ directory }: Push, updates: readonly RefUpdate[]): Promise<void> {
  const lines = updates.map(({ before, after, ref }) => bytesForGit(`${before} ${after} ${ref}\n`))
  await writeFileSynced(join(directory, 'wanted'), Buffer.concat(lines))
  await syncPath(directory)
}

/** What is known of a push's outcome: what was done, or only what was asked for; undefined when nothing was done. */
export type Outcome = { done: RefUpdate[] } | { wanted: RefUpdate[] } | undefined

/** Reads what the hooks noted. `ended`: git came to its end by itself, so that without a note nothing was done. */
export async function readOutcome(directory: string, { ended }: { ended: boolean }): Promise<Outcome> {
  const read = (name: string) => readFile(join(directory, name)).catch(undefinedIfAbsent)
  const done = await read('done')
  if (done !== undefined) return { done: parseUpdates(done) }
  const wanted = (await read('unsure')) ?? (ended ? undefined : await read('wanted'))
  return wanted === undefined ? undefined : { wanted: parseUpdates(wanted) }
}

/** Reads the note of a push that was left behind; undefined when there is none that can be read. */
export async function readNote(directory: string): Promise<PushNote | undefined> {
  const text = await readFile(join(directory, 'push.json'), 'utf8').catch(undefinedIfAbsent)
  try {
    return PushNote.parse(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}

/** When the push last had a heartbeat, or git last noted something. */
export async function lastSeen(directory: string): Promise<Date> {
  const files = [join(directory, 'push.json'), join(directory, 'wanted'), join(directory, 'done')]
  const facts = await Promise.all([directory, ...files].map(path => stat(path).catch(undefinedIfAbsent)))
  return new Date(Math.max(0, ...facts.map(fact => fact?.mtimeMs ?? 0)))
}

/** How often a push could not be recorded, and when last. */
export interface Failures {
  times: number
  last: Date
}

export async function readFailures(directory: string): Promise<Failures> {
  const path = join(directory, 'failing')
  const [text, facts] = await Promise.all([
    readFile(path, 'utf8').catch(undefinedIfAbsent),
    stat(path).catch(undefinedIfAbsent),
  ])
  if (text === undefined || !facts) return { times: 0, last: new Date(0) }
  return { times: Number(text) || 1, last: facts.mtime }
}

/** Notes how often a push could not be recorded. */
export async function noteFailure(directory: string, times: number): Promise<void> {
  await writeFile(join(directory, 'failing'), String(times)).catch(undefinedIfAbsent)
}

export async function forgetPush(config: StorageConfig, key: string): Promise<void> {
  await rm(pushPath(config, key), { recursive: true, force: true })
}
