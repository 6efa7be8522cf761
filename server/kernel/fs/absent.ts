/**
 * For `.catch` of a call on a path: undefined when there is nothing at it. Any other error is thrown on.
 *
 *     const text = await readFile(path, 'utf8').catch(undefinedIfAbsent)
 */
export function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
