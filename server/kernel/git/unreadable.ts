import type { ServiceCtx } from '../ctx'
import { type DomainError, tooManyRequests, unprocessable } from '../errors'
import { diskTroubleOf } from '../fs/disk-trouble'
import { GitError, GitTimeout } from './run'

/**
 * Reads from a repository. If Git cannot do that, the repository is damaged, or something in it is too large,
 * which is logged. Repeating the call does not help, and strangers may have written what Git cannot read, so it
 * is no failure of the site.
 * @throws {DomainError} unprocessable if Git cannot read something; tooManyRequests if that takes too long
 */
export async function orUnreadable<T>({ log }: Pick<ServiceCtx, 'log'>, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof GitError) || diskTroubleOf(error)) throw error
    log.warn({ err: error }, 'Git could not read something')
    throw refusalOf(error)
  }
}

const refusalOf = (error: GitError): DomainError =>
  error instanceof GitTimeout
    ? tooManyRequests('Git takes too long to read this; ask for a smaller part of it', 60)
    : unprocessable('Git cannot read this: objects are missing, damaged, or too large', { cause: error })
