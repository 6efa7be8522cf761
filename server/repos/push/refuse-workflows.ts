import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runGit } from '@/server/kernel/git/run'
import { workflowFolders } from '../workflow-folders'
import { isAbsent, isBranch, parseUpdates, type RefUpdate } from './ref-update'

/** A push that Git has received but not accepted: its objects are not part of the repository yet. */
export interface Received {
  /** The spool directory of the push. */
  spool: string
  /** The bare repository, and its default branch. */
  repository: string
  defaultBranch: string
  /** The directory with the objects that arrived; empty if none did. */
  quarantine: string
}

/**
 * Returns the reason to reject a push by a job, which must not change the workflows that run later: a new commit
 * changes a file in a workflow folder, or a branch would get other workflows than it and the default branch
 * have. Returns undefined if the push changes none.
 */
export async function refusedWorkflowChange(push: Received): Promise<string | undefined> {
  const wanted = parseUpdates(await readFile(join(push.spool, 'wanted'))).filter(
    ({ after }) => !isAbsent(after),
  )
  if (wanted.length === 0) return undefined
  const changes = (await hasNewChange(push, wanted)) || (await movesBranch(push, wanted))
  return changes ? refusal : undefined
}

const refusal = `Nothing was changed: a job token cannot change files in ${workflowFolders.join(' or ')}. Push them with a credential of a person.`

// Merges are followed to every parent, because a change can be hidden by the side that a merge keeps.
async function hasNewChange(push: Received, wanted: readonly RefUpdate[]): Promise<boolean> {
  const args = [
    'rev-list',
    '--full-history',
    '--max-count=1',
    '--stdin',
    '--not',
    '--all',
    '--',
    ...workflowFolders,
  ]
  const input = wanted.map(({ after }) => `${after}\n`).join('')
  return (await runGit(args, { ...settingsOf(push), input })).trim() !== ''
}

async function movesBranch(push: Received, wanted: readonly RefUpdate[]): Promise<boolean> {
  const moved = wanted.filter(({ ref, before }) => isBranch(ref) && !isAbsent(before))
  if (moved.length === 0) return false
  const revisions = [
    `refs/heads/${push.defaultBranch}`,
    ...moved.flatMap(({ before, after }) => [before, after]),
  ]
  const folders = await readFolders(push, revisions)
  const [ofDefault, ...pairs] = revisions.map(revision => folders.get(revision))
  return moved.some((_, index) => {
    const [before, after] = [pairs[2 * index], pairs[2 * index + 1]]
    return after !== before && after !== ofDefault
  })
}

/** Reads what the workflow folders contain in each revision, as one text that is equal for equal contents. */
async function readFolders(push: Received, revisions: readonly string[]): Promise<Map<string, string>> {
  const distinct = [...new Set(revisions)]
  const names = distinct.flatMap(revision => workflowFolders.map(folder => `${revision}:${folder}`))
  const args = ['cat-file', '--batch-check=%(objectname)']
  const lines = (await runGit(args, { ...settingsOf(push), input: `${names.join('\n')}\n` })).split('\n')
  const size = workflowFolders.length
  return new Map(
    distinct.map((revision, index) => {
      const found = lines.slice(index * size, (index + 1) * size)
      return [revision, found.map(line => (/^[0-9a-f]+$/.test(line) ? line : '')).join()]
    }),
  )
}

const settingsOf = ({ repository, quarantine }: Received) => ({
  repository,
  ...(quarantine && { environment: { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(quarantine) } }),
})

// Git reads the variable as a list that is separated by colons, unless an entry is quoted.
const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&')}"`
