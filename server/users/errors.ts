import { foreignKeyViolation, uniqueViolation } from '@/db/violation'
import { DomainError, unprocessable } from '@/server/kernel/errors'

/**
 * Converts a violated unique constraint on an account's name or email address to the API contract's "already
 * exists" error. Returns any other error unchanged.
 */
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

/**
 * Converts a foreign key violation, caused by the concurrent deletion of a referenced row, to a NOT_FOUND
 * error. Returns any other error unchanged.
 */
export function mapForeignKeyError(error: unknown): DomainError | unknown {
  return foreignKeyViolation(error) ? new DomainError('notFound', 'not found', { cause: error }) : error
}
