import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { findObjects } from '@/server/kernel/git/objects'
import { shownName } from '@/server/kernel/git/ref-text'
import type { RepoPath } from '@/server/repos/schema'
import { withCode } from '../context'
import { eachListed } from '../tree/list-tree'

const maxPaths = 50_000
const maxCharacters = 8 * 1024 * 1024

/**
 * Lists the paths of the files of a commit, at most 50,000, for finding a file by its name.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function listPaths(
  ctx: ServiceCtx,
  input: RepoPath & { commit: string },
): Promise<{ paths: string[]; isWhole: boolean }> {
  return await withCode(ctx, input, async code => {
    const [header] = await findObjects(code.git, [input.commit])
    if (header?.type !== 'commit') throw notFound()
    const paths: string[] = []
    let left = maxCharacters
    let isWhole = true
    const signal = ctx.disconnected?.()
    await eachListed(code.git, input.commit, { withTrees: false, signal }, ({ name }) => {
      left -= name.length
      isWhole &&= paths.length < maxPaths && left >= 0
      if (isWhole) paths.push(shownName(name))
    })
    return { paths, isWhole }
  })
}
