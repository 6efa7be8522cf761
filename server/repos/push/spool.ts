import { mkdir, readdir, readFile, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { originOf } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory, syncPath } from '@/server/kernel/fs/fsync'
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
  /** For a push by a deploy key: the key's row ID in the repository, and its title at that time. */
  deployKey: z.object({ id: z.number(), title: z.string() }).optional(),
  remoteAddress: z.string(),
  requestId: z.string(),
  /** For a push by a job. */
  byJob: z
    .object({ jobId: z.number(), runId: z.number(), runNumber: z.number(), workflow: z.string() })
    .optional(),
  /** The former and the new name of a branch that the push renames. */
  renamed: z.object({ from: z.string(), to: z.string() }).optional(),
  startedAt: z.coerce.date(),
})

/**
 * The metadata of a push, stored on disk so that another process can record the push if the process that
 * received it ends.
 */
export type PushNote = z.output<typeof PushNote>

const heartbeatMs = 15_000

/** A push in progress. */
export interface Push {
  note: PushNote
  /** The spool directory to which the Git hooks write. */
  directory: string
  /** Stops the heartbeat, so that recovery can take over the push. */
  release(): void
}

/**
 * Writes a push's spool entry, the files on disk that describe the push until it is recorded, with fsync
 * before Git receives the push. They include the ref updates if these are known already. Updates the entry's heartbeat
 * until `release` is called.
 */
export async function beginPush(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  { renamed, updates }: { renamed?: PushNote['renamed']; updates?: readonly RefUpdate[] } = {},
): Promise<Push> {
  // Installed for each push, because Git silently skips a missing hook and the push would not be recorded.
  await installPushHooks(ctx.config)
  const { caller } = ctx
  const note: PushNote = {
    key: newStorageKey(),
    repositoryId: repository.id,
    ...originOf(ctx),
    deployKey:
      caller.kind === 'deployKey' ? await findDeployKey(ctx.db, repository.id, caller.keyId) : undefined,
    renamed,
    startedAt: ctx.clock.now(),
  }
  const directory = pushPath(ctx.config, note.key)
  const path = join(directory, 'push.json')
  await makeDirectory(dirname(directory))
  await mkdir(directory, { mode: 0o700 })
  const files = [path, ...(updates ? [join(directory, 'wanted')] : [])]
  await Promise.all([
    writeFile(path, JSON.stringify(note)),
    updates && writeFile(join(directory, 'wanted'), wantedText(updates)),
  ])
  // Synced to disk, as Git syncs its changes, so that the entry still exists after a power failure. All at once takes
  // hardly more time than one.
  await Promise.all([...files, directory, dirname(directory)].map(syncPath))
  const heartbeat = setInterval(() => {
    const now = ctx.clock.now()
    utimes(path, now, now).catch(error =>
      ctx.log.warn({ err: error, path }, 'could not update the heartbeat of a push'),
    )
  }, heartbeatMs)
  heartbeat.unref()
  return { note, directory, release: () => clearInterval(heartbeat) }
}

// In the input format of Git's pre-receive hook.
const wantedText = (updates: readonly RefUpdate[]): Buffer =>
  Buffer.concat(updates.map(({ before, after, ref }) => bytesForGit(`${before} ${after} ${ref}\n`)))

/**
 * The known outcome of a push: `done` contains the completed ref updates; `wanted` contains the requested
 * ones if it is unknown which of them were completed; undefined if none were completed.
 */
export type Outcome = { done: RefUpdate[] } | { wanted: RefUpdate[] } | undefined

/**
 * Reads the outcome of a push that the Git hooks wrote to its spool directory. `ended` means that Git exited
 * by itself, so that no refs were changed if the hooks wrote no outcome.
 */
export async function readOutcome(directory: string, { ended }: { ended: boolean }): Promise<Outcome> {
  const read = (name: string) => readFile(join(directory, name)).catch(undefinedIfAbsent)
  const done = await read('done')
  if (done !== undefined) return { done: parseUpdates(done) }
  const wanted = (await read('unsure')) ?? (ended ? undefined : await read('wanted'))
  return wanted === undefined ? undefined : { wanted: parseUpdates(wanted) }
}

/** Reads the metadata of a push from its spool directory; undefined if it is missing or malformed. */
export async function readNote(directory: string): Promise<PushNote | undefined> {
  const text = await readFile(join(directory, 'push.json'), 'utf8').catch(undefinedIfAbsent)
  try {
    return PushNote.parse(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}

/**
 * Returns the time of the push's last heartbeat, or of the last file written by a Git hook if that is later.
 */
export async function lastSeen(directory: string): Promise<Date> {
  const files = [join(directory, 'push.json'), join(directory, 'wanted'), join(directory, 'done')]
  const facts = await Promise.all([directory, ...files].map(path => stat(path).catch(undefinedIfAbsent)))
  return new Date(Math.max(0, ...facts.map(fact => fact?.mtimeMs ?? 0)))
}

/** The number of failed attempts to record a push, and the time of the last one. */
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

/** Stores the number of failed attempts to record a push in the push's spool directory. */
export async function noteFailure(directory: string, times: number): Promise<void> {
  await writeFile(join(directory, 'failing'), String(times)).catch(undefinedIfAbsent)
}

export async function forgetPush(config: StorageConfig, key: string): Promise<void> {
  const directory = pushPath(config, key)
  // It contains only files, so this takes a third of the time that a recursive removal takes.
  const names = await readdir(directory).catch(undefinedIfAbsent)
  if (!names) return
  await Promise.all(names.map(name => rm(join(directory, name), { force: true })))
  // Another process can be recovering the push.
  await rmdir(directory).catch(() => rm(directory, { recursive: true, force: true }))
}
