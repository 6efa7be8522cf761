'use client'
import { type ReactNode, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { ArrowDownIcon, ClockIcon, DownloadIcon, LinkIcon } from '@/app/_components/icons'
import { Button, IconButton } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import type { ShownJob, ShownTask } from '@/server/actions/runs/schema'
import type { Topic } from '@/server/live/schema'
import { createLog, type Log, type LogPart } from './log'
import { LogSearch } from './log-search'
import { LogSection } from './log-section'
import styles from './log-viewer.module.css'
import { type Section, sectionsOf } from './sections'
import { useFailingLine } from './use-failing-line'
import { addressOf, useLines } from './use-lines'
import { useFollowedEnd, useGrowth } from './use-tail'

interface LogViewerProps {
  job: ShownJob
  task: ShownTask
  /** Live topics that report growth of the log. */
  topics: readonly Topic[]
  /** URL of the log as a text file. */
  downloadHref: string
  fetchPart: (from: number, limit: number) => Promise<LogPart>
}

/**
 * Shows a job's log by its steps. Running and failed steps are open. The log of a failed job begins at the line
 * that shows why.
 */
export function LogViewer({ job, task, topics, downloadHref, fetchPart }: LogViewerProps): ReactNode {
  const log = useMemo(() => createLog(fetchPart), [fetchPart])
  const version = useSyncExternalStore(log.subscribe, log.version, () => 0)
  useGrowth(log, topics)
  // The count in the task includes rows beyond the log's size limit, which can't be read.
  const total = log.total() ?? task.log_rows
  const sections = useMemo(() => sectionsOf(job, task, total), [job, task, total])

  const { lines, jumps, select } = useLines()
  const [pattern, setPattern] = useState<RegExp>()
  const [hasTime, setHasTime] = usePreference('guildhall-log-times')
  const target = useMemo(() => lines && { row: lines.first - 1, jumps }, [lines, jumps])
  const { isOpen, toggle } = useOpenSections(sections, target)
  const isGrowing = job.status !== 'completed'
  const { end, isFollowing, follow, lookAgain } = useFollowedEnd(isGrowing, version)
  const go = useCallback((row: number) => select(row + 1, { leads: true }), [select])
  const isWanted = job.conclusion === 'failure'
  useFailingLine({ log, version, sections, isWanted }, go)

  return (
    <div className={styles.viewer}>
      <div className={styles.tools}>
        <LogSearch log={log} version={version} onGo={go} onPattern={setPattern} />
        <span className={styles.buttons}>
          {lines ? <CopyButton text={addressOf(lines)} what="link to lines" icon={LinkIcon} /> : null}
          <IconButton
            icon={ClockIcon}
            size="small"
            variant="invisible"
            aria-label="Show timestamps"
            aria-pressed={hasTime}
            onClick={() => setHasTime(!hasTime)}
          />
          <IconButton
            as="a"
            href={downloadHref}
            download
            icon={DownloadIcon}
            size="small"
            variant="invisible"
            aria-label="Download log"
          />
        </span>
      </div>
      <LoadProblem log={log} />
      {sections.map(section => (
        <LogSection
          key={section.key}
          log={log}
          version={version}
          section={section}
          isOpen={isOpen(section)}
          onToggle={() => {
            toggle(section)
            lookAgain()
          }}
          onToggleGroup={lookAgain}
          selected={lines}
          select={select}
          target={target}
          hasTime={hasTime}
          pattern={pattern}
        />
      ))}
      {log.isCut() ? (
        <p className={styles.note}>
          This log is too long to show in full.{' '}
          <a href={downloadHref} download>
            Download it
          </a>{' '}
          to read the rest.
        </p>
      ) : null}
      <div ref={end} tabIndex={-1} className={styles.end} />
      {isGrowing && !isFollowing ? (
        <div className={styles.jump}>
          <Button size="small" leadingVisual={ArrowDownIcon} onClick={follow}>
            Follow log
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** Alert with the reason why a part of the log is missing. */
function LoadProblem({ log }: { log: Log }): ReactNode {
  const failure = log.failure()
  return (
    <div role="alert">
      {failure ? (
        <div className={styles.problem}>
          <span>Couldn’t load the log. {readFailure(failure).message}</span>
          <Button size="small" onClick={() => void log.refresh()}>
            Try again
          </Button>
        </div>
      ) : null}
    </div>
  )
}

interface OpenSections {
  isOpen: (section: Section) => boolean
  toggle: (section: Section) => void
}

/**
 * Tracks which sections are open. A section opens automatically when it runs, fails, or contains the target
 * line. Only the set-up section closes automatically.
 */
function useOpenSections(
  sections: readonly Section[],
  target: { row: number; jumps: number } | undefined,
): OpenSections {
  const [selected, setSelected] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const set = useCallback((key: string, isOpen: boolean): void => {
    setSelected(known => new Map(known).set(key, isOpen))
  }, [])

  const isActive = ({ status, conclusion, isGrowing }: Section): boolean =>
    isGrowing || status === 'in_progress' || conclusion === 'failure'
  const active = sections.filter(isActive).map(({ key }) => key)
  const unopened = active.filter(key => key !== 'set up' && !opened.has(key)).join('\n')
  useEffect(() => {
    if (unopened) setOpened(known => new Set([...known, ...unopened.split('\n')]))
  }, [unopened])

  const targetKey = target && sections.find(({ from, to }) => target.row >= from && target.row < to)?.key
  const jumps = target?.jumps
  useEffect(() => {
    if (targetKey !== undefined && jumps !== undefined) set(targetKey, true)
  }, [targetKey, jumps, set])

  const isOpen = ({ key }: Section): boolean => selected.get(key) ?? (opened.has(key) || active.includes(key))
  return { isOpen, toggle: section => set(section.key, !isOpen(section)) }
}

/** State of a setting that is stored in this browser if possible. Off by default. */
function usePreference(name: string): [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    try {
      setOn(localStorage.getItem(name) === 'on')
    } catch {}
  }, [name])
  const set = (wanted: boolean): void => {
    setOn(wanted)
    try {
      localStorage.setItem(name, wanted ? 'on' : 'off')
    } catch {}
  }
  return [isOn, set]
}
