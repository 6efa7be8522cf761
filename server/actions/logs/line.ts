/** A row of a log, as a runner sends it. */
export interface LogRow {
  /** By the runner's clock; absent where it sent none. */
  time?: { seconds: bigint; nanos: number } | undefined
  content: string
}

const maxBytes = 64 * 1024
const maxSeconds = 253_402_300_799n

/**
 * Writes a row as a line: the time in UTC with seven digits after the second, a space, the content, and a line feed. Line
 * breaks in the content are shown as `\n`, and what is beyond 64 KiB is left out.
 */
export function lineOf({ time, content }: LogRow, now: Date): Buffer {
  const text = withoutEnd(content.slice(0, maxBytes))
    .replace(/\r\n|\r|\n/g, '\\n')
    .replaceAll('\0', '')
  return Buffer.from(`${timeOf(time, now)} ${shortened(text)}\n`)
}

/** Takes a line apart; the line feed at its end may be left out. */
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

// A pattern would try each of many line breaks anew.
function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && /[\r\n]/.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function shortened(text: string): string {
  // No character has more than three bytes for each unit of its length.
  if (text.length * 3 <= maxBytes) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && isContinuation(bytes[end] ?? 0)) end--
  return bytes.toString('utf8', 0, end)
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80
