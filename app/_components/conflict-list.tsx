'use client'
import type { ReactNode } from 'react'
import { counted } from '@/app/_lib/format'
import type { SaveConflict } from '@/app/_lib/use-save-form'
import { Banner } from './banner'
import styles from './form.module.css'
import { Button } from './primer'

export interface ConflictListProps {
  conflicts: readonly SaveConflict[]
  /** Labels of the form's fields. */
  labels: Readonly<Record<string, string>>
  onTake: (conflict: SaveConflict) => void
}

/**
 * Shows what someone else saved in fields that the viewer also changed. Nothing is saved until the viewer
 * decides.
 */
export function ConflictBanner(props: ConflictListProps): ReactNode {
  return (
    <Banner
      variant="warning"
      title="Someone else changed this while you were editing"
      description={
        <>
          <p>Nothing was saved. Save again to overwrite their changes, or use their version:</p>
          <ConflictList {...props} />
        </>
      }
    />
  )
}

/** Lists both versions of each field, with a button to use theirs. */
export function ConflictList({ conflicts, labels, onTake }: ConflictListProps): ReactNode {
  return (
    <ul className={styles.conflicts}>
      {conflicts.map(conflict => {
        const label = labels[conflict.field] ?? conflict.field
        return (
          <li key={conflict.field} className={styles.conflict}>
            <div className={styles.words}>
              <strong>{label}</strong>: theirs is {messageFor(conflict.theirs)}, yours is{' '}
              {messageFor(conflict.mine)}
              {isLong(conflict.theirs) || isLong(conflict.mine) ? <BothTexts {...conflict} /> : null}
            </div>
            <Button size="small" aria-label={`Use theirs: ${label}`} onClick={() => onTake(conflict)}>
              Use theirs
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

/** Collapsed comparison of both versions of a text, because release notes can be pages long. */
function BothTexts({ theirs, mine }: SaveConflict): ReactNode {
  return (
    <details>
      <summary>Compare versions</summary>
      <p>Theirs:</p>
      <pre className={styles.text}>{theirs}</pre>
      <p>Yours:</p>
      <pre className={styles.text}>{mine}</pre>
    </details>
  )
}

const isLong = (value: string | boolean): boolean =>
  typeof value === 'string' && (value.length > 120 || value.includes('\n'))

function messageFor(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (isLong(value)) return counted(value.split('\n').length, 'line', 'lines')
  return value === '' ? 'empty' : `“${value}”`
}
