'use client'
import type { ReactNode } from 'react'
import type { SaveConflict } from '@/app/_lib/use-save-form'
import styles from './form.module.css'
import { Banner, Button } from './primer'

interface SaveConflictsProps {
  conflicts: readonly SaveConflict[]
  /** What the fields are called on the form. */
  labels: Readonly<Record<string, string>>
  onTake: (conflict: SaveConflict) => void
}

/** What somebody else has made of the fields one has changed too; nothing is saved until one of the two is chosen. */
export function SaveConflicts(props: SaveConflictsProps): ReactNode {
  if (props.conflicts.length === 0) return null
  return (
    <div role="alert">
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
    </div>
  )
}

/** Theirs and one's own, with the choice to take theirs. */
export function ConflictList({ conflicts, labels, onTake }: SaveConflictsProps): ReactNode {
  return (
    <ul className={styles.conflicts}>
      {conflicts.map(conflict => {
        const label = labels[conflict.field] ?? conflict.field
        return (
          <li key={conflict.field} className={styles.conflict}>
            <span className={styles.words}>
              <strong>{label}</strong>: theirs is {messageFor(conflict.theirs)}, yours is{' '}
              {messageFor(conflict.mine)}
            </span>
            <Button size="small" aria-label={`Take theirs: ${label}`} onClick={() => onTake(conflict)}>
              Take theirs
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

function messageFor(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value === '' ? 'empty' : `“${value}”`
}
