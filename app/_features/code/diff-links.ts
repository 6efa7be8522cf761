import { codePath } from '@/app/_lib/paths'
import type { DiffFile } from '@/server/code/diff/schema'
import type { ShownRevision } from '@/server/code/pages/schema'
import { type DiffChoice, hrefOf } from './diff-options'

interface Around {
  repository: { full_name: string }
  /** Path of the page with the diff. */
  base: string
  choice: DiffChoice
  head: Pick<ShownRevision, 'kind' | 'name'>
}

/** Returns the links of the files in a diff. */
export const diffLinks = ({ repository, base, choice, head }: Around) => ({
  file: ({ status, path, isSubmodule }: DiffFile): string | undefined =>
    status === 'deleted' || isSubmodule || !path.isWellFormed()
      ? undefined
      : codePath(repository, 'src', head, path),
  alone: ({ path, oldPath }: DiffFile): string | undefined =>
    path.isWellFormed() ? hrefOf(base, choice, oldPath ? [oldPath, path] : [path]) : undefined,
})
