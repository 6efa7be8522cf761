import type { StorageSettings } from '@/server/kernel/storage/settings'

/** Describes how many rows were copied: "340 rows in 12 tables". */
export function summarizeRows(rowCounts: Record<string, number>): string {
  const counts = Object.values(rowCounts)
  const rows = counts.reduce((sum, count) => sum + count, 0)
  const tables = counts.filter(count => count > 0).length
  return `${formatCount(rows, 'row', 'rows')} in ${formatCount(tables, 'table', 'tables')}`
}

/** Describes a number of things: "1 row" or "1,717 rows". */
export const formatCount = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Describes a number of bytes: "12.3 MB". */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

/** Explains where to put the Git data that belongs to restored rows; empty if there are no repositories. */
export function aboutRestoredGitData(
  { repositories = 0 }: Record<string, number>,
  directory: string,
): string {
  if (repositories === 0) return ''
  return `\nCopy the Git data that was kept with the backup to ${directory} before you start the server.`
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

/** A failure whose message lists each fault on a line of its own. */
export class Faults extends Error {
  constructor(what: string, faults: readonly string[]) {
    super([what, ...faults].join('\n  '))
  }
}
