import { invalid } from '@/server/kernel/errors'

const maxLength = 255
// Those that the stock client refuses, and control characters.
const forbidden = /["<>|*?:\\/\p{Cc}]/u

/**
 * Checks the name of a new artifact.
 * @throws {DomainError} invalid, with what is wrong.
 */
export function checkArtifactName(name: string): void {
  if (name === '') throw refuse('the name of an artifact cannot be empty')
  if (name.length > maxLength)
    throw refuse(`the name of an artifact can have at most ${maxLength} characters`)
  if (!isArtifactName(name))
    throw refuse('the name of an artifact cannot contain " : < > | * ? \\ / or control characters')
}

/** Tells whether an artifact can have the name. The database accepts no NUL, even to look for it. */
export function isArtifactName(name: string): boolean {
  return name !== '' && name.length <= maxLength && !forbidden.test(name) && name.isWellFormed()
}

const refuse = (message: string) => invalid(message, { field: 'name' })
