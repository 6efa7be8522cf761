/** Row of a log as sent by a runner. */
export interface LogRow {
  /** Time by the runner's clock; absent if it sent none. */
  time?: { seconds: bigint; nanos: number } | undefined
  content: string
}

const maxBytes = 64 * 1024
const maxSeconds = 253_402_300_799n

/**
 * Encodes a row as one line: its time in UTC with seven fractional digits, a space, the content, and a line
 * feed. Line breaks within the content become `\n`; content beyond 64 KiB is cut off.
 */
export function lineOf({ time, content }: LogRow, now: Date): Buffer {
  const text = withoutEnd(content.slice(0, maxBytes))
    .replace(/\r\n|\r|\n/g, '\\n')
    .replaceAll('\0', '')
  return Buffer.from(`${timeOf(time, now)} ${shortened(text)}\n`)
}

/** Splits a line into its time and content. The trailing line feed is optional. */
export function parseLine(line: Buffer): { time: string; content: string } {
  const text = line.toString().replace(/\n$/, '')
  const space = text.indexOf(' ')
  return { time: text.slice(0, space), content: text.slice(space + 1) }
}

function timeOf(time: LogRow['time'], now: Date): string {
  if (!time || time.seconds < 0n || time.seconds > maxSeconds || time.nanos < 0 || time.nanos > 999_999_999)
    return now.toISOString().replace('Z', '0000Z')
  const second = new Date(Number(time.seconds) * 1000).toISOString().slice(0, 19)
  return `${second}.${String(Math.floor(time.nanos / 100)).padStart(7, '0')}Z`
}

// Done without a regular expression, which would take quadratic time for many line breaks.
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && /[\r\n]/.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function shortened(text: string): string {
  // A UTF-16 code unit takes at most three bytes of UTF-8.
  if (text.length * 3 <= maxBytes) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && isContinuation(bytes[end] ?? 0)) end--
  return bytes.toString('utf8', 0, end)
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80
