import type { StorageSettings } from '@/server/kernel/storage/settings'

/** Says how many rows were copied: "340 rows in 12 tables". */
export function summarizeRows(rowCounts: Record<string, number>): string {
  const counts = Object.values(rowCounts)
  const rows = counts.reduce((sum, count) => sum + count, 0)
  const tables = counts.filter(count => count > 0).length
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} in ${tables} ${tables === 1 ? 'table' : 'tables'}`
}

/** Says where the git data is that goes with these rows; empty when there is none. */
export function aboutGitData({ repositories = 0 }: Record<string, number>, directory: string): string {
  if (repositories === 0) return ''
  const owned = repositories === 1 ? 'one repository' : `${repositories.toLocaleString('en')} repositories`
  return `\nThe git data of ${owned} is not in it: keep a copy of ${directory}, made after this one.`
}

/** Says where the git data belongs that goes with restored rows; empty when there is none. */
export function aboutRestoredGitData(
  { repositories = 0 }: Record<string, number>,
  directory: string,
): string {
  if (repositories === 0) return ''
  return `\nPut the git data that was kept with it into ${directory} before you start the server.`
}

/** Says where the files of releases are that go with these rows; empty when there are none. */
export function aboutFiles({ attachments = 0 }: Record<string, number>, storage: StorageSettings): string {
  if (attachments === 0) return ''
  return `\nThe files of releases are not in it: keep a copy of ${nameOf(storage)}, made after this one.`
}

/** Says where the files belong that go with restored rows; empty when there are none. */
export function aboutRestoredFiles(
  { attachments = 0 }: Record<string, number>,
  storage: StorageSettings,
): string {
  if (attachments === 0) return ''
  return `\nPut the files of releases that were kept with it into ${nameOf(storage)} before you start the server.`
}

function nameOf(storage: StorageSettings): string {
  if (storage.kind === 'disk') return storage.directory
  return storage.kind === 's3' ? `the bucket ${storage.bucket}` : `the container ${storage.container}`
}
