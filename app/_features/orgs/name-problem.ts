import { wordsFor } from '@/app/_lib/failure-words'
import { isDomainError } from '@/server/kernel/errors'
import { checkName } from '@/server/users/name'

/** What keeps a text from being the name of an account. */
export function nameProblem(name: string): string | undefined {
  try {
    checkName(name)
    return undefined
  } catch (error) {
    if (!isDomainError(error) || !error.reason) throw error
    return wordsFor(error.reason)
  }
}
