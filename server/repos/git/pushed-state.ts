import { eachRef } from '@/server/kernel/git/refs'
import type { RepositoryRow } from '../store'
import { repositoryPath, type StorageConfig } from './folders'
import { readHead } from './head'
import { isBranch, type RefUpdate } from './ref-update'
import { sizeKib } from './size'
import type { PushedState } from './store'

export interface Pushed {
  state: PushedState
  /** The branch that HEAD must be set to, when it leads to none. */
  newHead: string | undefined
}

/**
 * Looks at a repository after a push. The first branches decide which is the default one, if the one meant to be was
 * not among them: clones check it out, so it must exist.
 */
export async function pushedState(
  config: StorageConfig,
  row: RepositoryRow,
  updates: readonly RefUpdate[],
  now: Date,
): Promise<Pushed> {
  const repository = repositoryPath(config, row.storage_key)
  const isFirst = row.branch_count === 0
  const candidates = isFirst ? await headCandidates(repository, updates) : []
  const { refs, branches, present, first } = await survey(repository, new Set(candidates))
  const chosen = isFirst ? (candidates.find(ref => present.has(ref)) ?? first) : undefined
  const branch = chosen?.slice('refs/heads/'.length)
  const state = {
    size_kib: await sizeKib(repository),
    branch_count: branches,
    is_empty: refs === 0,
    default_branch: branch ?? row.default_branch,
    pushed_at: now,
    updated_at: now,
  }
  return { state, newHead: chosen === candidates[0] ? undefined : branch }
}

async function headCandidates(repository: string, updates: readonly RefUpdate[]): Promise<string[]> {
  const pushed = updates.map(update => update.ref).filter(isBranch)
  return [await readHead(repository), 'refs/heads/main', 'refs/heads/master', ...pushed]
}

interface Survey {
  refs: number
  branches: number
  /** Those of the refs sought that there are. */
  present: Set<string>
  first: string | undefined
}

async function survey(repository: string, sought: ReadonlySet<string>): Promise<Survey> {
  const found: Survey = { refs: 0, branches: 0, present: new Set(), first: undefined }
  await eachRef(repository, 'refs/', ({ ref }) => {
    found.refs++
    if (!isBranch(ref)) return
    found.branches++
    found.first ??= ref
    if (sought.has(ref)) found.present.add(ref)
  })
  return found
}
