import { invalid } from '@/server/kernel/errors'

/**
 * Returns a path without slashes at its ends; empty for the root.
 * @throws {DomainError} invalid if a component is empty, `.`, `..`, or `.git` in any case.
 */
export function cleanPath(path: string): string {
  const clean = path.replace(/^\/+/, '').replace(/\/+$/, '')
  const wrong = clean === '' ? undefined : clean.split('/').find(isReserved)
  if (wrong === undefined) return clean
  throw invalid(
    wrong === ''
      ? `the path "${clean}" contains two slashes in a row`
      : `the path "${clean}" contains the component "${wrong}", which no file of a repository can have`,
    { field: 'path' },
  )
}

/** Returns whether a component of a path is one that no file of a repository can have. */
export const isReserved = (component: string): boolean => /^(?:\.{0,2}|\.git)$/i.test(component)
