import { isRefName } from '@/server/kernel/git/ref-name'
import { eachRef } from '@/server/kernel/git/refs'
import { readHead } from '../storage/head'
import { repositoryPath, type StorageConfig } from '../storage/paths'
import { sizeKib } from '../storage/size'
import type { RepositoryRow } from '../store'
import { isBranch, isTag, type RefUpdate } from './ref-update'
import type { PushedState } from './store'

export interface Pushed {
  state: PushedState
  /** The branch that HEAD must be set to, when it leads to another. */
  newHead: string | undefined
}

/**
 * Looks at a repository after a push. Clones check out what HEAD leads to, which is the default branch: when there is
 * none of that name, those pushed decide, and HEAD follows the row again where a crash came between the two.
 */
export async function pushedState(
  config: StorageConfig,
  row: RepositoryRow,
  updates: readonly RefUpdate[],
  now: Date,
): Promise<Pushed> {
  const repository = repositoryPath(config, row.storage_key)
  const head = await readHead(repository)
  const pushed = updates.map(update => update.ref).filter(mayBeHead)
  const usual = ['main', 'master'].map(name => branchPrefix + name)
  const candidates = [branchPrefix + row.default_branch, head, ...usual, ...pushed]
  const { refs, branches, tags, present, first } = await survey(repository, new Set(candidates))
  const chosen = candidates.find(ref => present.has(ref)) ?? first
  const branch = chosen?.slice(branchPrefix.length)
  const state = {
    size_kib: await sizeKib(repository),
    branch_count: branches,
    tag_count: tags,
    is_empty: refs === 0,
    default_branch: branch ?? row.default_branch,
    pushed_at: now,
    updated_at: now,
  }
  return { state, newHead: chosen === head ? undefined : branch }
}

const branchPrefix = 'refs/heads/'

// Git takes more names than can be asked for without being misread. Bytes that are no text were replaced when read.
function mayBeHead(ref: string): boolean {
  return isBranch(ref) && isRefName(ref.slice(branchPrefix.length)) && !ref.includes('\uFFFD')
}

interface Survey {
  refs: number
  branches: number
  tags: number
  /** Those of the refs sought that there are. */
  present: Set<string>
  /** The first branch that HEAD may lead to. */
  first: string | undefined
}

async function survey(repository: string, sought: ReadonlySet<string>): Promise<Survey> {
  const found: Survey = { refs: 0, branches: 0, tags: 0, present: new Set(), first: undefined }
  await eachRef(repository, 'refs/', ({ ref }) => {
    found.refs++
    if (isTag(ref)) found.tags++
    if (!isBranch(ref)) return
    found.branches++
    if (!found.first && mayBeHead(ref)) found.first = ref
    if (sought.has(ref)) found.present.add(ref)
  })
  return found
}
