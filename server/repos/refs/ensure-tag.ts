import type { ActingCtx } from '@/server/kernel/ctx'
import { deleted, notFound } from '@/server/kernel/errors'
import { findObjects } from '@/server/kernel/git/objects'
import { isRefName } from '@/server/kernel/git/ref-name'
import { shortRef } from '@/server/kernel/git/ref-names'
import { nameShownAs } from '@/server/kernel/git/ref-text'
import { GitError } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { updateRefs } from '../push'
import { findRefs, repositoryPath } from '../storage'
import { findRepositoryById, type RepositoryRow } from '../store'
import { writeTagObject } from './annotated-tag'
import { tagNotAccepted } from './tag-name'

/** A tag that `ensureTag` creates if it does not exist. */
export interface WantedTag {
  /** A name that `checkTagName` accepts. */
  name: string
  /** The tag's target: a branch, another tag, or a commit ID that can be abbreviated. */
  target: string
  /** The message of an annotated tag. If it is empty, a lightweight tag is created. */
  message: string
}

/** The commit of a tag, and whether the tag was created by this call. */
export interface EnsuredTag {
  commit: string
  isNew: boolean
}

/**
 * Creates a tag if no tag with this name exists, and records this like a push by the caller. If the process
 * is killed, the recovery job records the change later.
 * @throws {DomainError} notFound if the target does not exist or the repository is deleted concurrently;
 * unprocessable if an existing tag conflicts with the name, such as `v1` with `v1/beta`; tooManyRequests if
 * Git is overloaded.
 */
export async function ensureTag(
  ctx: ActingCtx,
  repository: RepositoryRow,
  wanted: WantedTag,
): Promise<EnsuredTag> {
  try {
    return await ensure(ctx, repository, wanted)
  } catch (error) {
    if (!(error instanceof GitError) || (await findRepositoryById(ctx.db, repository.id))) throw error
    throw deleted('repository')
  }
}

async function ensure(ctx: ActingCtx, repository: RepositoryRow, wanted: WantedTag): Promise<EnsuredTag> {
  const directory = repositoryPath(ctx.config, repository.storage_key)
  return await withGitSlot(ctx, async () => {
    const { tagged, target } = await lookUp(directory, wanted)
    if (tagged) return { commit: tagged, isNew: false }
    if (await isShownAlike(directory, wanted.name)) throw tagNotAccepted(notText)
    if (!target) throw notFound('target not found', { field: 'target_commitish' })
    return await make(ctx, repository, { ...wanted, target })
  })
}

const notText = 'there is a tag whose name is not UTF-8 and is shown like this; use another name'

const isShownAlike = async (repository: string, name: string): Promise<boolean> =>
  nameShownAs(name) !== undefined && (await findRefs(repository, 'tags', [name])).size > 0

async function lookUp(
  repository: string,
  { name, target }: WantedTag,
): Promise<{ tagged: string | undefined; target: string | undefined }> {
  const short = shortRef(target)
  const names = isRefName(short) ? [`refs/heads/${short}`, `refs/tags/${short}`] : []
  if (/^[0-9a-f]{4,64}$/i.test(target)) names.push(target)
  const wanted = [`refs/tags/${name}^{}`, ...names.map(each => `${each}^{commit}`)]
  const [tagged, ...targets] = await findObjects(repository, wanted)
  return { tagged: tagged?.sha, target: targets.find(Boolean)?.sha }
}

async function make(ctx: ActingCtx, repository: RepositoryRow, wanted: WantedTag): Promise<EnsuredTag> {
  const { name, target, message } = wanted
  const directory = repositoryPath(ctx.config, repository.storage_key)
  try {
    const after = message ? await writeTagObject(ctx, directory, wanted) : target
    await updateRefs(ctx, repository, [
      { ref: `refs/tags/${name}`, before: '0'.repeat(target.length), after },
    ])
    return { commit: target, isNew: true }
  } catch (failure) {
    if (!(failure instanceof GitError)) throw failure
    // Another process created the tag first.
    const { tagged } = await lookUp(directory, wanted)
    if (tagged) return { commit: tagged, isNew: false }
    throw explain(failure, name)
  }
}

function explain(failure: GitError, name: string): Error {
  if (!/exists; cannot create/.test(failure.stderr)) return failure
  return tagNotAccepted(
    `Git cannot store the tag ${name} alongside an existing tag: one name is a parent directory of the other`,
    failure,
  )
}
