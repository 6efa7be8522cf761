/**
 * Handles the error of a file system call in `.catch`: returns undefined if the path does not exist, and rethrows
 * any other error.
 *
 *     const text = await readFile(path, 'utf8').catch(undefinedIfAbsent)
 */
export function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
