import type { ActingCtx } from '@/server/kernel/ctx'
import { alreadyExists, notFound } from '@/server/kernel/errors'
import { findCommitish } from '@/server/kernel/git/revision'
import type { RepositoryFor } from '../load'
import type { writeCode } from '../policy'
import type { RepoPath } from '../schema'
import { findRefs } from '../storage'
import { writeTagObject } from './annotated-tag'
import { changeRefs } from './change'
import { getTag } from './list'
import type { CreateTagOption, Tag } from './schema'
import { checkTagName } from './tag-name'

/**
 * Creates a tag at a branch, tag, or commit, by default the default branch, and records this like a push by the caller.
 * With a message, it is an annotated tag by the caller.
 * @throws {DomainError} unprocessable for a name that is not allowed; notFound if the repository is empty or the target
 * does not exist; alreadyExists if a tag has the name; also the errors of `changeRefs`.
 */
export async function createTag(
  ctx: ActingCtx,
  { repository: { id } }: RepositoryFor<typeof writeCode>,
  input: CreateTagOption & RepoPath,
): Promise<Tag> {
  const name = input.tag_name
  checkTagName(name)
  await changeRefs(ctx, id, async ({ repository }, git) => {
    const from = input.target || repository.default_branch
    const target = repository.is_empty ? undefined : (await findCommitish(git, from))?.commit
    if (!target) throw notFound(`no branch, tag, or commit is named "${from}"`, { field: 'target' })
    if ((await findRefs(git, 'tags', [name])).size > 0) {
      throw alreadyExists(`a tag named "${name}" already exists`, { field: 'tag_name' })
    }
    const message = input.message.trim()
    const after = message ? await writeTagObject(ctx, git, { name, target, message }) : target
    return {
      updates: [{ ref: `refs/tags/${name}`, before: '0'.repeat(target.length), after }],
      result: undefined,
    }
  })
  return await getTag(ctx, { ...input, tag: name })
}
