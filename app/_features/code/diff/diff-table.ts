import { visibleLine, visibleText } from '@/app/_lib/visible-text'
import type { DiffFile, DiffHunk, DiffLine } from '@/server/code/diff/schema'
import { fileAnchor, shownPath } from './diff-names'
import styles from './diff-table.module.css'

/**
 * Returns the HTML of a table with the changed lines of a file and those around them. It is text, and not a component,
 * because a page would repeat what its components get as data for its scripts.
 */
export function diffTable(file: DiffFile, view: 'unified' | 'split'): string {
  const anchor = fileAnchor(file.path)
  const isSplit = view === 'split'
  const label = `Changes of ${escaped(shownPath(file.path))}`
  const column = `<col class="${styles.numberColumn}">`
  const heads = isSplit
    ? ['Old line number', 'Old line', 'New line number', 'New line']
    : ['Old line number', 'New line number', 'Line']
  return [
    `<table class="${styles.table}" data-view="${view}" aria-label="${label}">`,
    `<colgroup>${column}${isSplit ? '<col>' : ''}${column}<col></colgroup>`,
    `<thead class="visually-hidden"><tr>${heads.map(head => `<th scope="col">${head}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...file.hunks.flatMap(hunk => [
      hunkRow(hunk, isSplit),
      ...(isSplit
        ? pairs(hunk.lines).map(([old, now]) => `<tr>${half(anchor, 'L', old)}${half(anchor, 'R', now)}</tr>`)
        : hunk.lines.map(
            line =>
              `<tr>${numberCell(anchor, 'L', line)}${numberCell(anchor, 'R', line)}${codeCell(line)}</tr>`,
          )),
    ]),
    '</tbody></table>',
  ].join('')
}

function hunkRow({ lines, header, oldStart, newStart }: DiffHunk, isSplit: boolean): string {
  const count = (kind: '+' | '-') => lines.filter(line => line.kind !== kind).length
  const range = `@@ -${oldStart},${count('+')} +${newStart},${count('-')} @@`
  const number = `<td class="${styles.hunkNumber}"></td>`
  const text = `<td colspan="${isSplit ? 3 : 1}" class="${styles.hunkText}">${range} ${escaped(visibleLine(header))}</td>`
  return `<tr>${isSplit ? number : number + number}${text}</tr>`
}

const half = (anchor: string, side: 'L' | 'R', line: DiffLine | undefined): string =>
  numberCell(anchor, side, line) + (line ? codeCell(line) : `<td class="${styles.empty}"></td>`)

function numberCell(anchor: string, side: 'L' | 'R', line: DiffLine | undefined): string {
  const number = side === 'L' ? line?.oldNumber : line?.newNumber
  // An unchanged line has one link, because links are most of the HTML.
  if (side === 'L' && line?.kind === ' ') return `<td class="${styles.number}">${number}</td>`
  const kind = line ? kindOf(line) : ' data-kind="none"'
  if (!number) return `<td class="${styles.number}"${kind}></td>`
  const id = `${anchor}${side}${number}`
  return `<td class="${styles.number}"${kind} id="${id}"><a href="#${id}">${number}</a></td>`
}

const codeCell = (line: DiffLine): string =>
  [
    `<td class="${styles.code}"${kindOf(line)}>`,
    content(line),
    line.isCut ? note(' … the rest of this line is not shown') : '',
    line.noNewline ? note(' No newline at end of file') : '',
    '</td>',
  ].join('')

const note = (text: string): string => `<span class="${styles.note}">${text}</span>`

function content({ text, mark, kind }: DiffLine): string {
  const hasReturn = text.endsWith('\r')
  const line = hasReturn ? text.slice(0, -1) : text
  const shown = (from: number, to?: number): string => escaped(visibleText(line.slice(from, to)))
  const end = hasReturn && kind !== ' ' ? note('\\r') : ''
  if (!mark || mark[0] >= mark[1]) return shown(0) + end
  return `${shown(0, mark[0])}<span class="${styles.mark}">${shown(...mark)}</span>${shown(mark[1])}${end}`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, letter => escapes[letter] as string)

const kindOf = ({ kind }: DiffLine): string => (kind === ' ' ? '' : ` data-kind="${kind}"`)

/** Puts lines that replace each other side by side. */
function pairs(lines: readonly DiffLine[]): [old: DiffLine | undefined, now: DiffLine | undefined][] {
  const rows: [DiffLine | undefined, DiffLine | undefined][] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const flush = () => {
    const count = Math.max(removed.length, added.length)
    for (let index = 0; index < count; index++) rows.push([removed[index], added[index]])
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === '-') removed.push(line)
    else if (line.kind === '+') added.push(line)
    else {
      flush()
      rows.push([line, line])
    }
  }
  flush()
  return rows
}
