import { invisibleIn, mayHide } from './invisible'
import { markBegin, markOf } from './lines'

// A mark is much longer than its character.
const maxMarks = 2_000
const markEnd = '</span>'
const softHyphen = 0xad

/** Whether invisible characters are marked in HTML. No text can contain such an element itself. */
export const hasMarks = (html: string): boolean => html.includes(markBegin)

/**
 * Marks invisible characters in the text of sanitized HTML, as in code, where they can be marked already. Leaves out
 * those after the first 2,000. Soft hyphens are only marked in code, because they do not deceive in prose.
 */
export function markInvisible(html: string): string {
  if (!mayHide(html)) return html
  let marked = ''
  let left = maxMarks
  let inCode = false
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    const end = open === -1 ? html.length : open
    for (const mark of invisibleIn(html, at, end)) {
      const code = html.codePointAt(mark) ?? 0
      if (code === softHyphen && !inCode) continue
      marked += html.slice(at, mark) + (left-- > 0 ? markOf(code) : '')
      at = mark + (code > 0xffff ? 2 : 1)
    }
    const next = html.startsWith(markBegin, end) ? after(html, markEnd, end) : after(html, '>', end)
    marked += html.slice(at, next)
    inCode = html.startsWith('<code', end)
    at = next
  }
  return marked
}

/** Returns the position after the next occurrence of a text; that of the end if there is none. */
function after(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from)
  return found === -1 ? html.length : found + text.length
}
