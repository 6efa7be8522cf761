import { foreignKeyViolation, uniqueViolation } from '@/db/violation'
import { DomainError, unprocessable } from '@/server/kernel/errors'

/** Says in the contract's words which of the two unique fields another account holds; other errors pass through. */
export function mapUniqueError(error: unknown, name: string, email: string): DomainError | unknown {
  switch (uniqueViolation(error)) {
    case 'users_name_unique':
      return unprocessable(`user already exists [name: ${name}]`, {
        field: 'username',
        reason: { code: 'nameTaken', what: 'account', name },
        cause: error,
      })
    case 'users_email_unique':
      return unprocessable(`e-mail already in use [email: ${email}]`, {
        field: 'email',
        reason: { code: 'emailTaken', email },
        cause: error,
      })
    default:
      return error
  }
}

/** Says "not found" when what a row refers to, such as its owner, was deleted concurrently; other errors pass through. */
export function mapForeignKeyError(error: unknown): DomainError | unknown {
  return foreignKeyViolation(error) ? new DomainError('notFound', 'not found', { cause: error }) : error
}
