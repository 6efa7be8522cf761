import { invisibleIn, mayHide } from './invisible'

/** Lines of a text as HTML. */
export interface Lines {
  /**
   * One string per line without its line break, a carriage return counting as part of it. An empty last line
   * is left out.
   */
  lines: string[]
  /** Whether invisible characters are marked, as elements of the class `invisible-character`. */
  hasInvisible: boolean
}

/** Collects parts of a text and returns its lines as HTML, in which elements never reach into the next line. */
export interface LineWriter {
  /**
   * Adds the part from the current position to `end`, in an element that is named for what it is, such as `pl-k`. A
   * class instead would make the page of a file half as long again.
   */
  add(end: number, name: string): void
  finish(): Lines
}

/** Creates a writer of the lines of a text that has no carriage return before a line break. */
export function createLineWriter(text: string): LineWriter {
  const lines: string[] = []
  let line = ''
  let at = 0
  const hides = mayHide(text)
  let hasInvisible = false

  function write(from: number, to: number, name: string): void {
    if (from === to) return
    const marks = hides ? invisibleIn(text, from, to) : []
    if (marks.length > 0) hasInvisible = true
    const html = marks.length > 0 ? marked(text, from, to, marks) : escapeText(text.slice(from, to))
    line += name ? `<${name}>${html}</${name}>` : html
  }

  return {
    add(end, name) {
      while (at < end) {
        const next = text.indexOf('\n', at)
        if (next === -1 || next >= end) {
          write(at, end, name)
          at = end
          return
        }
        write(at, next, name)
        lines.push(line)
        line = ''
        at = next + 1
      }
    },
    finish() {
      if (line) lines.push(line)
      return { lines, hasInvisible }
    },
  }
}

function marked(text: string, from: number, to: number, marks: readonly number[]): string {
  let html = ''
  let at = from
  for (const mark of marks) {
    const code = text.codePointAt(mark) ?? 0
    const end = Math.min(mark + (code > 0xffff ? 2 : 1), to)
    html += escapeText(text.slice(at, mark)) + markOf(code)
    at = end
  }
  return html + escapeText(text.slice(at, to))
}

/** Beginning of the element that marks an invisible character. */
export const markBegin = '<span class="invisible-character"'

/** Returns the element that marks an invisible character, by its code point. */
export function markOf(code: number): string {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return `${markBegin} data-code="${name}">${held(code)}</span>`
}

// HTML can contain any character but these two.
function held(code: number): string {
  if (code === 0) return '\ufffd'
  return code === 0xd ? '&#13;' : String.fromCodePoint(code)
}

/** Returns the HTML of a text that is the content of an element, and no attribute. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
