import { alreadyExists, type DomainError, forbidden } from '@/server/kernel/errors'
import type { ReleasesFor } from './load'
import { maxTitleLength } from './schema'

/** @throws {DomainError} forbidden: what is archived stays as it is, and gets no tag. */
export function requireUnarchived({ repository }: Pick<ReleasesFor, 'repository'>): void {
  if (!repository.archived_at) return
  throw forbidden('This repository is archived: its releases stay as they are until it is unarchived.')
}

/** In the words that clients know. */
export const tagTaken = (tag: string, cause?: unknown): DomainError =>
  alreadyExists('Release is has no Tag', {
    field: 'tag_name',
    reason: { code: 'nameTaken', what: 'release', name: tag },
    cause,
  })

/** A title on one line, cut where it is too long. */
export function shortTitle(text: string): string {
  const letters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
  return letters.length <= maxTitleLength
    ? letters.join('')
    : `${letters.slice(0, maxTitleLength - 1).join('')}…`
}
