'use client'
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react'
import { ChevronDownIcon, ChevronRightIcon } from '@/app/_components/icons'
import { counted } from '@/app/_lib/format'
import { visibleText } from '@/app/_lib/visible-text'
import { parseAnsi } from './ansi'
import { cssOf } from './colors'
import { type MarkedSpan, markMatches } from './find'
import type { ShownLine } from './fold'
import { type LineKind, readLine } from './line'
import type { LogRow } from './log'
import styles from './log-viewer.module.css'
import type { Move } from './use-line-keys'

export interface LineActions {
  select(line: number, options: { extends?: boolean }): void
  toggleGroup(row: number, isOpen: boolean): void
  stopAt(row: number): void
  move(row: number, to: Move): void
}

interface LineProps {
  line: ShownLine
  row: LogRow
  hasTime: boolean
  isSelected: boolean
  /** Whether the line's number can be reached with the Tab key. */
  isStop: boolean
  pattern: RegExp | undefined
  actions: LineActions
}

/** One line of a log. Its content is shown as text, whatever it contains. */
function Line({ line, row, hasTime, isSelected, isStop, pattern, actions }: LineProps): ReactNode {
  const number = line.row + 1
  const select = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    actions.select(number, { extends: event.shiftKey })
  }
  const press = (event: KeyboardEvent): void => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const to = moves[event.key]
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to) actions.move(line.row, to)
    else actions.select(number, { extends: event.shiftKey })
  }
  const { group } = line
  return (
    <div
      id={`L${number}`}
      className={styles.line}
      data-kind={line.kind}
      data-selected={isSelected || undefined}
      data-inner={line.isInGroup || undefined}
    >
      <a
        className={styles.number}
        href={`#L${number}`}
        tabIndex={isStop ? 0 : -1}
        aria-label={`Line ${number}`}
        onClick={select}
        onKeyDown={press}
        onFocus={() => actions.stopAt(line.row)}
      >
        {number}
      </a>
      {hasTime ? (
        <time className={styles.time} dateTime={row.time} title={row.time}>
          {clockOf(row.time)}
        </time>
      ) : null}
      {group ? (
        <button
          type="button"
          className={styles.group}
          aria-expanded={group.isOpen}
          onClick={() => actions.toggleGroup(line.row, !group.isOpen)}
        >
          {group.isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
          <span className={styles.text}>
            <Text content={row.content} pattern={pattern} />
          </span>
          <span className={styles.count}>{counted(group.lines, 'line', 'lines')}</span>
        </button>
      ) : (
        <span className={styles.text}>
          <Text content={row.content} pattern={pattern} />
        </span>
      )}
    </div>
  )
}

const moves: Readonly<Record<string, Move>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  Home: 'first',
  End: 'last',
}

export const LogLine = memo(
  Line,
  (before, after) =>
    before.row === after.row &&
    before.hasTime === after.hasTime &&
    before.isSelected === after.isSelected &&
    before.isStop === after.isStop &&
    before.pattern === after.pattern &&
    before.line.isInGroup === after.line.isInGroup &&
    before.line.group?.isOpen === after.line.group?.isOpen &&
    before.line.group?.lines === after.line.group?.lines,
)

const labels: Partial<Record<LineKind, string>> = {
  error: 'Error: ',
  warning: 'Warning: ',
  notice: 'Notice: ',
  debug: 'Debug: ',
}

function Text({ content, pattern }: { content: string; pattern: RegExp | undefined }): ReactNode {
  const { kind, text, location, title } = readLine(content)
  const spans = parseAnsi(text)
  const parts: MarkedSpan[] = pattern ? markMatches(spans, pattern) : spans
  return (
    <>
      {labels[kind] ? <strong className={styles.word}>{labels[kind]}</strong> : null}
      {title ? <strong>{visibleText(title)} </strong> : null}
      {location ? <code className={styles.location}>{visibleText(location)} </code> : null}
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a line have no other name, and a line never changes
        <Part key={at} {...part} />
      ))}
    </>
  )
}

function Part({ text, style, isMatch }: MarkedSpan): ReactNode {
  const shown = visibleText(text)
  if (isMatch) return <mark>{shown}</mark>
  return style ? <span style={cssOf(style)}>{shown}</span> : shown
}

/** Returns the local time of day, such as "14:03:22.123". */
function clockOf(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const two = (value: number): string => String(value).padStart(2, '0')
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`
}
