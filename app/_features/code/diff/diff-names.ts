import { createHash } from 'node:crypto'
import { visibleLine } from '@/app/_lib/visible-text'

/** Returns a path for display. */
export const shownPath = visibleLine

/** Returns the `id` of a file's section, which is that of Gitea. Those of its lines end in `R12` or `L12`. */
export const fileAnchor = (path: string): string =>
  `diff-${createHash('sha1')
    .update(path.isWellFormed() ? path : visibleLine(path))
    .digest('hex')}`
