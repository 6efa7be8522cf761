export const dayMs = 24 * 60 * 60 * 1000

/** Whether a time of the wire stands for "never", which it writes as the first moment of the calendar. */
export const isNever = (time: string): boolean => time.startsWith('0001-')

/** A count with its noun, such as "1 branch" and "2,000 branches". */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/**
 * What was done to several things that were chosen, such as "Deleted 3 keys", and that some of them were passed over.
 * @param place Where they were, as in "from acme".
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

/** How many there are of something, and the first of them by name. */
export interface FirstNames {
  total: number
  names: readonly string[]
}

/** The names in a row, and how many more there are. */
export function listNames({ total, names }: FirstNames): string {
  const more = total - names.length
  return more > 0 ? `${names.join(', ')} and ${more.toLocaleString('en-US')} more` : names.join(', ')
}

const sizeUnits = ['KiB', 'MiB', 'GiB', 'TiB']

/** A size given in KiB, with at most one digit after the point. */
export function formatSize(kib: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(kib, 1)) / 10), sizeUnits.length - 1)
  const amount = kib / 1024 ** step
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${sizeUnits[step]}`
}

/** A size given in bytes, in the same way. */
export const formatBytes = (bytes: number): string =>
  bytes < 1024 ? `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}` : formatSize(bytes / 1024)

/** A text as one word of a shell command: git allows names that a shell would act on. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** What a commit or tag is about: its message up to the first line break. */
export const firstLine = (message: string): string => (message.split('\n', 1)[0] ?? '').trim()
