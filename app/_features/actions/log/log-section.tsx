'use client'
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useMemo, useState } from 'react'
import { ChevronDownIcon, ChevronRightIcon } from '@/app/_components/icons'
import { OutcomeSign } from '../outcome-sign'
import { outcomeOf } from '../progress'
import { Elapsed } from './elapsed'
import { createFolding, groupOf } from './fold'
import type { Log } from './log'
import { LogLines, lineHeight } from './log-lines'
import styles from './log-viewer.module.css'
import type { Section } from './sections'
import { useLineKeys } from './use-line-keys'
import type { LineRange } from './use-lines'

interface LogSectionProps {
  log: Log
  /** Version of the log. It changes with the log, which is mutable. */
  version: number
  section: Section
  isOpen: boolean
  onToggle: () => void
  onToggleGroup: () => void
  selected: LineRange | undefined
  select: (line: number, options: { extends?: boolean }) => void
  /** The row to scroll to, and a count of such requests, so that the same row can be requested again. */
  target: { row: number; jumps: number } | undefined
  hasTime: boolean
  pattern: RegExp | undefined
}

/** Section of a log for one step of a job. Its rows are fetched when it is opened. */
export function LogSection(props: LogSectionProps): ReactNode {
  const { section, isOpen, onToggle } = props
  const id = useId()
  const hasRows = section.to > section.from
  const isQueued = section.status === 'queued'
  return (
    <section className={styles.section} aria-label={section.name}>
      <h3 className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          disabled={isQueued && !hasRows}
          onClick={onToggle}
        >
          <span className={styles.chevron}>{isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}</span>
          <OutcomeSign outcome={outcomeOf(section)} />
          <span className={styles.name}>{section.name}</span>
          {hasElapsed(section) ? <Elapsed {...section} /> : null}
        </button>
      </h3>
      {isOpen ? (
        <div id={id} className={styles.body}>
          {hasRows ? <SectionLines {...props} /> : <p className={styles.note}>{emptyNote(section)}</p>}
        </div>
      ) : null}
    </section>
  )
}

// The end time of some steps is unknown.
const hasElapsed = ({ status, conclusion, completed_at }: Section): boolean =>
  conclusion !== 'skipped' && (status !== 'completed' || completed_at !== null)

function emptyNote({ isGrowing, conclusion }: Section): string {
  if (isGrowing) return 'Waiting for output…'
  return conclusion === 'skipped' ? 'This step was skipped.' : 'This step has no output.'
}

function SectionLines({
  log,
  version,
  section: { from, to, isGrowing },
  onToggleGroup,
  selected,
  select,
  target,
  hasTime,
  pattern,
}: LogSectionProps): ReactNode {
  const [groups, setGroups] = useState<ReadonlyMap<number, boolean>>(new Map())
  const toggleGroup = useCallback((row: number, isOpen: boolean): void => {
    setGroups(known => new Map(known).set(row, isOpen))
  }, [])
  useEffect(() => log.want(from, to), [log, from, to])

  const fold = useMemo(
    () => createFolding(row => log.rowAt(row)?.content, { from, selected: groups }),
    [log, from, groups],
  )
  const folded = useMemo(() => {
    void version
    return fold(to, isGrowing)
  }, [fold, version, to, isGrowing])

  const targetRow = target && target.row >= from && target.row < to ? target.row : undefined
  const isThere = targetRow !== undefined && targetRow < folded.to
  useEffect(() => {
    if (targetRow === undefined || !isThere) return
    const group = groupOf(row => log.rowAt(row)?.content, targetRow, from)
    if (group !== undefined && group !== targetRow) toggleGroup(group, true)
  }, [log, targetRow, isThere, from, toggleGroup])

  const isShown = isThere && folded.lines.some(({ row }) => row === targetRow)
  const jumps = target?.jumps
  useLayoutEffect(() => {
    if (!isShown || targetRow === undefined || jumps === undefined) return
    focusRow(targetRow)
    return showRow(targetRow)
  }, [isShown, targetRow, jumps])

  const { stop, stopAt, move } = useLineKeys(folded.lines, selected)
  const actions = useMemo(
    () => ({
      select,
      stopAt,
      move,
      toggleGroup(row: number, isOpen: boolean): void {
        toggleGroup(row, isOpen)
        onToggleGroup()
      },
    }),
    [select, stopAt, move, toggleGroup, onToggleGroup],
  )
  return (
    <>
      <LogLines
        log={log}
        lines={folded.lines}
        selected={selected}
        hasTime={hasTime}
        pattern={pattern}
        actions={actions}
        stop={stop}
        needed={isShown ? targetRow : undefined}
      />
      {folded.to < to ? (
        <p className={styles.note} style={{ minHeight: lineHeight * (to - folded.to) }}>
          Loading…
        </p>
      ) : null}
    </>
  )
}

/** Focuses a row's number if nothing else has the focus, as a browser goes on from the target of a link. */
function focusRow(row: number): void {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>(`#L${row + 1} > a`)?.focus({ preventScroll: true })
}

const longestMs = 1000

/**
 * Scrolls to a row and keeps it in view while lines around it are rendered for the first time. Returns a
 * function that stops this.
 */
function showRow(row: number): () => void {
  const until = performance.now() + longestMs
  let frame = 0
  const show = (): void => {
    document.getElementById(`L${row + 1}`)?.scrollIntoView({ block: 'center' })
    if (performance.now() < until) frame = requestAnimationFrame(show)
  }
  const end = (): void => cancelAnimationFrame(frame)
  const uses = ['wheel', 'touchstart', 'pointerdown', 'keydown']
  for (const use of uses) window.addEventListener(use, end, { once: true, passive: true })
  show()
  return () => {
    end()
    for (const use of uses) window.removeEventListener(use, end)
  }
}
