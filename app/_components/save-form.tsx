'use client'
import type { ReactNode } from 'react'
import type { SaveConflict, SaveFormState } from '@/app/_lib/use-save-form'
import { FormBanner } from './fields'
import styles from './form.module.css'
import { Banner, Button } from './primer'

interface SaveFormProps {
  edit: SaveFormState
  /** Above the reason why nothing was saved. */
  failed: string
  /** On the button. */
  action: string
  /** Not in the width of a line of text. */
  wide?: boolean
  /** The fields. */
  children: ReactNode
}

/**
 * A form that changes what is there: it can be sent once something differs, and says so. A disabled button would lose
 * the keyboard once all is saved, so this one stays and the form takes no notice of it.
 */
export function SaveForm({ edit, failed, action, wide, children }: SaveFormProps): ReactNode {
  const { submit, unsaved, saving, problem, conflicts, labels, takeTheirs } = edit
  return (
    <form
      className={wide ? styles.form : `${styles.form} ${styles.narrow}`}
      onSubmit={submit}
      noValidate
      method="post"
    >
      <FormBanner title={failed} message={problem} />
      <SaveConflicts conflicts={conflicts} labels={labels} onTake={takeTheirs} />
      {children}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" aria-disabled={!unsaved || undefined} loading={saving}>
          {action}
        </Button>
        <span className={styles.hint} role="status">
          {unsaved ? 'You have unsaved changes.' : ''}
        </span>
      </div>
    </form>
  )
}

interface SaveConflictsProps {
  conflicts: readonly SaveConflict[]
  /** What the fields are called on the form. */
  labels: Readonly<Record<string, string>>
  onTake: (conflict: SaveConflict) => void
}

/** What somebody else has made of the fields one has changed too; nothing is saved until one of the two is chosen. */
function SaveConflicts(props: SaveConflictsProps): ReactNode {
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
