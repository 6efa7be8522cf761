import { foreignKeyViolation } from '@/db/violation'
import { DomainError } from '@/server/kernel/errors'

/** Says "not found" when what a row refers to, such as its owner, was deleted meanwhile; other errors pass through. */
export function explainGone(error: unknown): DomainError | unknown {
  return foreignKeyViolation(error) ? new DomainError('notFound', 'not found', { cause: error }) : error
}
