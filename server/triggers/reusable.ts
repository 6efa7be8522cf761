import type { Db } from '@/db/client'
import type { Call } from '@/db/tables/workflow-templates'
import { accessLevelOf, type OpenCall, type ReadWorkflow, selectCalled } from '@/server/actions'
import { findAccountByName } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError, unprocessable } from '@/server/kernel/errors'
import { readObjects } from '@/server/kernel/git/objects'
import { oneRef } from '@/server/kernel/git/refs'
import { withGitSlot } from '@/server/kernel/git/slots'
import { findRepositoryByName, loadRepository, type RepositoryRow, selectRepositories } from '@/server/repos'
import { repositoryPath } from '@/server/repos/storage'
import { selectAccounts } from '@/server/users'
import { maxFileBytes } from './files'

/** Maximum number of workflows that call each other, including the first one; as on GitHub. */
export const maxCallDepth = 10
/** Maximum number of different reusable workflows of a run, and of their characters together. */
export const maxCalledFiles = 50
export const maxCalledLength = 4 * 1024 * 1024

/**
 * Reads the reusable workflow that a job calls, from the commit of the calling file or from the named ref.
 * @throws {DomainError} unprocessable with the position of the call, if it is malformed, not allowed, or there
 * is no such workflow, or if calls form a circle or exceed a limit; tooManyRequests if Git is overloaded.
 */
export async function readReusable(ctx: ServiceCtx, open: OpenCall): Promise<ReadWorkflow> {
  const { job, all, size } = open
  const call: Pick<Call, 'uses' | 'at'> = job.call ?? { uses: '' }
  const refuse = (message: string) => unprocessable(call.at ? `${call.at}: ${message}` : message)
  const pinned = job.call?.pinned
  if (pinned !== undefined) {
    const found = (await selectCalled(ctx.db, [pinned])).get(pinned)
    if (found) return withoutKeys(found)
  }
  const from = await callingFile(ctx.db, open)
  const asked = parseUses(call.uses, ctx.config.baseUrl, from)
  if (typeof asked === 'string') throw refuse(asked)
  const target = await findTarget(ctx, open, asked)
  if (typeof target === 'string') throw refuse(target)
  const read = await readFile(ctx, target, asked)
  if (typeof read === 'string') throw refuse(read)
  const { sha, document } = read
  const own = { source_repository_id: target.id, path: asked.path, sha }
  const isSame = (one: typeof own) =>
    one.source_repository_id === own.source_repository_id && one.path === own.path && one.sha === own.sha
  const first = {
    source_repository_id: open.run.repository_id,
    path: open.run.workflow_path,
    sha: open.run.sha,
  }
  const above = [...open.callers, first]
  if (above.some(isSame)) throw refuse(`The workflow ${asked.path} calls itself, directly or indirectly.`)
  if (above.length >= maxCallDepth) throw refuse(`At most ${maxCallDepth} workflows can call each other.`)
  const others = all.filter(one => !isSame(one))
  const files = new Set(others.map(one => JSON.stringify([one.source_repository_id, one.path, one.sha])))
  if (files.size >= maxCalledFiles) throw refuse(`A run can call at most ${maxCalledFiles} workflows.`)
  if (size + document.length > maxCalledLength)
    throw refuse('The workflows that the run calls are longer than 4 MiB in total.')
  return { ...own, source: asked.source, ref: asked.ref ?? sha, document }
}

const withoutKeys = ({
  source_repository_id,
  source,
  path,
  ref,
  sha,
  document,
}: ReadWorkflow): ReadWorkflow => ({
  source_repository_id,
  source,
  path,
  ref,
  sha,
  document,
})

/** Repository and commit of the file that says the call. */
interface CallingFile {
  repositoryId: number
  source: string
  sha: string
}

async function callingFile(db: Db, { run, callers }: OpenCall): Promise<CallingFile> {
  const [nearest] = callers
  if (nearest) return { repositoryId: nearest.source_repository_id, source: nearest.source, sha: nearest.sha }
  const repository = (await selectRepositories(db, [run.repository_id])).get(run.repository_id)
  const owner = repository && (await selectAccounts(db, [repository.owner_id])).get(repository.owner_id)
  return {
    repositoryId: run.repository_id,
    source: `${owner?.name ?? ''}/${repository?.name ?? ''}`,
    sha: run.sha,
  }
}

/** Reusable workflow that a call names. */
interface Asked {
  /** Full name of the repository. */
  source: string
  path: string
  /** Commit, tag or branch; absent for the commit of the calling file. */
  ref?: string
  from: CallingFile
}

const filePath = /^\.(gitea|github)\/workflows\/[^/\p{Cc}:]+\.ya?ml$/u
const refName = /^(?![-/])[^\s~^:?*[\\\p{Cc}]{1,255}$/u

function parseUses(uses: string, baseUrl: string, from: CallingFile): Asked | string {
  const forms = 'Use ./.gitea/workflows/file.yml or owner/repository/.gitea/workflows/file.yml@ref.'
  if (uses.startsWith('./')) {
    const path = uses.slice(2)
    if (path.includes('@'))
      return `The reusable workflow '${uses}' is of the same commit and cannot have a ref. ${forms}`
    return filePath.test(path)
      ? { source: from.source, path, from }
      : `'${uses}' names no reusable workflow. ${forms}`
  }
  const local = uses.startsWith(`${baseUrl}/`) ? uses.slice(baseUrl.length + 1) : uses
  if (/^[a-z]+:\/\//i.test(local)) return `The reusable workflow '${uses}' is on another site. ${forms}`
  const [, source, path, ref] = /^([^/@]+\/[^/@]+)\/([^@]+)@(.+)$/s.exec(local) ?? []
  if (!source || !path || !ref || !filePath.test(path) || !refName.test(ref) || ref.startsWith('refs/'))
    return `'${uses}' names no reusable workflow. ${forms}`
  return { source, path, ref, from }
}

// Everybody may call public workflows. A private repository shares its own only by a setting, and only with
// private repositories of its owner, so that its workflows do not become public. Those who cannot see a
// repository learn nothing about it, even if they push to another one of its owner.
async function findTarget(
  ctx: ServiceCtx,
  { run }: OpenCall,
  { source, from, ref }: Asked,
): Promise<RepositoryRow | string> {
  const known = await selectRepositories(ctx.db, [run.repository_id, from.repositoryId])
  const own = known.get(run.repository_id)
  const target =
    ref === undefined ? known.get(from.repositoryId) : await findRepositoryBySource(ctx.db, source)
  if (target && own && (target.id === own.id || (await isShared(ctx, target, own)))) return target
  return `There is no repository ${source}, or it does not share its workflows with this one. The owner can set access_level in actions/permissions/access.`
}

async function findRepositoryBySource(db: Db, source: string): Promise<RepositoryRow | undefined> {
  const [owner = '', repo = ''] = source.split('/')
  const account = await findAccountByName(db, owner)
  return account && (await findRepositoryByName(db, account.id, repo))
}

async function isShared(ctx: ServiceCtx, target: RepositoryRow, own: RepositoryRow): Promise<boolean> {
  if (await isPublic(ctx, target)) return true
  if (!own.is_private || own.owner_id !== target.owner_id) return false
  return (await accessLevelOf(ctx.db, target.id)) !== 'none'
}

async function isPublic(ctx: ServiceCtx, { owner_id, name: repo }: RepositoryRow): Promise<boolean> {
  const owner = (await selectAccounts(ctx.db, [owner_id])).get(owner_id)?.name ?? ''
  try {
    // The system has only public access.
    await loadRepository(ctx, { owner, repo }, { unit: 'repo.code', mode: 'read' })
    return true
  } catch (error) {
    if (isDomainError(error)) return false
    throw error
  }
}

async function readFile(
  ctx: ServiceCtx,
  { storage_key }: RepositoryRow,
  { source, path, ref, from }: Asked,
): Promise<{ sha: string; document: string } | string> {
  const repository = repositoryPath(ctx.config, storage_key)
  return await withGitSlot(ctx, async () => {
    const id = ref === undefined ? from.sha : await commitOf(repository, ref)
    const [commit, file] = id
      ? await readObjects(repository, [`${id}^{commit}`, `${id}:${path}`], maxFileBytes)
      : []
    if (!id && ref === undefined)
      return 'The run has no commit. Name the repository and a ref: owner/repository/.gitea/workflows/file.yml@ref.'
    if (!commit) return `There is no commit, tag or branch ${ref ?? id} in ${source}.`
    if (file?.type !== 'blob') return `There is no workflow ${path} at ${ref ?? commit.sha.slice(0, 10)}.`
    // The beginning of a file can be a valid workflow, too.
    if (!file.isWhole) return `The workflow ${path} has more than ${maxFileBytes / 1024} KiB.`
    return { sha: commit.sha, document: file.text.toString('utf8').replaceAll('\0', '') }
  })
}

async function commitOf(repository: string, ref: string): Promise<string | undefined> {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)) return ref
  for (const folder of ['tags', 'heads']) {
    const found = await oneRef(repository, `refs/${folder}/${ref}`)
    if (found) return found.id
  }
  return undefined
}
