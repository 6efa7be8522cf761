export const dayMs = 24 * 60 * 60 * 1000

/** Whether a time from the API means "never", which it writes as the year 1. */
export const isNever = (time: string): boolean => time.startsWith('0001-')

/** Returns a count with its noun, such as "1 branch" or "2,000 branches". */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/**
 * Returns a message about what was done to several selected items, such as "Deleted 3 keys", and whether some
 * of them were skipped.
 * @param from Where the items were, such as "from acme".
 */
export function doneToSeveral(
  done: string,
  { changed, wanted }: { changed: number; wanted: number },
  [one, many]: readonly [one: string, many: string],
  from = '',
): string {
  const where = from && ` ${from}`
  if (changed === wanted) return `${done} ${counted(changed, one, many)}${where}`
  return `${done} ${changed} of ${counted(wanted, one, many)}${where}; the rest had already changed`
}

/** A total, with the names of the first items. */
export interface FirstNames {
  total: number
  names: readonly string[]
}

/** Lists the names, followed by how many more there are. */
export function listNames({ total, names }: FirstNames): string {
  const more = total - names.length
  return more > 0 ? `${names.join(', ')} and ${more.toLocaleString('en-US')} more` : names.join(', ')
}

const sizeUnits = ['KiB', 'MiB', 'GiB', 'TiB']

/** Formats a size in KiB with at most one decimal. */
export function formatSize(kib: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(kib, 1)) / 10), sizeUnits.length - 1)
  const amount = kib / 1024 ** step
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${sizeUnits[step]}`
}

/** Formats a size in bytes. */
export const formatBytes = (bytes: number): string =>
  bytes < 1024 ? `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}` : formatSize(bytes / 1024)

/**
 * Quotes a text as one word of a shell command, because Git names can contain characters with a meaning in
 * shells.
 */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Returns the first line of a commit or tag message. */
export const firstLine = (message: string): string => (message.split('\n', 1)[0] ?? '').trim()
