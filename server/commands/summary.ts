import type { StorageSettings } from '@/server/kernel/storage/settings'

/** Describes how many rows were copied: "340 rows in 12 tables". */
export function summarizeRows(rowCounts: Record<string, number>): string {
  const counts = Object.values(rowCounts)
  const rows = counts.reduce((sum, count) => sum + count, 0)
  const tables = counts.filter(count => count > 0).length
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} in ${tables} ${tables === 1 ? 'table' : 'tables'}`
}

/**
 * Explains that a backup lacks the Git data of its repositories and which directory to copy; empty if there
 * are none.
 */
export function aboutGitData({ repositories = 0 }: Record<string, number>, directory: string): string {
  if (repositories === 0) return ''
  const owned = repositories === 1 ? 'one repository' : `${repositories.toLocaleString('en')} repositories`
  return `\nThe Git data of ${owned} is not included. Make and keep a copy of ${directory} after this backup.`
}

/** Explains where to put the Git data that belongs to restored rows; empty if there are no repositories. */
export function aboutRestoredGitData(
  { repositories = 0 }: Record<string, number>,
  directory: string,
): string {
  if (repositories === 0) return ''
  return `\nCopy the Git data that was kept with the backup to ${directory} before you start the server.`
}

/**
 * Explains that a backup lacks the release files and which directory or bucket to copy; empty if there are
 * none.
 */
export function aboutFiles({ attachments = 0 }: Record<string, number>, storage: StorageSettings): string {
  if (attachments === 0) return ''
  return `\nRelease files are not included. Make and keep a copy of ${nameOf(storage)} after this backup.`
}

/** Explains where to put the release files that belong to restored rows; empty if there are none. */
export function aboutRestoredFiles(
  { attachments = 0 }: Record<string, number>,
  storage: StorageSettings,
): string {
  if (attachments === 0) return ''
  return `\nCopy the release files that were kept with the backup to ${nameOf(storage)} before you start the server.`
}

function nameOf(storage: StorageSettings): string {
  if (storage.kind === 'disk') return storage.directory
  return storage.kind === 's3' ? `the bucket ${storage.bucket}` : `the container ${storage.container}`
}
