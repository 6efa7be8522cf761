'use client'
import { AlertIcon, ClockIcon, PauseIcon, SyncIcon, UploadIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import { formatBytes } from '@/app/_lib/format'
import { useFocusNextRow } from '@/app/_lib/use-focus-next-row'
import { timeLeft } from './pace'
import type { UploadQueue, UploadRow, UploadState } from './queue'
import styles from './uploads.module.css'

interface UploadRowProps {
  row: UploadRow
  queue: UploadQueue
  /** There is a release to attach it to. */
  hasRelease: boolean
  onChoose: () => void
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
  done: UploadIcon,
}

/** A file on its way, with what can be done about it. */
export function UploadRowView({ row, queue, hasRelease, onChoose }: UploadRowProps): ReactNode {
  const { key, name, size, sent, state } = row
  const focusNext = useFocusNextRow()
  const Visual = icons[state]
  const isWrong = state === 'failed' || state === 'refused'
  const hasBar = !isWrong && state !== 'asking'
  return (
    // Once the file is there, or taken out, the keyboard goes on with the next one.
    <li className={styles.row} data-state={state} onFocus={event => focusNext.from(event.target)}>
      <Visual className={isWrong ? styles.wrong : styles.icon} />
      <div className={styles.main}>
        <strong className={styles.name}>{name}</strong>
        {hasBar ? (
          <progress
            className={styles.bar}
            max={Math.max(size, 1)}
            value={sent}
            aria-label={`Upload of ${name}`}
          />
        ) : null}
        <p className={isWrong ? styles.wrong : styles.facts} role={isWrong ? 'alert' : undefined}>
          {factsOf(row, hasRelease)}
        </p>
      </div>
      <div className={styles.actions}>
        <RowActions row={row} queue={queue} onChoose={onChoose} />
        <Button
          size="small"
          variant="invisible"
          aria-label={`Remove ${name}`}
          onClick={() => void queue.remove(key)}
        >
          Remove
        </Button>
      </div>
    </li>
  )
}

function RowActions({ row, queue, onChoose }: Omit<UploadRowProps, 'hasRelease'>): ReactNode {
  const { key, name, state } = row
  if (state === 'asking') {
    return (
      <>
        <Button size="small" aria-label={`Replace ${name}`} onClick={() => queue.settle(key, 'replace')}>
          Replace
        </Button>
        <Button size="small" aria-label={`Keep both ${name}`} onClick={() => queue.settle(key, 'keepBoth')}>
          Keep both
        </Button>
      </>
    )
  }
  if (state === 'interrupted') {
    return (
      <Button size="small" aria-label={`Choose ${name} again`} onClick={onChoose}>
        Choose again
      </Button>
    )
  }
  const word = actionWords[state]
  if (!word) return null
  // One button, so that the keyboard stays on it.
  return (
    <Button
      size="small"
      aria-label={`${word} ${name}`}
      onClick={() => (state === 'sending' || state === 'waiting' ? queue.pause(key) : queue.resume(key))}
    >
      {word}
    </Button>
  )
}

const actionWords: Partial<Record<UploadState, string>> = {
  waiting: 'Pause',
  sending: 'Pause',
  paused: 'Resume',
  away: 'Try now',
  failed: 'Try again',
}

function factsOf(row: UploadRow, hasRelease: boolean): string {
  const { size, sent, state, problem, bytesPerSecond } = row
  const amount = `${formatBytes(sent)} of ${formatBytes(size)}`
  switch (state) {
    case 'sending': {
      if (sent >= size) return `${formatBytes(size)} sent. The site puts the file away.`
      const speed = bytesPerSecond === undefined ? undefined : `${formatBytes(Math.round(bytesPerSecond))}/s`
      return [amount, speed, timeLeft(size - sent, bytesPerSecond)].filter(Boolean).join(' · ')
    }
    case 'waiting':
      return hasRelease ? `${formatBytes(size)}, waits for its turn` : 'Waits until the release has a tag'
    case 'paused':
      return `${amount} · paused`
    case 'away':
      return `${amount} · waiting for the site, which is tried again by itself`
    case 'interrupted':
      return `${amount} have arrived. Choose the file again to go on from there.`
    case 'asking':
      return `${formatBytes(size)}. There is a file of this name: replace it, or keep both?`
    default:
      return problem ?? ''
  }
}
