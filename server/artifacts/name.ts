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
  if (forbidden.test(name) || !name.isWellFormed())
    throw refuse('the name of an artifact cannot contain " : < > | * ? \\ / or control characters')
}

const refuse = (message: string) => invalid(message, { field: 'name' })
