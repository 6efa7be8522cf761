import { sentence } from '@/app/_lib/failure'
import { isDomainError } from '@/server/kernel/errors'
import { checkName } from '@/server/users/name'

/** What keeps a text from being the name of an organization, in the words the server has for it. */
export function nameProblem(name: string): string | undefined {
  try {
    checkName(name)
    return undefined
  } catch (error) {
    if (!isDomainError(error)) throw error
    return sentence(error.message)
  }
}
