import { unprocessable } from '@/server/kernel/errors'

export const maxNameLength = 100
export const nameLetters = /^[\w.-]+$/
export const nameLettersRule = 'Use only letters, digits, "-", "_" and ".".'

const reserved = new Set(['.', '..', '-'])
// They stand for views of a repository in its address.
const reservedEndings = ['.wiki', '.git', '.rss', '.atom']

/**
 * Refuses names that have a meaning of their own in addresses. The schema checks the letters.
 * @throws {DomainError} unprocessable.
 */
export function checkRepositoryName(name: string): void {
  const lower = name.toLowerCase()
  if (reserved.has(lower)) {
    throw unprocessable(`name is reserved [name: ${name}]`, {
      field: 'name',
      reason: { code: 'nameReserved', name },
    })
  }
  const ending = reservedEndings.find(suffix => lower.endsWith(suffix))
  if (ending) {
    throw unprocessable(`name pattern is not allowed [pattern: *${ending}]`, {
      field: 'name',
      reason: { code: 'endingReserved', ending },
    })
  }
}
