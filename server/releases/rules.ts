import { alreadyExists, type DomainError, forbidden } from '@/server/kernel/errors'
import type { ReleasesFor } from './load'
import { maxTitleLength } from './schema'

/**
 * Checks that the releases of a repository can be changed.
 * @throws {DomainError} forbidden if the repository is archived.
 */
export function requireUnarchived({ repository }: Pick<ReleasesFor, 'repository'>): void {
  if (!repository.archived_at) return
  throw forbidden('This repository is archived. Unarchive it to change its releases.')
}

/**
 * Returns the error for a tag that already has a release. Existing clients expect this message, including its
 * typo.
 */
export const tagInUse = (tag: string, cause?: unknown): DomainError =>
  alreadyExists('Release is has no Tag', {
    field: 'tag_name',
    reason: { code: 'nameTaken', what: 'release', name: tag },
    cause,
  })

/** Removes line breaks from a release title and truncates it to the maximum length. */
export function shortTitle(text: string): string {
  const letters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
  return letters.length <= maxTitleLength
    ? letters.join('')
    : `${letters.slice(0, maxTitleLength - 1).join('')}…`
}
