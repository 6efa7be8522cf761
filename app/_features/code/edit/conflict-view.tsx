'use client'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './edit.module.css'
import type { Conflict } from './use-conflict'

interface ConflictViewProps {
  conflict: Conflict
  branch: string
  name: string
  onSettle: (text: string) => void
  onCancel: () => void
}

const narrow = '(max-width: 767px)'

/** Shows their version of a file next to the proposed one, which can be edited and is used only when it is confirmed. */
export function ConflictView({ conflict, branch, name, onSettle, onCancel }: ConflictViewProps): ReactNode {
  const holder = useRef<HTMLDivElement>(null)
  const banner = useRef<HTMLElement>(null)
  const result = useRef<() => string>(undefined)
  const [isFailed, setFailed] = useState(false)
  // The comparison keeps its form if the window changes.
  const [isNarrow] = useState(() => matchMedia(narrow).matches)
  const { theirs, proposed } = conflict
  useEffect(() => {
    let isOver = false
    let end: (() => void) | undefined
    const begin = async (): Promise<void> => {
      const { showMerge } = await import('./codemirror/compare')
      if (isOver || !holder.current) return
      const parent = holder.current
      const options = { parent, original: theirs.text, text: proposed, name }
      const comparison = await showMerge(options, { isNarrow })
      if (isOver) return comparison.destroy()
      result.current = comparison.text
      end = comparison.destroy
    }
    begin().catch(() => setFailed(true))
    banner.current?.focus()
    return () => {
      isOver = true
      end?.()
    }
  }, [theirs, proposed, name, isNarrow])
  return (
    <section className={styles.conflict} aria-label="Both versions">
      <Banner
        ref={banner}
        tabIndex={-1}
        variant="warning"
        title={titleOf(conflict)}
        description={
          <>
            The file has changed on <bdi>{visibleLine(branch)}</bdi> since you began. Compare its version with
            the result, which you can edit. Nothing is committed yet.
          </>
        }
      />
      <div className={styles.sides} data-narrow={isNarrow || undefined} aria-hidden>
        <span>
          On <bdi>{visibleLine(branch)}</bdi> now
        </span>
        <span>Result</span>
      </div>
      <div ref={holder} className={styles.compared} />
      {isFailed ? (
        <p role="alert">The comparison couldn’t be loaded. Check your connection and try again.</p>
      ) : null}
      <div className={form.actions}>
        <Button
          variant="primary"
          disabled={isFailed}
          onClick={() => onSettle(result.current?.() ?? proposed)}
        >
          Continue with the result
        </Button>
        <Button onClick={() => onSettle(theirs.text)}>Discard my changes</Button>
        <Button variant="invisible" onClick={onCancel}>
          Back to my text
        </Button>
      </div>
    </section>
  )
}

function titleOf({ conflicts }: Conflict): string {
  if (conflicts === null) return 'Your text and the newer version couldn’t be combined'
  if (conflicts === 0) return 'Your changes were combined with the newer version'
  const regions = conflicts === 1 ? 'One region was' : `${conflicts.toLocaleString('en-US')} regions were`
  return `${regions} changed by both of you; the result has your lines there`
}
