import type { ServiceCtx } from '@/server/kernel/ctx'
import { invalid, notFound } from '@/server/kernel/errors'
import { findObjects, readObjects } from '@/server/kernel/git/objects'
import { isObjectId } from '@/server/kernel/git/ref-names'
import { shownName } from '@/server/kernel/git/ref-text'
import { eachRef, type Ref } from '@/server/kernel/git/refs'
import { parseTag } from '@/server/kernel/git/tag'
import { viewVerification } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { viewPerson } from './commits/view'
import { type ReadableCode, withCode } from './context'
import { readLfsPointer } from './lfs-pointer'
import { linksOf } from './links'
import type { AnnotatedTag, GitBlob, GitRef } from './schema'
import { readBlob } from './tree/blob'

type ObjectInput = RepoPath & { sha: string }

const maxContentBytes = 10 * 1024 * 1024

/**
 * Returns a blob by its ID.
 * @throws {DomainError} invalid if there is no such blob; moved after a rename; forbidden without read access
 * to the code.
 */
export async function getBlob(ctx: ServiceCtx, input: ObjectInput): Promise<GitBlob> {
  const unknown = () => invalid(`there is no blob with the ID "${input.sha}"`)
  const read = async (code: ReadableCode): Promise<GitBlob> => {
    const [header] = isObjectId(input.sha) ? await findObjects(code.git, [input.sha]) : []
    if (header?.type !== 'blob') throw unknown()
    const { sha, size } = header
    const about = { url: linksOf(ctx, code).api(`git/blobs/${sha}`), sha, size }
    if (size > maxContentBytes) return { ...about, content: null, encoding: null }
    const content = await readBlob(code.git, header)
    const pointer = readLfsPointer(content)
    return {
      ...about,
      content: content.toString('base64'),
      encoding: 'base64',
      ...(pointer && { lfs_oid: pointer.oid, lfs_size: pointer.size }),
    }
  }
  return await withCode(ctx, input, read, unknown)
}

/**
 * Returns an annotated tag by the ID of its object.
 * @throws {DomainError} invalid if there is no such object; moved after a rename; forbidden without read access
 * to the code.
 */
export async function getAnnotatedTag(ctx: ServiceCtx, input: ObjectInput): Promise<AnnotatedTag> {
  const unknown = () => invalid(`there is no annotated tag with the ID "${input.sha}"`)
  const read = async (code: ReadableCode): Promise<AnnotatedTag> => {
    const [object] = isObjectId(input.sha) ? await readObjects(code.git, [input.sha]) : []
    if (object?.type !== 'tag') throw unknown()
    const tag = parseTag(object)
    const links = linksOf(ctx, code)
    return {
      tag: tag.name,
      sha: tag.sha,
      url: links.api(`git/tags/${tag.sha}`),
      message: tag.message,
      tagger: viewPerson(tag.tagger),
      object: {
        type: tag.targetType,
        url: links.api(`git/${tag.targetType}s/${tag.target}`),
        sha: tag.target,
      },
      verification: viewVerification(
        tag.signature === undefined ? undefined : { signature: tag.signature, payload: '' },
      ),
    }
  }
  return await withCode(ctx, input, read, unknown)
}

const maxRefs = 10_000

/**
 * Lists the branches and tags whose full name, without `refs/`, begins with a text, at most 10,000.
 * @throws {DomainError} notFound if there is none; moved after a rename; forbidden without read access to the
 * code.
 */
export async function listGitRefs(ctx: ServiceCtx, input: RepoPath & { ref?: string }): Promise<GitRef[]> {
  return await withCode(ctx, input, async code => {
    const refs = await refsFrom(code, `refs/${input.ref ?? ''}`)
    if (refs.length === 0) throw notFound(`no ref begins with "${input.ref ?? 'refs/'}"`)
    const objects = await findObjects(
      code.git,
      refs.map(({ id }) => id),
    )
    const links = linksOf(ctx, code)
    return refs.map(({ ref, id }, index) => {
      const type = objects[index]?.type ?? 'commit'
      const name = shownName(ref)
      return {
        ref: name,
        url: links.api(`git/${name.split('/').map(encodeURIComponent).join('/')}`),
        object: { type, sha: id, url: links.api(`git/${type}s/${id}`) },
      }
    })
  })
}

async function refsFrom({ git }: ReadableCode, prefix: string): Promise<Ref[]> {
  const refs: Ref[] = []
  await eachRef(git, ['refs/heads/', 'refs/tags/'], ref => {
    if (shownName(ref.ref).startsWith(prefix) && refs.length < maxRefs) refs.push(ref)
  })
  return refs
}
