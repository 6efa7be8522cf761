import { createHash } from 'node:crypto'
import { visibleLine } from '@/app/_lib/visible-text'
import type { DiffStatus } from '@/server/code/diff/schema'

/** Words for what happened to a file, for labels. */
export const statusWords: Record<DiffStatus, string> = {
  added: 'added',
  deleted: 'deleted',
  modified: 'modified',
  renamed: 'renamed',
  copied: 'copied',
  'type changed': 'type changed',
}

/** Returns a path for display. */
export const shownPath = visibleLine

/** Returns the `id` of a file's section, which is that of Gitea. Those of its lines end in `R12` or `L12`. */
export const fileAnchor = (path: string): string =>
  `diff-${createHash('sha1')
    .update(path.isWellFormed() ? path : visibleLine(path))
    .digest('hex')}`
