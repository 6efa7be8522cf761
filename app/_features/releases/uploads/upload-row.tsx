'use client'
import { type ReactNode, useRef } from 'react'
import { AlertIcon, ClockIcon, PauseIcon, SyncIcon, UploadIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import { formatBytes } from '@/app/_lib/format'
import { visibleLine } from '@/app/_lib/visible-text'
import { timeLeft } from './pace'
import type { UploadQueue } from './queue'
import { summaryOf } from './summary'
import type { Upload, UploadState } from './upload'
import styles from './uploads.module.css'

interface UploadRowProps {
  upload: Upload
  queue: UploadQueue
  /** Whether the release exists, so that uploads can start. */
  hasRelease: boolean
  onSelect: () => void
}

const icons: Record<UploadState, typeof UploadIcon> = {
  waiting: ClockIcon,
  asking: AlertIcon,
  sending: UploadIcon,
  paused: PauseIcon,
  away: SyncIcon,
  failed: AlertIcon,
  refused: AlertIcon,
  interrupted: PauseIcon,
  attached: UploadIcon,
}

/** Row for a file that is not attached yet, with its progress and actions. */
export function UploadRow({ upload, queue, hasRelease, onSelect }: UploadRowProps): ReactNode {
  const { size, sent, state } = upload
  const name = visibleLine(upload.name)
  const actions = useRef<HTMLDivElement>(null)
  const Visual = icons[state]
  const isWrong = state === 'failed' || state === 'refused'
  const hasBar = !isWrong && state !== 'asking'
  return (
    <li className={styles.row} data-state={state}>
      <Visual className={isWrong ? styles.wrong : styles.icon} />
      <div className={styles.main}>
        <strong className={styles.name}>
          <bdi>{name}</bdi>
        </strong>
        {hasBar ? (
          <progress
            className={styles.bar}
            max={Math.max(size, 1)}
            value={sent}
            aria-label={`Upload progress of ${name}`}
          />
        ) : null}
        {isWrong ? null : <p className={styles.facts}>{factsOf(upload, hasRelease)}</p>}
        {/* Always rendered, because screen readers miss an alert that appears together with its text. */}
        <div role="alert">{isWrong ? <p className={styles.wrong}>{upload.problem}</p> : null}</div>
      </div>
      <div ref={actions} className={styles.actions}>
        {actionsOf(upload, queue, onSelect).map(({ label, act, isQuiet }, index) => (
          <Button
            // The first button always has the same key, so that it keeps focus when its action changes.
            key={index === 0 ? 'first' : label}
            size="small"
            variant={isQuiet ? 'invisible' : 'default'}
            aria-label={`${label} ${name}`}
            onClick={event => {
              // The second click of a double-click would press the button that replaces the first one.
              if (event.detail > 1) return
              actions.current?.querySelector('button')?.focus()
              act()
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </li>
  )
}

interface Action {
  label: string
  act: () => void
  isQuiet?: boolean
}

function actionsOf({ key, state }: Upload, queue: UploadQueue, onSelect: () => void): Action[] {
  const remove = { label: 'Remove', act: () => queue.remove(key), isQuiet: true }
  const pause = { label: 'Pause', act: () => queue.pause(key) }
  const resume = (label: string): Action => ({ label, act: () => queue.resume(key) })
  switch (state) {
    case 'asking':
      return [
        { label: 'Replace', act: () => queue.settle(key, 'replace') },
        { label: 'Keep both', act: () => queue.settle(key, 'keepBoth') },
        remove,
      ]
    case 'waiting':
    case 'sending':
      return [pause, remove]
    case 'paused':
      return [resume('Resume'), remove]
    case 'away':
      return [resume('Retry now'), remove]
    case 'failed':
      return [resume('Try again'), remove]
    case 'interrupted':
      return [{ label: 'Select again', act: onSelect }, remove]
    case 'refused':
      return [remove]
    case 'attached':
      return []
  }
}

function factsOf(upload: Upload, hasRelease: boolean): string {
  const { size, sent, state, bytesPerSecond } = upload
  const amount = `${formatBytes(sent)} of ${formatBytes(size)}`
  switch (state) {
    case 'sending': {
      if (sent >= size) return `${formatBytes(size)} uploaded · finishing…`
      const speed = bytesPerSecond === undefined ? undefined : `${formatBytes(Math.round(bytesPerSecond))}/s`
      return [amount, speed, timeLeft(size - sent, bytesPerSecond)].filter(Boolean).join(' · ')
    }
    case 'waiting':
      return hasRelease
        ? `${formatBytes(size)} · queued`
        : `${formatBytes(size)} · uploads once you choose a tag`
    case 'paused':
      return `${amount} · paused`
    case 'away':
      return `${amount} · connection lost, retrying…`
    case 'interrupted':
      return `${amount} uploaded. Select the file again to resume.`
    case 'attached':
      return `${formatBytes(size)} uploaded`
    case 'asking':
      return `${formatBytes(size)} · A file with this name already exists. Replace it or keep both?`
    case 'failed':
    case 'refused':
      return ''
  }
}

interface UploadSummaryProps {
  uploads: readonly Upload[]
  hasRelease: boolean
}

/** State of all uploads, as text for screen readers. */
export const UploadSummary = ({ uploads, hasRelease }: UploadSummaryProps): ReactNode =>
  summaryOf(uploads, hasRelease)
