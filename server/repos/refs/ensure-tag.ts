import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, notFound } from '@/server/kernel/errors'
import { personLine } from '@/server/kernel/git/commit'
import { durableConfig } from '@/server/kernel/git/environment'
import { findObjects } from '@/server/kernel/git/objects'
import { isRefName } from '@/server/kernel/git/ref-name'
import { nameShownAs } from '@/server/kernel/git/ref-text'
import { GitError, runGit } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { updateRefs } from '../push'
import { signatureOf } from '../signature'
import { findRefs, repositoryPath } from '../storage'
import { findRepositoryById, type RepositoryRow } from '../store'
import { tagNotAccepted } from './tag-name'

/** A tag that is to be there. */
export interface WantedTag {
  /** As `checkTagName` allows it. */
  name: string
  /** What it is made from: a branch, another tag or a commit, which may be cut short. */
  target: string
  /** Makes it an annotated one, unless it is empty. */
  message: string
}

/** The commit of a tag, and whether it was made for this. */
export interface EnsuredTag {
  commit: string
  isNew: boolean
}

/**
 * Makes a tag where there is none of its name. It is recorded as its push would be: noted before git is asked, so that whoever
 * looks after what a killed process left records it once.
 * @throws {DomainError} notFound when there is nothing to make it from, or the repository is deleted concurrently;
 * unprocessable when a tag is in the way whose name begins with this one and a slash, or the other way round;
 * tooManyRequests when git is overloaded.
 */
export async function ensureTag(
  ctx: UserCtx,
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

async function ensure(ctx: UserCtx, repository: RepositoryRow, wanted: WantedTag): Promise<EnsuredTag> {
  const directory = repositoryPath(ctx.config, repository.storage_key)
  return await withGitSlot(ctx, async () => {
    const { tagged, target } = await lookUp(directory, wanted)
    if (tagged) return { commit: tagged, isNew: false }
    if (await isShownAlike(directory, wanted.name)) throw tagNotAccepted(notText)
    if (!target) throw notFound('target not found', { field: 'target_commitish' })
    return await make(ctx, repository, { ...wanted, target })
  })
}

const notText = 'there is a tag whose name is no text and is shown like this; use another name'

const isShownAlike = async (repository: string, name: string): Promise<boolean> =>
  nameShownAs(name) !== undefined && (await findRefs(repository, 'tags', [name])).size > 0

async function lookUp(
  repository: string,
  { name, target }: WantedTag,
): Promise<{ tagged: string | undefined; target: string | undefined }> {
  const short = target.replace(/^refs\/(heads|tags)\//, '')
  const names = isRefName(short) ? [`refs/heads/${short}`, `refs/tags/${short}`] : []
  if (/^[0-9a-f]{4,64}$/i.test(target)) names.push(target)
  const wanted = [`refs/tags/${name}^{}`, ...names.map(each => `${each}^{commit}`)]
  const [tagged, ...targets] = await findObjects(repository, wanted)
  return { tagged: tagged?.sha, target: targets.find(Boolean)?.sha }
}

async function make(ctx: UserCtx, repository: RepositoryRow, wanted: WantedTag): Promise<EnsuredTag> {
  const { name, target, message } = wanted
  const directory = repositoryPath(ctx.config, repository.storage_key)
  try {
    const after = message ? await annotate(ctx, directory, wanted) : target
    await updateRefs(ctx, repository, [
      { ref: `refs/tags/${name}`, before: '0'.repeat(target.length), after },
    ])
    return { commit: target, isNew: true }
  } catch (failure) {
    if (!(failure instanceof GitError)) throw failure
    // Somebody else was first.
    const { tagged } = await lookUp(directory, wanted)
    if (tagged) return { commit: tagged, isNew: false }
    throw explain(failure, name)
  }
}

async function annotate(
  ctx: UserCtx,
  repository: string,
  { name, target, message }: WantedTag,
): Promise<string> {
  const lines = [`object ${target}`, 'type commit', `tag ${name}`, `tagger ${personLine(signatureOf(ctx))}`]
  const input = `${lines.join('\n')}\n\n${message.trimEnd()}\n`
  const args = ['hash-object', '-w', '-t', 'tag', '--stdin']
  return (await runGit(args, { repository, settings: durableConfig, input })).trim()
}

function explain(failure: GitError, name: string): Error {
  if (!/exists; cannot create/.test(failure.stderr)) return failure
  return tagNotAccepted(
    `git cannot keep the tag ${name} beside one that it has: one name is the beginning of the other`,
    failure,
  )
}
