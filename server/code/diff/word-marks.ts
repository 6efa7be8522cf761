import type { DiffLine } from './schema'

// Longer lines are rarely read word by word.
const maxLength = 500

// Includes both halves of surrogate pairs, so that no character is divided.
const inWord = /[\w\u0080-\uffff]/

/**
 * Marks the changed words of lines that replace each other: the first removed line and the first added line of
 * each change, and so on. Lines of more than 500 characters, and lines that have little in common, get no mark.
 */
export function markWords(lines: readonly DiffLine[]): void {
  let at = 0
  while (at < lines.length) {
    const added = endOfRun(lines, at, '-')
    const end = endOfRun(lines, added, '+')
    for (let offset = 0; offset < Math.min(added - at, end - added); offset++) {
      markPair(lines[at + offset]!, lines[added + offset]!)
    }
    at = Math.max(end, at + 1)
  }
}

function endOfRun(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let end = start
  while (lines[end]?.kind === kind) end++
  return end
}

function markPair(removed: DiffLine, added: DiffLine): void {
  const [a, b] = [removed.text, added.text]
  if (a.length > maxLength || b.length > maxLength || a === b) return
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  while (start > 0 && (splitsWord(a, start) || splitsWord(b, start))) start--
  let tail = 0
  while (tail < shorter - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  while (tail > 0 && (splitsWord(a, a.length - tail) || splitsWord(b, b.length - tail))) tail--
  const common = a.slice(0, start).trim().length + a.slice(a.length - tail).trim().length
  if (3 * common < Math.max(a.trim().length, b.trim().length)) return
  if (a.length - tail > start) removed.mark = [start, a.length - tail]
  if (b.length - tail > start) added.mark = [start, b.length - tail]
}

const splitsWord = (text: string, at: number): boolean =>
  at > 0 && at < text.length && inWord.test(text[at - 1]!) && inWord.test(text[at]!)
