import { unprocessable } from '@/server/kernel/errors'

export const maxNameLength = 100
export const nameLetters = /^[\w.-]+$/
export const nameLettersRule = 'Use only letters, numbers, "-", "_", and ".".'

const reserved = new Set(['.', '..', '-'])
// These endings select views of a repository in its URL.
const reservedEndings = ['.wiki', '.git', '.rss', '.atom']

/**
 * Rejects repository names that are reserved in URLs. The schema checks the allowed characters.
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
