'use client'
import type { ReactNode } from 'react'
import { counted } from '@/app/_lib/format'
import type { SaveConflict } from '@/app/_lib/use-save-form'
import { Banner } from './banner'
import styles from './form.module.css'
import { Button } from './primer'

export interface ConflictListProps {
  conflicts: readonly SaveConflict[]
  /** What the fields are called on the form. */
  labels: Readonly<Record<string, string>>
  onTake: (conflict: SaveConflict) => void
}

/** Shows what someone else has saved in the fields the user also changed; nothing is saved until one of the two is chosen. */
export function ConflictBanner(props: ConflictListProps): ReactNode {
  return (
    <Banner
      variant="warning"
      title="Somebody else has changed this in the meantime"
      description={
        <>
          <p>Nothing was saved. Save again to replace theirs with yours, or take theirs:</p>
          <ConflictList {...props} />
        </>
      }
    />
  )
}

/** Both versions of each field, with a button to take theirs. */
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
            <Button size="small" aria-label={`Take theirs: ${label}`} onClick={() => onTake(conflict)}>
              Take theirs
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

/** Folded, because notes may be pages long. */
function BothTexts({ theirs, mine }: SaveConflict): ReactNode {
  return (
    <details>
      <summary>Compare the texts</summary>
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
