import { invalid } from '@/server/kernel/errors'

const maxLength = 255
// Characters that the stock client rejects, and control characters.
const forbidden = /["<>|*?:\\/\p{Cc}]/u

/**
 * Validates the name of a new artifact.
 * @throws {DomainError} invalid, saying what is wrong.
 */
export function checkArtifactName(name: string): void {
  if (name === '') throw refuse('the name of an artifact cannot be empty')
  if (name.length > maxLength)
    throw refuse(`the name of an artifact can have at most ${maxLength} characters`)
  if (!isArtifactName(name))
    throw refuse('the name of an artifact cannot contain " : < > | * ? \\ / or control characters')
}

/**
 * Whether an artifact can have this name. Other names must not be queried, because the database rejects NUL.
 */
export function isArtifactName(name: string): boolean {
  return name !== '' && name.length <= maxLength && !forbidden.test(name) && name.isWellFormed()
}

const refuse = (message: string) => invalid(message, { field: 'name' })
